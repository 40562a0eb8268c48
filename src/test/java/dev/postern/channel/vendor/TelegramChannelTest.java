package dev.postern.channel.vendor;

import static com.github.tomakehurst.wiremock.client.WireMock.aResponse;
import static com.github.tomakehurst.wiremock.client.WireMock.matchingJsonPath;
import static com.github.tomakehurst.wiremock.client.WireMock.okJson;
import static com.github.tomakehurst.wiremock.client.WireMock.post;
import static com.github.tomakehurst.wiremock.client.WireMock.urlEqualTo;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.github.tomakehurst.wiremock.client.ResponseDefinitionBuilder;
import dev.postern.channel.Channel.Message;
import dev.postern.channel.Channel.Outcome.Refused;
import dev.postern.channel.Channel.Outcome.Sent;
import dev.postern.channel.Channel.Outcome.Unsure;
import dev.postern.channel.Channel.Probe;
import dev.postern.model.RunState;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TelegramChannelTest extends VendorContract {

    private static final String OK = "{\"ok\":true,\"result\":{\"message_id\":7,\"date\":1,\"chat\":{\"id\":1}}}";

    @Override
    String kind() {
        return "telegram";
    }

    @Override
    String credential() {
        return "botToken";
    }

    @Override
    String to() {
        return "-1001234567890";
    }

    @Override
    String path() {
        return "/bot" + SECRET + "/sendMessage";
    }

    @Override
    Map<String, String> credentialHeader() {
        return Map.of();
    }

    @Override
    String bodySchema() {
        return "/paths/~1bot{token}~1sendMessage/post/requestBody/content/application~1json/schema";
    }

    @Override
    String messageId(JsonNode body) {
        return body.at("/result/message_id").asText();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "ops",
                "0",
                "-",
                "--1",
                "1.5",
                "12345678901234567",
                "@",
                "@a b",
                "+491701234567",
                "@1234",
                "1/",
                "1/0",
                "1#",
                "1#x"
            })
    void knowsWhatIsNoRecipient(String to) {
        assertThat(channel().refusal(to)).startsWith("to is no recipient on Telegram");
    }

    @ParameterizedTest
    @CsvSource({"123456789,123456789", "-1001234567890,-1001234567890", "@ops_team,'\"@ops_team\"'"})
    void writesToANumberOrAName(String to, String sent) throws Exception {
        answer(okJson(OK));
        var unused = channel().send(message(to));

        assertThat(body(0).path("chat_id")).hasToString(sent);
    }

    @Test
    void asksForHtmlAndForNoPreviewOfLinks() throws Exception {
        answer(okJson(OK));
        var unused = send();

        assertThat(body(0).path("parse_mode").textValue()).isEqualTo("HTML");
        assertThat(body(0).at("/link_preview_options/is_disabled").booleanValue())
                .isTrue();
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {
                "-1001234567890/42,-1001234567890,42,-",
                "'-1001234567890/42#1337',-1001234567890,42,1337",
                "'@ops_team#1337','\"@ops_team\"',-,1337"
            })
    void writesToATopicOrAnswersAMessage(String to, String chat, String topic, String answered) throws Exception {
        answer(okJson(OK));
        var unused = channel().send(message(to));

        JsonNode body = body(0);
        assertThat(file.violations(bodySchema(), body.toString())).isEmpty();
        assertThat(body.path("chat_id")).hasToString(chat);
        assertThat(body.path("message_thread_id").asText(null)).isEqualTo(topic);
        assertThat(body.at("/reply_parameters/message_id").asText(null)).isEqualTo(answered);
        assertThat(body.at("/reply_parameters/allow_sending_without_reply").asBoolean())
                .isEqualTo(answered != null);
    }

    @Test
    void sendsPlainTextOnceMoreWhereTheMarkupIsNotUnderstood() throws Exception {
        answer(refusal("Bad Request: can't parse entities: Unsupported start tag", ""));
        server.stubFor(post(urlEqualTo(path()))
                .withRequestBody(matchingJsonPath("$[?(!@.parse_mode)]"))
                .willReturn(okJson(OK)));
        String html =
                "<b>1 &lt; 2</b> &amp;amp; <a href=\"https://a.example/?x\"><i>right</i> here</a> <pre><code class=\"language-java\">"
                        + "a &lt;b&gt; c</code></pre> 3 < 4";

        assertThat(channel()
                        .send(new Message("dlv_1", null, RunState.SUCCEEDED, "main", to(), CREATED, 1, 1, html, false)))
                .isEqualTo(new Sent("7"));
        assertThat(body(1).path("text").textValue())
                .isEqualTo("1 < 2 &amp; right here (https://a.example/?x) a <b> c 3 < 4");
        assertThat(requests()).hasSize(2);
    }

    @Test
    void followsAGroupThatHasBecomeASupergroup() throws Exception {
        answer(refusal("Bad Request: group chat was upgraded", ",\"parameters\":{\"migrate_to_chat_id\":-100777}"));
        server.stubFor(post(urlEqualTo(path()))
                .withRequestBody(matchingJsonPath("$[?(@.chat_id == -100777)]"))
                .willReturn(okJson(OK)));

        assertThat(send()).isEqualTo(new Sent("7"));
        assertThat(body(1).path("parse_mode").textValue()).isEqualTo("HTML");
        assertThat(requests()).hasSize(2);
    }

    @Test
    void followsOnceOnly() {
        answer(refusal("Bad Request: group chat was upgraded", ",\"parameters\":{\"migrate_to_chat_id\":-100777}"));

        assertThat(send()).isInstanceOf(Refused.class);
        assertThat(requests()).hasSize(2);
    }

    @Test
    void saysWhatToDoWhereTheChatIsUnknown() {
        answer(refusal("Bad Request: chat not found", ""));

        assertThat(send())
                .isEqualTo(new Refused("Telegram refused the message (400): there is no such chat, or nobody there has"
                        + " written to the bot yet"));
    }

    @Test
    void doesNotTakeAnotherServersNotFoundForABadToken() {
        answer(status(404));

        assertThat(reason(send())).contains("check channels.ops.baseUrl").doesNotContain("botToken");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "<html>", "{}", "{\"ok\":\"true\"}", "{\"ok\":false}"})
    void isUnsureOfAnAnswerThatIsNotTelegrams(String body) {
        answer(okJson(body));

        assertThat(send()).isInstanceOf(Unsure.class);
    }

    @Test
    void asksWhoseTheTokenIs() {
        answer(okJson("{\"ok\":true,\"result\":{\"id\":7,\"is_bot\":true,\"username\":\"postern_bot\"}}"));

        assertThat(channel().probe()).isEqualTo(new Probe.Good("postern_bot"));
        assertThat(requests().get(0).getUrl()).isEqualTo("/bot" + SECRET + "/getMe");
    }

    @Test
    void saysThatTheTokenIsNotGood() {
        answer(aResponse()
                .withStatus(401)
                .withBody("{\"ok\":false,\"error_code\":401,\"description\":\"Unauthorized\"}"));

        assertThat(channel().probe())
                .isEqualTo(new Probe.Bad("Telegram refused the token (401): set channels.ops.botToken"));
    }

    private static ResponseDefinitionBuilder refusal(String description, String more) {
        return aResponse()
                .withStatus(400)
                .withBody("{\"ok\":false,\"error_code\":400,\"description\":\"" + description + "\"" + more + "}");
    }
}
