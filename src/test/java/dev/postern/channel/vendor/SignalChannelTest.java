package dev.postern.channel.vendor;

import static com.github.tomakehurst.wiremock.client.WireMock.aResponse;
import static com.github.tomakehurst.wiremock.client.WireMock.okJson;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.postern.channel.Channel;
import dev.postern.channel.Channel.Outcome;
import dev.postern.channel.Channel.Outcome.Later;
import dev.postern.channel.Channel.Outcome.Refused;
import dev.postern.channel.Channel.Outcome.Sent;
import dev.postern.channel.Channel.Outcome.Unsure;
import dev.postern.channel.Channel.Probe;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SignalChannelTest extends VendorContract {

    private static final String ACCOUNT = "+431212131491291";

    @Override
    String kind() {
        return "signal";
    }

    /** A name without a secret, because the server needs no credential. */
    @Override
    String credential() {
        return "none";
    }

    @Override
    Map<String, String> options() {
        return Map.of("account", ACCOUNT);
    }

    @Override
    Channel impatient(ChannelEntry entry) {
        return new SignalChannel(entry, http().withTimeout(Duration.ofMillis(300)));
    }

    @Override
    String to() {
        return "+4915112345678";
    }

    @Override
    String path() {
        return "/v2/send";
    }

    @Override
    Map<String, String> credentialHeader() {
        return Map.of();
    }

    @Override
    String bodySchema() {
        return "/definitions/api.SendMessageV2";
    }

    @Override
    String messageId(JsonNode body) {
        return body.path("timestamp").textValue();
    }

    private static String group(int bytes) {
        String once = Base64.getEncoder().encodeToString(new byte[bytes]);
        return "group." + Base64.getEncoder().encodeToString(once.getBytes(StandardCharsets.UTF_8));
    }

    private Outcome failing(String text) {
        answer(aResponse()
                .withStatus(400)
                .withBody(VendorFile.JSON.createObjectNode().put("error", text).toString()));
        return send();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "Ada",
                "4915112345678",
                "+49 151 12345678",
                "+0151123456",
                "ada@example.org",
                "ada.x",
                "group.",
                "group.ABC=",
                "group.!",
                "01234567-89ab-cdef-0123"
            })
    void knowsWhatIsNoRecipient(String to) {
        assertThat(channel().refusal(to)).startsWith("to is no recipient on Signal");
    }

    @Test
    void knowsAGroupByTheLengthOfItsId() {
        assertThat(channel().refusal(group(32))).isNull();
        assertThat(channel().refusal(group(31))).isNotNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"+4915112345678", "01234567-89ab-cdef-0123-456789ABCDEF", "ada_l.042", "group.01"})
    void writesToOneRecipientAlone(String to) throws Exception {
        answer(file.ok("").answer());
        var unused = channel().send(message(to));

        JsonNode body = body(0);
        assertThat(body.path("recipients")).hasSize(1);
        assertThat(body.at("/recipients/0").textValue()).isEqualTo(to);
    }

    @Test
    void alwaysSaysHowTheTextIsToBeRead() throws Exception {
        answer(file.ok("").answer());
        var unused = send();

        JsonNode body = body(0);
        assertThat(body.path("text_mode").textValue()).isEqualTo("styled");
        assertThat(body.path("number").textValue()).isEqualTo(ACCOUNT);
    }

    @Test
    void understandsTheAnswerOfLaterServers() {
        answer(aResponse().withStatus(201).withBody("[{\"timestamp\":\"1700000000000\"}]"));

        assertThat(send()).isEqualTo(new Sent("1700000000000"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "User +431212131491291 is not registered.\n",
                "Specified account does not exist",
                "Couldn't process request - please provide a valid number"
            })
    void saysThatTheAccountIsNotRegistered(String text) {
        assertThat(failing(text)).isInstanceOf(Refused.class);
        assertThat(reason(failing(text))).startsWith("channels.ops.account is not registered");
    }

    @ParameterizedTest
    @CsvSource({
        "Failed to send message due to untrusted identities,safety number has changed",
        "Unregistered user \"+4912812812121\",the recipient is not registered",
        "Cannot send message to group - please first update your profile.,give the account a name"
    })
    void saysWhatToDoAboutALastingFault(String text, String advice) {
        assertThat(failing(text)).isInstanceOf(Refused.class);
        assertThat(reason(failing(text))).contains(advice);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Failed to send message due to rate limiting",
                "Failed to send message: [413] Rate limit exceeded: 413 (RateLimitException)"
            })
    void triesAgainAfterALimitThatHasNoStatusOfItsOwn(String text) {
        assertThat(failing(text)).isInstanceOf(Later.class);
    }

    @Test
    void isUnsureOfWhatTheTextDoesNotTell() {
        assertThat(failing("Failed to send message")).isInstanceOf(Unsure.class);
        assertThat(failing("")).isInstanceOf(Unsure.class);
        answer(status(400));
        assertThat(send()).isInstanceOf(Unsure.class);
        answer(okJson("{}"));
        assertThat(send()).isInstanceOf(Unsure.class);
    }

    @ParameterizedTest
    @ValueSource(ints = {401, 403})
    void saysThatSomethingAsksForCredentials(int status) {
        answer(status(status));

        assertThat(send()).isInstanceOf(Refused.class);
        assertThat(reason(send())).contains("asks for credentials");
    }

    @Test
    void asksWhetherTheAccountIsRegistered() {
        answer(okJson("[\"+1234567\",\"" + ACCOUNT + "\"]"));
        assertThat(channel().probe()).isEqualTo(new Probe.Good(ACCOUNT));
        assertThat(requests().get(0).getUrl()).isEqualTo("/v1/accounts");

        answer(okJson("[]"));
        assertThat(((Probe.Bad) channel().probe()).reason()).startsWith("channels.ops.account is not registered");

        answer(okJson("{}"));
        assertThat(((Probe.Bad) channel().probe()).reason()).contains("check channels.ops.baseUrl");
    }
}
