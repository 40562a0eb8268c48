package dev.postern.it.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonParser;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * A test of the README's first steps: a home that sets itself up, its curl lines in their order, and the responses that
 * it shows.
 */
class ReadmeIT {

    /** A block of commands, and the JSON that is shown right after it, if any. */
    private static final Pattern BLOCK =
            Pattern.compile("^```sh\\n(.*?)^```\\n(?:\\n```json\\n(.*?)^```$)?", Pattern.MULTILINE | Pattern.DOTALL);

    private static final Pattern CURL = Pattern.compile("^curl .*$", Pattern.MULTILINE);
    private static final Pattern WORD = Pattern.compile("'([^']*)'|\"([^\"]*)\"|(\\S+)");
    private static final String ADDRESS = "http://127.0.0.1:8080";

    @RegisterExtension
    final HomeFixtureExtension homeFixtureExtension = HomeFixtureExtension.ofTest();

    @Test
    void hasCurlLinesThatWorkInTheirOrder() throws IOException, InterruptedException {
        HomeFixture home = homeFixtureExtension.newHome();
        PosternProcess postern = home.serve("--port", "0").awaitReady();
        String token =
                Files.readString(home.directory().resolve("secrets/hook-token")).strip();
        String readme = Files.readString(Path.of("README.md"));
        List<String> lines = new ArrayList<>();
        int shown = 0;
        String runId = "";
        for (MatchResult block : BLOCK.matcher(readme).results().toList()) {
            for (String line : curls(block.group(1))) {
                lines.add(line);
                PosternResponse posternResponse = send(
                        line.replace("$TOKEN", token).replace("<runId>", runId),
                        new HookSender(postern.base().resolve("/hooks/"), null));
                assertThat(posternResponse.status())
                        .describedAs("%s: %s", line, posternResponse)
                        .isIn(200, 202);
                if (block.group(2) != null) {
                    assertThat(comparable(posternResponse.body()))
                            .describedAs("%s", line)
                            .isEqualTo(comparable(block.group(2)));
                    shown++;
                }
                runId = posternResponse.text("runId").isEmpty() ? runId : posternResponse.text("runId");
            }
        }
        assertThat(lines).hasSizeGreaterThanOrEqualTo(3).isEqualTo(curls(readme));
        assertThat(shown).isGreaterThanOrEqualTo(3);
        assertThat(runId).isNotEmpty();
    }

    private static List<String> curls(String text) {
        return CURL.matcher(text).results().map(MatchResult::group).toList();
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

    /** As curl would: {@code -d} makes a POST of it. */
    private static PosternResponse send(String line, HookSender sender) throws IOException, InterruptedException {
        List<String> headers = new ArrayList<>();
        String body = null;
        URI address = null;
        List<String> words = words(line.substring("curl ".length()));
        for (int i = 0; i < words.size(); i++) {
            switch (words.get(i)) {
                case "-H" -> headers.addAll(List.of(words.get(++i).split(": ", 2)));
                case "-d" -> body = words.get(++i);
                default -> address = URI.create(words.get(i));
            }
        }
        assertThat(address).describedAs(line).isNotNull();
        assertThat(address.toString()).startsWith(ADDRESS + "/hooks/");
        String path = address.toString().substring((ADDRESS + "/hooks/").length());
        return body == null ? sender.get(path, headers) : sender.post(path, body, headers.toArray(String[]::new));
    }

    private static List<String> words(String line) {
        List<String> words = new ArrayList<>();
        Matcher word = WORD.matcher(line);
        while (word.find()) {
            for (int group = 1; group <= word.groupCount(); group++) {
                if (word.group(group) != null) {
                    words.add(word.group(group));
                }
            }
        }
        return words;
    }
}
