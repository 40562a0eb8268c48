package dev.postern.it.standalone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * A test of {@code import} that sends requests to a Postern with OpenClaw's configuration. The answers of OpenClaw 2026.9.6
 * to the same requests were recorded from its gateway; {@code postern} says where Postern answers otherwise.
 */
@Tag("long")
class OpenClawImportIT {

    private static final Path RECORDED = Path.of("integration-tests/resources/standalone/openclaw");
    private static final String TOKEN = "hook-token-0123456789abcdef01";

    @RegisterExtension
    final HomeFixtureExtension homeFixtureExtension = HomeFixtureExtension.ofTest();

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    @Test
    void answersAsOpenClawDoes() throws Exception {
        HomeFixture home = homeFixtureExtension.newHome();
        String file = RECORDED.resolve("openclaw.json").toAbsolutePath().toString();

        PosternProcess imported =
                home.run("import", file, "--home", home.directory().toString());
        assertThat(imported.awaitExit()).isZero();
        assertThat(imported.out())
                .contains("openclaw.json:3: gateway: not taken")
                .doesNotContain(TOKEN);
        assertThat(home.run("check", "--home", home.directory().toString()).awaitExit())
                .isZero();

        PosternProcess postern = home.start();
        JsonArray recorded = JsonParser.parseString(Files.readString(RECORDED.resolve("answers.json")))
                .getAsJsonArray();
        assertThat(recorded).hasSizeGreaterThan(20);
        SoftAssertions all = new SoftAssertions();
        for (JsonElement each : recorded) {
            compare(each.getAsJsonObject(), postern, all);
        }
        all.assertAll();
    }

    @Test
    void changesNothingTheSecondTime() throws Exception {
        HomeFixture home = homeFixtureExtension.newHome();
        String file = home.top().resolve("openclaw.json").toString();
        Files.writeString(Path.of(file), "{ hooks: { enabled: true, token: '" + TOKEN + "' } }");
        assertThat(home.run("import", file, "--home", home.directory().toString())
                        .awaitExit())
                .isZero();
        String before = home.read("postern.yaml");

        PosternProcess again =
                home.run("import", file, "--home", home.directory().toString());

        assertThat(again.awaitExit()).isEqualTo(1);
        assertThat(again.log()).contains("postern.yaml exists. Move it away", "Nothing was changed.");
        assertThat(home.read("postern.yaml")).isEqualTo(before);
    }

    @Test
    void leavesNoSecretsWhereItIsInterrupted() throws Exception {
        HomeFixture home = homeFixtureExtension.newHome();
        Files.createDirectories(home.directory().resolve("secrets"));
        Files.writeString(home.directory().resolve("secrets/other"), "a-secret");
        Path file = home.top().resolve("openclaw.json");
        Path script = home.top().resolve("hooks/transforms/t.js");
        Files.createDirectories(script.resolveSibling(""));
        Files.writeString(script, "export default () => ({});"); // to compile it takes a second or two
        Files.writeString(
                file,
                "{ hooks: { enabled: true, token: '" + TOKEN + "', mappings: [{ match: { path: 'a' }, action: 'wake',"
                        + " textTemplate: 'x', transform: { module: 't.js' } }] } }");

        PosternProcess importing = home.launched(
                "import", file.toString(), "--home", home.directory().toString());
        await().pollInterval(Duration.ofMillis(5))
                .failFast("the import has ended", () -> !importing.isAlive())
                .until(() -> drafts(home).stream()
                        .anyMatch(draft -> Files.exists(draft.resolve("secrets/other"))
                                && Files.exists(draft.resolve("postern.yaml"))));
        importing.terminate();

        assertThat(importing.awaitExit()).isNotZero();
        assertThat(drafts(home)).isEmpty();
        assertThat(home.directory().resolve("postern.yaml")).doesNotExist();
    }

    private static List<Path> drafts(HomeFixture home) throws IOException {
        try (Stream<Path> entries = Files.list(home.top())) {
            return entries.filter(entry -> entry.getFileName().toString().startsWith("postern-import-"))
                    .toList();
        }
    }

    private void compare(JsonObject expected, PosternProcess postern, SoftAssertions all)
            throws IOException, InterruptedException {
        String name = expected.get("name").getAsString();
        HttpResponse<String> response = send(expected, postern.base());
        int status =
                expected.get(expected.has("postern") ? "postern" : "status").getAsInt();
        all.assertThat(response.statusCode()).as(name).isEqualTo(status);
        String theirs = expected.get("answer").getAsString();
        if (!theirs.startsWith("{") || response.statusCode() != status) {
            return;
        }
        JsonObject answer = JsonParser.parseString(response.body()).getAsJsonObject();
        JsonObject original = JsonParser.parseString(theirs).getAsJsonObject();
        for (String field : new String[] {"ok", "mode"}) {
            if (original.has(field) && answer.has(field) && !expected.has("postern")) {
                all.assertThat(answer.get(field)).as(name + ": " + field).isEqualTo(original.get(field));
            }
        }
        all.assertThat(answer.has("runId")).as(name + ": runId").isEqualTo(original.has("runId"));
        if (expected.has("message")) {
            PosternResponse run =
                    postern.sender().withToken(TOKEN).ended(answer.get("runId").getAsString());
            all.assertThat(run.text("reply"))
                    .as(name)
                    .contains(expected.get("message").getAsString());
        }
    }

    private HttpResponse<String> send(JsonObject recorded, URI base) throws IOException, InterruptedException {
        String body = recorded.has("body")
                ? recorded.get("body").getAsString()
                : recorded.has("textOfLength")
                        ? "{\"text\":\""
                                + "x".repeat(recorded.get("textOfLength").getAsInt()) + "\"}"
                        : "";
        HttpRequest.Builder request = HttpRequest.newBuilder(
                        base.resolve(recorded.get("path").getAsString().replace("<token>", TOKEN)))
                .timeout(Duration.ofSeconds(40))
                .method(
                        recorded.get("method").getAsString(),
                        body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
        recorded.getAsJsonObject("headers")
                .entrySet()
                .forEach(header -> request.header(
                        header.getKey(), header.getValue().getAsString().replace("<token>", TOKEN)));
        return client.send(request.build(), BodyHandlers.ofString());
    }
}
