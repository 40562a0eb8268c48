package dev.postern.it.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * A test of the README's first steps, from a home that sets itself up to a signed request: a shell runs its commands in
 * their order, and prints the responses that it shows.
 */
class ReadmeIT {

    /** A command within a sentence, a block of commands with the JSON that is shown right after it, or settings. */
    private static final Pattern STEP = Pattern.compile(
            "`(?<inline>\\(umask [^`]*)`|^```sh\\n(?<commands>.*?)^```\\n(?:\\n```json\\n(?<json>.*?)^```$)?"
                    + "|^```yaml\\nhooks:\\n(?<hooks>.*?)^```$",
            Pattern.MULTILINE | Pattern.DOTALL);

    private static final Pattern ASSIGNMENT = Pattern.compile("^[A-Z]+=.*$", Pattern.MULTILINE);
    private static final String ADDRESS = "http://127.0.0.1:8080";

    @RegisterExtension
    final HomeFixtureExtension homeFixtureExtension = HomeFixtureExtension.ofTest();

    @TempDir
    Path user;

    private final List<String> assignments = new ArrayList<>();
    private String runId = "";

    @Test
    void leadsToAWakeAReplyAndASignedRequest() throws Exception {
        HomeFixture home = homeFixtureExtension.newHome();
        Files.createSymbolicLink(user.resolve(".postern"), home.directory());
        PosternProcess postern = home.serve("--port", "0").awaitReady();
        String quickStart = Files.readString(Path.of("README.md")).replaceFirst("(?s).*?\n## Quick start\n", "");
        int shown = 0;
        for (MatchResult step : STEP.matcher(quickStart).results().toList()) {
            Matcher parts = STEP.matcher(step.group());
            assertThat(parts.matches()).isTrue();
            if (parts.group("hooks") != null) {
                Path settings = home.directory().resolve("postern.yaml");
                Files.writeString(
                        settings,
                        Files.readString(settings)
                                .replaceFirst(
                                        "(?m)^hooks:\\n", Matcher.quoteReplacement("hooks:\n" + parts.group("hooks"))));
                assertThat(postern.stop()).isZero();
                postern = home.serve("--port", "0").awaitReady();
            } else if (parts.group("inline") != null) {
                assertThat(shell(parts.group("inline"), postern.base())).isEmpty();
            } else {
                List<String> responses = shell(parts.group("commands"), postern.base());
                assertThat(responses).isNotEmpty().containsOnly(comparable(parts.group("json")));
                shown += responses.size();
            }
        }

        assertThat(shown).isEqualTo(4);
        assertThat(postern.log()).doesNotContain("WARNING");
    }

    /** Runs {@code commands} from the top of the project, and returns the JSON that they print. */
    private List<String> shell(String commands, URI base) throws IOException, InterruptedException {
        List<String> printed = new ArrayList<>();
        for (String line : commands.strip().lines().toList()) {
            String command = line.replace(ADDRESS, base.toString().replaceFirst("/$", ""))
                    .replace("$RUN", runId);
            if (ASSIGNMENT.matcher(line).matches()) {
                assignments.add(command);
                continue;
            }
            ProcessBuilder bash = new ProcessBuilder("bash", "-euc", String.join("\n", assignments) + "\n" + command)
                    .redirectError(ProcessBuilder.Redirect.INHERIT);
            bash.environment().put("HOME", user.toString());
            Process process = bash.start();
            String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor()).describedAs(command).isZero();
            if (!out.isBlank()) {
                JsonObject json = JsonParser.parseString(out).getAsJsonObject();
                runId = json.has("runId") ? json.get("runId").getAsString() : runId;
                printed.add(comparable(out));
            }
        }
        return printed;
    }

    /** The JSON in one line, without the ids, times and durations that differ from start to start. */
    private static String comparable(String json) {
        return JsonParser.parseString(json)
                .toString()
                .replaceAll("(evt|run)_[0-9a-z]{26}", "$1_")
                .replaceAll("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", "uuid")
                .replaceAll("[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]+Z", "time")
                .replaceAll("\"durationMs\":[0-9]+", "\"durationMs\":0");
    }
}
