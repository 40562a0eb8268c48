package dev.postern.channel.vendor;

import static com.github.tomakehurst.wiremock.client.WireMock.aResponse;
import static com.github.tomakehurst.wiremock.client.WireMock.matchingJsonPath;
import static com.github.tomakehurst.wiremock.client.WireMock.okJson;
import static com.github.tomakehurst.wiremock.client.WireMock.post;
import static com.github.tomakehurst.wiremock.client.WireMock.urlEqualTo;
import static com.github.tomakehurst.wiremock.stubbing.Scenario.STARTED;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.github.tomakehurst.wiremock.client.ResponseDefinitionBuilder;
import com.github.tomakehurst.wiremock.verification.LoggedRequest;
import dev.postern.channel.Channel.Message;
import dev.postern.channel.Channel.Outcome.Refused;
import dev.postern.channel.Channel.Outcome.Sent;
import dev.postern.channel.Channel.Outcome.Unsure;
import dev.postern.channel.Channel.Probe;
import dev.postern.model.RunState;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TelegramChannelTest extends FileContract {

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

    @Override
    String filePath() {
        return "/bot" + SECRET + "/sendDocument";
    }

    @Override
    String fileMessageId(JsonNode body) {
        return messageId(body);
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
                "-1001234567890/1,-1001234567890,-,-",
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

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '"',
            value = {
                "-1001234567890/42;{'chat_id':-1001234567890,'message_thread_id':42,",
                "123456789#1337;{'chat_id':123456789,'reply_parameters':{'message_id':1337,"
                        + "'allow_sending_without_reply':true},",
                "@ops;{'chat_id':'@ops',"
            })
    void sendsAFileAsTelegramDescribesIt(String to, String place) {
        answerFile(file.ok("file").answer());
        var unused = sendFile(to);

        LoggedRequest request = requests().get(0);
        JsonNode fields = fields(request);
        assertThat(file.violations(
                        "/paths/~1bot{token}~1sendDocument/post/requestBody/content/multipart~1form-data/schema",
                        fields.toString()))
                .isEmpty();
        assertThat(fields.toString()).contains("\"disable_content_type_detection\":true");
        JsonNode there = ((ObjectNode) fields).without(List.of("document", "disable_content_type_detection"));
        assertThat(there.toString().replace('"', '\'')).isEqualTo(place.substring(0, place.length() - 1) + "}");
        assertIsFile(request, "document");
    }

    @Test
    void sendsAFileToTheSupergroupThatAGroupHasBecome() {
        answerFile(okJson(OK));
        server.stubFor(post(urlEqualTo(filePath()))
                .inScenario("move")
                .whenScenarioStateIs(STARTED)
                .willReturn(aResponse()
                        .withStatus(400)
                        .withBody("{\"ok\":false,\"error_code\":400,\"description\":\"x\","
                                + "\"parameters\":{\"migrate_to_chat_id\":-1007}}"))
                .willSetStateTo("moved"));

        assertThat(sendFile()).isEqualTo(new Sent("7"));
        assertThat(fields(shown().get(1)).path("chat_id").longValue()).isEqualTo(-1007);
    }

    @Test
    void saysThatTheBotMaySendNoFiles() {
        answerFile(aResponse()
                .withStatus(400)
                .withBody("{\"ok\":false,\"error_code\":400,"
                        + "\"description\":\"Bad Request: not enough rights to send documents to the chat\"}"));

        assertThat(sendFile())
                .isEqualTo(new Refused("Telegram refused the file (400): let the bot send files in the chat"));
    }
}
