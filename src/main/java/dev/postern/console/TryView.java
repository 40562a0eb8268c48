package dev.postern.console;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What would become of a payload that is pasted, or of a sample. */
final class TryView implements View {

    /** In characters: as much as a hook takes by default; of a form it is at most three quarters, as a browser encodes it. */
    private static final int LONGEST_PAYLOAD = 262_144;

    private static final int LONGEST_HEADERS = 10_000;
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Trials trials;

    TryView(Trials trials) {
        this.trials = trials;
    }

    /**
     * What is shown.
     *
     * @param samples their names
     * @param headers a line each
     * @param explanation what would become of it; null where nothing was tried
     * @param messages what a model would be given to read
     */
    record Shown(
            List<String> samples,
            @Nullable String sample,
            String hook,
            String payload,
            String headers,
            @Nullable ObjectNode explanation,
            List<String> messages) {}

    @Override
    public String template() {
        return "try";
    }

    @Override
    public boolean takesForms() {
        return true;
    }

    @Override
    public Optional<Shown> show(Question question) throws UnfitException {
        Samples samples = Samples.shipped();
        @Nullable String name = question.parameter("sample");
        @Nullable String payload = question.text("payload", LONGEST_PAYLOAD);
        if (payload == null) {
            Samples.Sample sample = name == null ? Samples.NONE : samples.named(name);
            return Optional.of(new Shown(
                    samples.names(), name, sample.hook(), sample.payload(), sample.headers(), null, List.of()));
        }
        @Nullable String hook = question.parameter("hook");
        if (hook == null) {
            throw new UnfitException("hook is missing: the path below the hook prefix, such as github.");
        }
        @Nullable String headers = question.text("headers", LONGEST_HEADERS);
        String lines = headers == null ? "" : headers;
        Trials.Told told = trials.of(new Trials.Sent(hook.replaceAll("^/+|/+$", ""), payload, byName(lines)));
        return Optional.of(new Shown(samples.names(), name, hook, payload, lines, told.explanation(), told.messages()));
    }

    /** Headers as people write them, a line each, or as programs do, in a JSON object. */
    private static Map<String, String> byName(String lines) throws UnfitException {
        if (lines.strip().startsWith("{")) {
            try {
                return JSON.readValue(lines, new TypeReference<Map<String, String>>() {});
            } catch (JsonProcessingException e) {
                throw new UnfitException("headers is no JSON object of texts.");
            }
        }
        Map<String, String> headers = new LinkedHashMap<>();
        for (String line : lines.lines().toList()) {
            int colon = line.indexOf(':');
            if (colon > 0) {
                headers.put(
                        line.substring(0, colon).strip(),
                        line.substring(colon + 1).strip());
            } else if (!line.isBlank()) {
                throw new UnfitException(
                        "headers has a line without a name and a colon: they are written as name: value.");
            }
        }
        return headers;
    }
}
