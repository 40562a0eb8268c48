package dev.postern.it.standalone;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** A generator of bodies as senders and operators make them, with the headers that go with them. */
final class RawExampleGenerator {

    private static final Path PROVIDERS = Path.of("src/test/resources/providers");

    private final RandomValues random;
    private final Map<String, List<String>> samples;
    private final String canary;

    /**
     * Makes a generator.
     *
     * @param samples real requests by their hook
     * @param canary a word for texts
     */
    RawExampleGenerator(RandomValues random, Map<String, List<String>> samples, String canary) {
        this.random = random;
        this.samples = samples;
        this.canary = canary;
    }

    /** The requests of the presets' senders that the unit tests have. */
    static Map<String, List<String>> samples() throws IOException {
        Map<String, List<String>> samples = new HashMap<>();
        try (Stream<Path> files = Files.walk(PROVIDERS)) {
            for (Path file :
                    files.filter(each -> each.endsWith("request.http")).sorted().toList()) {
                samples.computeIfAbsent(PROVIDERS.relativize(file).getName(0).toString(), preset -> new ArrayList<>())
                        .add(Files.readString(file, StandardCharsets.ISO_8859_1));
            }
        }
        return samples;
    }

    /** A body that the address takes, whose sender's headers are added to {@code lines}. */
    String example(String path, List<String> lines) {
        String hook = path.startsWith("/hooks/") ? path.substring("/hooks/".length()) : "";
        if (samples.containsKey(hook)) {
            String[] sample = random.of(samples.get(hook)).split("\r?\n\r?\n", 2);
            sample[0]
                    .lines()
                    .skip(1)
                    .filter(
                            line -> !line.matches(
                                    "(?i)(host|[^:]*signature[^:]*|x-gitlab-token|authorization|x-slack-request-timestamp|content-(type|length)):.*"))
                    .forEach(lines::add);
            return sample.length == 1 ? "" : sample[1].strip();
        }
        String text = canary + random.of("", " \u00c3\u00a4", "\\n\\u0000x", " \\ud83d\\ude00") + random.below(100);
        if (hook.equals("agent")) {
            return "{\"message\":\"" + text
                    + "\",\"name\":\"n\",\"agentId\":\"main\",\"wakeMode\":\"next-heartbeat\",\"deliver\":false,"
                    + "\"channel\":\"inbox\",\"model\":\"offline/echo\",\"thinking\":\"low\",\"timeoutSeconds\":5}";
        }
        if (path.contains("/try")) {
            return "{\"hook\":\"github\",\"headers\":{\"x-github-event\":\"push\"},\"query\":{\"a\":\"b\"},\"payload\":{\"a\":\""
                    + text + "\"}}";
        }
        if (path.contains("/backtest")) {
            return "{\"since\":\"1m\",\"configuration\":\"hooks: {enabled: true, token: 0123456789abcdef0123456789abcdef}\"}";
        }
        if (path.startsWith("/console")) {
            return random.of(
                    "{\"ids\":[\"run_00000000000000000000000000\"],\"attempt\":\"1\"}", "{\"attempt\":\"2\"}", "");
        }
        return "{\"text\":\"" + text + "\",\"mode\":\"next-heartbeat\",\"items\":[{\"a\":1},{\"a\":\"" + text + "\"}]}";
    }
}
