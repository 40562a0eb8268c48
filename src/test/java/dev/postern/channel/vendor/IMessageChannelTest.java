package dev.postern.channel.vendor;

import static com.github.tomakehurst.wiremock.client.WireMock.aResponse;
import static com.github.tomakehurst.wiremock.client.WireMock.okJson;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.postern.channel.Channel;
import dev.postern.channel.Channel.Outcome;
import dev.postern.channel.Channel.Outcome.Later;
import dev.postern.channel.Channel.Outcome.Unsure;
import dev.postern.channel.Channel.Probe;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class IMessageChannelTest extends VendorContract {

    @Override
    String kind() {
        return "imessage";
    }

    @Override
    String credential() {
        return "password";
    }

    @Override
    Channel impatient(ChannelEntry entry) {
        return new IMessageChannel(entry, http().withTimeout(Duration.ofMillis(300)));
    }

    @Override
    String to() {
        return "iMessage;-;+14155550100";
    }

    @Override
    String path() {
        return "/api/v1/message/text?password=7%3Amarzipan-and-quince";
    }

    @Override
    Map<String, String> credentialHeader() {
        return Map.of();
    }

    @Override
    String bodySchema() {
        return "/paths/~1api~1v1~1message~1text/post/requestBody/content/application~1json/schema";
    }

    @Override
    String messageId(JsonNode body) {
        return body.at("/data/guid").textValue();
    }

    private Outcome failing(int status, String error) {
        answer(aResponse().withStatus(status).withBody("{\"error\":" + error + "}"));
        return send();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "Ada",
                "4155550100",
                "+1 415 555 0100",
                "ada@",
                "a@b@c",
                "chat1234567890",
                "iMessage;-;",
                "iMessage;*;x",
                "iMessage;-;a b",
                "iMessage;-;a;b"
            })
    void knowsWhatIsNoRecipient(String to) {
        assertThat(channel().refusal(to)).startsWith("to is no recipient of iMessage");
    }

    @ParameterizedTest
    @CsvSource({
        "+14155550100,iMessage;-;+14155550100",
        "ada@example.org,iMessage;-;ada@example.org",
        "iMessage;+;chat1234567890,iMessage;+;chat1234567890",
        "SMS;-;+14155550100,SMS;-;+14155550100",
        "any;-;ada@example.org,any;-;ada@example.org"
    })
    void writesToAPersonOrAChat(String to, String chat) throws Exception {
        answer(file.ok("").answer());
        var unused = channel().send(message(to));

        JsonNode body = body(0);
        assertThat(body.path("chatGuid").textValue()).isEqualTo(chat);
    }

    @Test
    void namesEachAttemptAtAMessageAlike() throws Exception {
        answer(file.ok("").answer());
        var first = send();
        var second = send();

        assertThat(first).isEqualTo(second);
        assertThat(requests()).hasSize(2).allMatch(request -> request.getBodyAsString()
                .contains("\"tempGuid\":\"dlv_1.2\""));
    }

    @Test
    void waitsLongerThanTheServerDoes() {
        assertThat(IMessageChannel.TIMEOUT).isGreaterThan(Duration.ofMinutes(2));
    }

    @Test
    void saysThatAnEarlierAttemptIsUnderWay() {
        Outcome outcome = failing(
                400, "{\"type\":\"Validation Error\",\"message\":\"Message is already queued to be sent! (x)\"}");

        assertThat(reason(outcome)).contains("an earlier attempt at it is still under way");
    }

    @Test
    void isUnsureOnceMessagesMayHaveBegun() {
        assertThat(failing(500, "{\"type\":\"iMessage Error\",\"message\":\"x\"}"))
                .isInstanceOf(Unsure.class);
        assertThat(failing(504, "{\"type\":\"Gateway Timeout\",\"message\":\"x\"}"))
                .isInstanceOf(Unsure.class);
        assertThat(failing(500, "{\"type\":\"Server Error\",\"message\":\"x\"}"))
                .isInstanceOf(Later.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "<html>", "{}", "{\"data\":null}", "{\"data\":\"pong\"}"})
    void isUnsureOfAnAnswerThatIsNotTheServers(String body) {
        answer(okJson(body));

        assertThat(send()).isInstanceOf(Unsure.class);
        assertThat(channel().probe()).isInstanceOf(Probe.Bad.class);
    }

    @Test
    void asksWhoIsSignedIn() {
        answer(okJson("{\"status\":200,\"data\":{\"detected_imessage\":\"ada@example.org\"}}"));

        assertThat(channel().probe()).isEqualTo(new Probe.Good("ada@example.org"));
        assertThat(requests().get(0).getUrl()).isEqualTo("/api/v1/server/info?password=7%3Amarzipan-and-quince");
    }

    @Test
    void saysThatThePasswordIsNotGood() {
        answer(status(401));

        assertThat(channel().probe())
                .isEqualTo(new Probe.Bad("BlueBubbles refused the password (status 401): set channels.ops.password"));
    }
}
