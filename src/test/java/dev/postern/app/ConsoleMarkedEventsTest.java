package dev.postern.app;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of how the console explains events that a Postern caused: as the hooks answer them. */
class ConsoleMarkedEventsTest {

    private static final String TOKEN = "a-token-that-is-long-enough-01";
    private static final String OTHER = "dlv_01m8bd6gqj69rthhm26q5k4903";
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    @TempDir
    Path directory;

    private TomcatServer server;

    @BeforeEach
    void start() throws Exception {
        server = TomcatServer.withConsole(
                directory,
                """
                hooks:
                  enabled: true
                  token: %s
                  presets: [github]
                  signingSecrets: {github: secret-of-github-1234}
                  presetReplyTo: {github: source}
                  mappings:
                    - {id: note, match: {path: note}, action: deliver, channel: inbox, messageTemplate: '{{text}}'}
                channels: {github: {account: my-bot, token: t}}
                requests: {payloads: all}
                console: viewer
                """
                        .formatted(TOKEN));
    }

    @AfterEach
    void stop() throws Exception {
        server.close();
    }

    @Test
    void explainsEventsOfPosternsAsTheHooksAnswerThem() throws Exception {
        String own = deliver();

        assertThat(explained("my-bot", "Done.").path("code").asText()).isEqualTo("own_account");
        assertThat(explained("someone", marked(own)).path("code").asText()).isEqualTo("own_delivery");
        assertThat(explained("someone", marked(OTHER)).path("code").asText()).isEqualTo("other_postern");
        assertThat(explained("someone", marked(OTHER)).has("detail")).isFalse();
        assertThat(answered("my-bot", "Done.")).isEqualTo("own_account");
        assertThat(answered("someone", marked(own))).isEqualTo("own_delivery");
        assertThat(answered("someone", marked(OTHER))).isEqualTo("other_postern");
    }

    @Test
    void findsNoDifferenceInEventsOfPosterns() throws Exception {
        answered("my-bot", "Done.");
        answered("someone", marked(deliver()));
        answered("someone", marked(OTHER));

        JsonNode byLog = console("backtest", "{\"since\":\"1h\"}").path("result");

        assertThat(byLog.path("requests").asInt()).isEqualTo(4);
        assertThat(byLog.path("changes")).isEmpty();
    }

    @Test
    void showsThatAnotherReasonWouldApply() throws Exception {
        answered("my-bot", "Done.");
        String changed = Files.readString(directory.resolve("home/postern.yaml"))
                .replace("  presetReplyTo: {github: source}\n", "");

        JsonNode result = console(
                        "backtest",
                        JSON.createObjectNode()
                                .put("since", "1h")
                                .put("configuration", changed)
                                .toString())
                .path("result");

        assertThat(result.at("/changes/0/differences").toString())
                .contains("{\"field\":\"code\",\"before\":\"own_account\",\"diff\"");
    }

    private static String marked(String deliveryId) {
        return "Done. <!-- postern:" + deliveryId + ".1 -->";
    }

    private static String comment(String author, String text) {
        return """
                {"action": "created", "issue": {"number": 1, "title": "T", "html_url": "https://github.com/o/r/issues/1"},
                "comment": {"body": "%s", "user": {"login": "%s", "type": "User"}, "html_url": "https://github.com/o/r/c"},
                "repository": {"full_name": "o/r"}, "sender": {"login": "%2$s"}}"""
                .formatted(text, author);
    }

    private String deliver() throws Exception {
        return JSON.readTree(hook("note", "{\"text\":\"hello\"}", 202))
                .path("deliveryId")
                .asText();
    }

    private String hook(String hook, String body, int status) throws Exception {
        HttpResponse<String> response = CLIENT.send(
                HttpRequest.newBuilder(server.at("/postern/hooks/" + hook))
                        .header("Authorization", "Bearer " + TOKEN)
                        .header("X-GitHub-Event", "issue_comment")
                        .POST(BodyPublishers.ofString(body))
                        .build(),
                BodyHandlers.ofString());
        assertThat(response.statusCode()).as(response.body()).isEqualTo(status);
        return response.body();
    }

    /** The code in the request log for a comment that the hook gets. */
    private String answered(String author, String text) throws Exception {
        hook("github", comment(author, text), 204);
        return console("requests", null).at("/requests/0/code").asText();
    }

    private JsonNode explained(String author, String text) throws Exception {
        String trial = JSON.createObjectNode()
                .put("hook", "github")
                .<ObjectNode>set("headers", JSON.createObjectNode().put("x-github-event", "issue_comment"))
                .<ObjectNode>set("payload", JSON.readTree(comment(author, text)))
                .toString();
        JsonNode explanation = console("try", trial).path("explanation");
        assertThat(explanation.path("status").asInt()).as("%s", explanation).isEqualTo(204);
        return explanation;
    }

    private JsonNode console(String place, @Nullable String body) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(server.at("/postern/console/api/" + place))
                .header(
                        "Authorization",
                        "Basic "
                                + Base64.getEncoder()
                                        .encodeToString(("otto:" + TomcatServer.PASSWORD).getBytes(UTF_8)));
        HttpResponse<String> response = CLIENT.send(
                (body == null ? request : request.POST(BodyPublishers.ofString(body))).build(),
                BodyHandlers.ofString());
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        return JSON.readTree(response.body());
    }
}
