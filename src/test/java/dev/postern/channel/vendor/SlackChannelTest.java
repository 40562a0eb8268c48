package dev.postern.channel.vendor;

import static com.github.tomakehurst.wiremock.client.WireMock.aResponse;
import static com.github.tomakehurst.wiremock.client.WireMock.any;
import static com.github.tomakehurst.wiremock.client.WireMock.okJson;
import static com.github.tomakehurst.wiremock.client.WireMock.urlEqualTo;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.github.tomakehurst.wiremock.client.ResponseDefinitionBuilder;
import com.github.tomakehurst.wiremock.verification.LoggedRequest;
import dev.postern.channel.Channel.Outcome.Refused;
import dev.postern.channel.Channel.Outcome.Unsure;
import dev.postern.channel.Channel.Probe;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SlackChannelTest extends FileContract {

    @Override
    String kind() {
        return "slack";
    }

    @Override
    String credential() {
        return "botToken";
    }

    @Override
    String to() {
        return "C0123456789";
    }

    @Override
    String path() {
        return "/chat.postMessage";
    }

    @Override
    Map<String, String> credentialHeader() {
        return Map.of("Authorization", "Bearer " + SECRET);
    }

    @Override
    String bodySchema() {
        return "/definitions/json_body";
    }

    @Override
    String messageId(JsonNode body) {
        return body.path("ts").textValue();
    }

    @Override
    String filePath() {
        return "/files.completeUploadExternal";
    }

    @Override
    String fileMessageId(JsonNode body) {
        return body.at("/files/0/id").textValue();
    }

    @Override
    List<Step> steps() {
        return List.of(new Step("/files.getUploadURLExternal", "upload-url"), new Step("/upload/v1/ABC123", "upload"));
    }

    @Override
    ResponseDefinitionBuilder goingOn(Step step) {
        return step.operation().equals("upload")
                ? aResponse().withBody("OK - 20")
                : uploadTo(url() + "/upload/v1/ABC123");
    }

    private static ResponseDefinitionBuilder uploadTo(String address) {
        return okJson("{\"ok\":true,\"upload_url\":\"" + address + "\",\"file_id\":\"F123ABC456\"}");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "C012 345",
                "a@b.example",
                "@somebody",
                "<!channel>",
                "#",
                "#two words",
                "C012/",
                "C012/now",
                "C012/1700000000",
                "@U012/1700000000.000100"
            })
    void knowsWhatIsNoRecipient(String to) {
        assertThat(channel().refusal(to)).startsWith("to is no recipient on Slack");
    }

    @ParameterizedTest
    @CsvSource({
        "C0123456789,C0123456789",
        "G0123456789,G0123456789",
        "'#ops','#ops'",
        "ops,ops",
        "@U012AB,U012AB",
        "U012AB,U012AB"
    })
    void writesToAChannelOrAPerson(String to, String sent) throws Exception {
        answer(file.ok("").answer());
        var unused = channel().send(message(to));

        assertThat(VendorFile.JSON
                        .readTree(requests().get(0).getBodyAsString())
                        .path("channel")
                        .textValue())
                .isEqualTo(sent);
    }

    @Test
    void writesToAThreadAndNowhereElse() throws Exception {
        answer(file.ok("").answer());
        var unused = channel().send(message("C0123456789/1700000000.000100"));

        assertThat(file.violations(bodySchema(), requests().get(0).getBodyAsString()))
                .isEmpty();
        assertThat(body(0).path("channel").textValue()).isEqualTo("C0123456789");
        assertThat(body(0).path("thread_ts").textValue()).isEqualTo("1700000000.000100");
        assertThat(body(0).path("reply_broadcast").booleanValue()).isFalse();
    }

    @Test
    void everyCodeMeansWhatTheListSays() {
        file.at("/x-error-codes/codes").properties().forEach(code -> {
            answer(okJson("{\"ok\":false,\"error\":\"" + code.getKey() + "\"}"));
            var outcome = send();
            String expected = code.getValue().textValue();
            assertThat(outcome.getClass().getSimpleName())
                    .as(code.getKey())
                    .isEqualTo(
                            switch (expected) {
                                case "permanent", "auth" -> "Refused";
                                case "unknown" -> "Unsure";
                                default -> "Later";
                            });
            assertThat(reason(outcome).contains("channels.ops.botToken")).isEqualTo(expected.equals("auth"));
            assertThat(reason(outcome)).contains("(" + code.getKey() + ")");
        });
    }

    @Test
    void saysWhatToDoAboutARefusedToken() {
        answer(okJson("{\"ok\":false,\"error\":\"token_revoked\"}"));

        assertThat(send()).isEqualTo(new Refused("Slack refused the token (token_revoked): set channels.ops.botToken"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "<html>", "[]", "{}", "{\"ok\":\"true\"}", "null"})
    void isUnsureOfAnAnswerThatIsNotSlacks(String body) {
        answer(okJson(body));

        assertThat(send()).isInstanceOf(Unsure.class);
    }

    @Test
    void asksForNoPreviewOfLinks() throws Exception {
        answer(file.ok("").answer());
        var unused = send();

        JsonNode body = body(0);
        assertThat(body.path("unfurl_links").booleanValue()).isFalse();
        assertThat(body.path("unfurl_media").booleanValue()).isFalse();
        assertThat(body.has("unfurl_links")).isTrue();
    }

    @Test
    void asksWhoseTheTokenIs() {
        answer(okJson("{\"ok\":true,\"team\":\"Acme\",\"user\":\"postern\"}"));

        assertThat(channel().probe()).isEqualTo(new Probe.Good("postern"));
        assertThat(requests().get(0).getUrl()).isEqualTo("/auth.test");
        assertThat(requests().get(0).getHeader("Authorization")).isEqualTo("Bearer " + SECRET);
    }

    @Test
    void saysThatTheTokenIsNotGood() {
        answer(okJson("{\"ok\":false,\"error\":\"invalid_auth\"}"));

        assertThat(channel().probe())
                .isEqualTo(new Probe.Bad("Slack refused the token (invalid_auth): set channels.ops.botToken"));
    }

    @Test
    void sendsAFileAsSlackDescribesIt() throws Exception {
        answerFile(file.ok("file").answer());
        var unused = sendFile("C0123456789/1700000000.000100");

        LoggedRequest place = requests().get(0);
        assertThat(place.getUrl()).isEqualTo("/files.getUploadURLExternal");
        assertThat(place.getHeader("Authorization")).isEqualTo("Bearer " + SECRET);
        assertThat(place.getHeader("Content-Type")).isEqualTo("application/x-www-form-urlencoded");
        assertThat(place.getBodyAsString().split("&"))
                .containsExactlyInAnyOrder("filename=code-1.py", "length=" + FILE.bytes().length);
        LoggedRequest upload = requests().get(1);
        assertThat(upload.getMethod().getName()).isEqualTo("POST");
        assertThat(upload.getBody()).isEqualTo(FILE.bytes());
        assertThat(upload.getHeader("Content-Type")).isEqualToIgnoringCase("text/plain; charset=utf-8");
        assertThat(upload.containsHeader("Authorization")).isFalse();
        assertThat(file.violations("/definitions/complete_upload", body(2).toString()))
                .isEmpty();
        assertThat(body(2).path("channel_id").textValue()).isEqualTo("C0123456789");
        assertThat(body(2).path("thread_ts").textValue()).isEqualTo("1700000000.000100");
        assertThat(body(2).path("files")).hasToString("[{\"id\":\"F123ABC456\",\"title\":\"code-1.py\"}]");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://files.slack.com/upload",
                "https://files.slack.com:444/upload",
                "https://slack.com.example.org/upload",
                "https://evilslack.com/upload",
                "https://files.slack.com@127.0.0.1/upload",
                "https://a@files.slack.com/upload",
                "https://127.0.0.1/upload",
                "http://127.0.0.1:1/upload",
                "http://localhost/upload",
                "file:///etc/passwd",
                "//files.slack.com/upload",
                "https://files.slack.com/a b",
                "",
                "upload"
            })
    void uploadsNothingToAnotherHost(String address) {
        answerFile(file.ok("file").answer());
        server.stubFor(any(urlEqualTo("/files.getUploadURLExternal")).willReturn(uploadTo(address)));

        assertThat(sendFile())
                .isEqualTo(new Refused(
                        "Slack refused the file (upload_url): it gave an address for it that is not its own"));
        assertThat(requests()).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"#ops", "ops", "U0123456789", "@U0123456789"})
    void sharesNoFileWithoutTheIdOfAChannel(String to) {
        answerFile(file.ok("file").answer());

        assertThat(sendFile(to))
                .isEqualTo(new Refused(
                        "Slack shares a file only in a channel that to gives by its id, such as C0123456789"));
        assertThat(requests()).isEmpty();
    }

    @Test
    void saysWhichScopeFilesNeed() {
        answerFile(file.ok("file").answer());
        server.stubFor(any(urlEqualTo("/files.getUploadURLExternal"))
                .willReturn(okJson("{\"ok\":false,\"error\":\"missing_scope\",\"needed\":\"files:write\"}")));

        assertThat(sendFile())
                .isEqualTo(new Refused("Slack refused the file (missing_scope): give the app the scope files:write"));
        assertThat(requests()).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {400, 403, 413})
    void isRefusedWhereTheUploadIs(int status) {
        answerFile(file.ok("file").answer());
        server.stubFor(
                any(urlEqualTo("/upload/v1/ABC123")).willReturn(aResponse().withStatus(status)));

        assertThat(sendFile()).isInstanceOf(Refused.class);
        assertThat(shown()).isEmpty();
    }
}
