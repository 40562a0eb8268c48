package dev.postern.channel.vendor;

import static com.github.tomakehurst.wiremock.client.WireMock.aResponse;
import static com.github.tomakehurst.wiremock.client.WireMock.any;
import static com.github.tomakehurst.wiremock.client.WireMock.okJson;
import static com.github.tomakehurst.wiremock.client.WireMock.urlEqualTo;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.github.tomakehurst.wiremock.verification.LoggedRequest;
import dev.postern.channel.Channel.Outcome.Later;
import dev.postern.channel.Channel.Outcome.Refused;
import dev.postern.channel.Channel.Outcome.Sent;
import dev.postern.channel.Channel.Outcome.Unsure;
import dev.postern.channel.Channel.Probe;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MattermostChannelTest extends FileContract {

    @Override
    String kind() {
        return "mattermost";
    }

    @Override
    String credential() {
        return "botToken";
    }

    @Override
    String to() {
        return "chan567890123456789012abcd";
    }

    @Override
    String path() {
        return "/api/v4/posts";
    }

    @Override
    Map<String, String> credentialHeader() {
        return Map.of("Authorization", "Bearer " + SECRET);
    }

    @Override
    String bodySchema() {
        return "/paths/~1api~1v4~1posts/post/requestBody/content/application~1json/schema";
    }

    @Override
    String messageId(JsonNode body) {
        return body.path("id").textValue();
    }

    @Override
    String filePath() {
        return path();
    }

    @Override
    String fileMessageId(JsonNode body) {
        return messageId(body);
    }

    @Override
    List<Step> steps() {
        return List.of(new Step("/api/v4/files", "upload"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "town-square",
                "~town-square",
                "CHAN567890123456789012ABCD",
                "chan567890123456789012abcde",
                "chan567890123456789012abcd/",
                "chan567890123456789012abcd/root"
            })
    void knowsWhatIsNoRecipient(String to) {
        assertThat(channel().refusal(to)).startsWith("to is no recipient on Mattermost");
    }

    @Test
    void writesToAThread() throws Exception {
        answer(file.ok("").answer());
        var unused = channel().send(message("chan567890123456789012abcd/root567890123456789012abcd"));

        assertThat(file.violations(bodySchema(), requests().get(0).getBodyAsString()))
                .isEmpty();
        assertThat(body(0).path("channel_id").textValue()).isEqualTo("chan567890123456789012abcd");
        assertThat(body(0).path("root_id").textValue()).isEqualTo("root567890123456789012abcd");
    }

    @Test
    void saysThatTheThreadIsGone() {
        answer(status(400).withBody("{\"id\":\"api.post.create_post.root_id.app_error\",\"status_code\":400}"));

        assertThat(send())
                .isEqualTo(
                        new Refused("Mattermost refused the message (api.post.create_post.root_id.app_error): the post"
                                + " that began the thread is gone"));
    }

    @Test
    void repeatsWithTheSameId() throws Exception {
        answer(file.ok("").answer());
        var first = send();
        var second = send();

        assertThat(second).isEqualTo(first);
        assertThat(body(0).path("pending_post_id").textValue()).isEqualTo("dlv_1.2");
        assertThat(body(1)).isEqualTo(body(0));
    }

    @ParameterizedTest
    @CsvSource({"7,7", "0,0", "1795323630,30", "1441983590,0", "99999,3600"})
    void waitsUntilTheLimitIsReset(String header, long seconds) {
        answer(aResponse().withStatus(429).withHeader("X-Ratelimit-Reset", header));

        assertThat(((Later) send()).pause()).isEqualTo(Duration.ofSeconds(seconds));
    }

    @Test
    void waitsByItselfWhereTheResetCanNotBeRead() {
        answer(aResponse().withStatus(429).withHeader("X-Ratelimit-Reset", "soon"));

        assertThat(((Later) send()).pause()).isNull();
    }

    @Test
    void isSentWhereTheAnswerSaysNothingMore() {
        answer(aResponse().withStatus(201).withBody("x".repeat(600 * 1024)));

        assertThat(send()).isEqualTo(new Sent(null));
    }

    @Test
    void saysWhatToDoWhereTheBotIsNotLetIn() {
        answer(aResponse()
                .withStatus(403)
                .withBody("{\"id\":\"api.context.permissions.app_error\",\"message\":\"x\"}"));

        assertThat(send())
                .isEqualTo(new Refused("Mattermost refused the message (api.context.permissions.app_error): let the bot"
                        + " into the channel"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "<html>", "{\"id\":\"x\"}"})
    void isUnsureOfAnAnswerThatIsNotMattermosts(String body) {
        answer(okJson(body));

        assertThat(send()).isInstanceOf(Unsure.class);
    }

    @Test
    void asksWhoseTheTokenIs() {
        answer(okJson("{\"id\":\"user567890123456789012abcd\",\"username\":\"postern\"}"));

        assertThat(channel().probe()).isEqualTo(new Probe.Good("postern"));
        assertThat(requests().get(0).getUrl()).isEqualTo("/api/v4/users/me");
        assertThat(requests().get(0).getHeader("Authorization")).isEqualTo("Bearer " + SECRET);
    }

    @Test
    void saysThatTheTokenIsNotGood() {
        answer(aResponse()
                .withStatus(401)
                .withBody("{\"id\":\"api.context.session_expired.app_error\",\"message\":\"x\"}"));

        assertThat(channel().probe())
                .isEqualTo(new Probe.Bad("Mattermost refused the token (api.context.session_expired.app_error): set"
                        + " channels.ops.botToken"));
    }

    @Test
    void sendsAFileAsMattermostDescribesIt() throws Exception {
        answerFile(file.ok("file").answer());
        var unused = sendFile("chan567890123456789012abcd/root567890123456789012abcd");

        LoggedRequest upload = requests().get(0);
        assertThat(upload.getUrl()).isEqualTo("/api/v4/files");
        assertThat(upload.getHeader("Authorization")).isEqualTo("Bearer " + SECRET);
        assertThat(file.violations(
                        "/paths/~1api~1v4~1files/post/requestBody/content/multipart~1form-data/schema",
                        fields(upload).toString()))
                .isEmpty();
        assertThat(fields(upload).path("channel_id").textValue()).isEqualTo("chan567890123456789012abcd");
        assertIsFile(upload, "files");
        assertThat(file.violations(bodySchema(), body(1).toString())).isEmpty();
        assertThat(body(1).path("root_id").textValue()).isEqualTo("root567890123456789012abcd");
        assertThat(body(1).path("file_ids")).hasToString("[\"file567890123456789012abcd\"]");
        assertThat(body(1).path("pending_post_id").textValue()).isEqualTo("dlv_1.2");
        assertThat(body(1).path("message").textValue()).isEmpty();
    }

    @Test
    void saysThatTheServerTakesNoFiles() {
        answerFile(file.ok("file").answer());
        server.stubFor(any(urlEqualTo("/api/v4/files"))
                .willReturn(
                        aResponse().withStatus(403).withBody("{\"id\":\"api.file.attachments.disabled.app_error\"}")));

        assertThat(sendFile())
                .isEqualTo(
                        new Refused("Mattermost refused the file (api.file.attachments.disabled.app_error): the server"
                                + " takes no files"));
    }

    @Test
    void asksForNoPreviewOfLinks() throws Exception {
        answer(file.ok("").answer());
        var unused = send();

        assertThat(body(0).path("props")).hasToString("{\"attachments\":[]}");
    }
}
