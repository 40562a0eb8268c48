package dev.postern.channel.vendor;

import static com.github.tomakehurst.wiremock.client.WireMock.aResponse;
import static com.github.tomakehurst.wiremock.client.WireMock.okJson;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.postern.channel.Channel.Outcome;
import dev.postern.channel.Channel.Outcome.Later;
import dev.postern.channel.Channel.Outcome.Refused;
import dev.postern.channel.Channel.Outcome.Unsure;
import dev.postern.channel.Channel.Probe;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class WhatsAppChannelTest extends VendorContract {

    private static final String GROUP = "Y2FwaV9ncm91cDoxNzA1NTU1MDEzOToxMjAzNjM0MDQ2OTQyMzM4MjAZD";

    @Override
    String kind() {
        return "whatsapp";
    }

    @Override
    String credential() {
        return "accessToken";
    }

    @Override
    Map<String, String> options() {
        return Map.of("phoneNumberId", "106540352242922");
    }

    @Override
    String to() {
        return "+16505551234";
    }

    @Override
    String path() {
        return "/106540352242922/messages";
    }

    @Override
    Map<String, String> credentialHeader() {
        return Map.of("Authorization", "Bearer " + SECRET);
    }

    @Override
    String bodySchema() {
        return "/components/schemas/Message";
    }

    @Override
    String messageId(JsonNode body) {
        return body.at("/messages/0/id").textValue();
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
                "0151 12345678",
                "015112345678",
                "+49 151 12345678",
                "+4915112345678901",
                "ada@example.org",
                "120363040469423382@g.us",
                "1234567890123456789012"
            })
    void knowsWhatIsNoRecipient(String to) {
        assertThat(channel().refusal(to)).startsWith("to is no recipient on WhatsApp");
    }

    @ParameterizedTest
    @CsvSource({"+4915112345678,individual", "4915112345678,individual", GROUP + ",group"})
    void writesToAPersonOrAGroup(String to, String type) throws Exception {
        answer(file.ok("").answer());
        var unused = channel().send(message(to));

        String asked = requests().get(0).getBodyAsString();
        assertThat(file.violations(bodySchema(), asked)).isEmpty();
        JsonNode body = VendorFile.JSON.readTree(asked);
        assertThat(body.path("to").textValue()).isEqualTo(to);
        assertThat(body.path("recipient_type").textValue()).isEqualTo(type);
        assertThat(body.at("/text/preview_url").booleanValue()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(ints = {400, 429, 500})
    void everyCodeMeansWhatTheListSaysWhateverTheStatus(int status) {
        file.at("/x-error-codes/codes").properties().forEach(each -> {
            String code = each.getKey().equals("200-299") ? "200" : each.getKey();
            Outcome outcome = failing(status, "{\"code\":" + code + "}");
            String expected = each.getValue().textValue().split(" ", 2)[0];
            assertThat(outcome).as(each.getKey()).isInstanceOf(expected.equals("retry") ? Later.class : Refused.class);
            assertThat(reason(outcome)).contains("(" + code + ")");
            assertThat(reason(outcome).contains("set channels.ops.accessToken")).isEqualTo(expected.equals("auth"));
            assertThat(reason(outcome).contains("restricted the account")).isEqualTo(expected.equals("hold"));
        });
    }

    @Test
    void takesTheServicesWordThatAnUnknownFaultPasses() {
        assertThat(failing(400, "{\"code\":999999,\"is_transient\":true}")).isInstanceOf(Later.class);
        assertThat(failing(400, "{\"code\":999999,\"is_transient\":false}")).isInstanceOf(Refused.class);
    }

    @Test
    void saysThatAPersonHasToWriteFirst() {
        assertThat(reason(failing(400, "{\"code\":131047}"))).contains("(131047): the recipient has to write first");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "<html>", "{}", "{\"messages\":[]}", "{\"messages\":[{\"id\":null}]}"})
    void isUnsureOfAnAnswerThatIsNotWhatsApps(String body) {
        answer(okJson(body));

        assertThat(send()).isInstanceOf(Unsure.class);
    }

    @Test
    void asksForTheNumberThatSends() {
        answer(okJson("{\"verified_name\":\"Acme\",\"display_phone_number\":\"+1 650-555-1234\",\"id\":\"1\"}"));

        assertThat(channel().probe()).isEqualTo(new Probe.Good("+1 650-555-1234"));
        assertThat(requests().get(0).getUrl()).isEqualTo("/106540352242922");
        assertThat(requests().get(0).getHeader("Authorization")).isEqualTo("Bearer " + SECRET);
    }

    @Test
    void saysWhetherTheTokenOrTheNumberIsNotGood() {
        answer(aResponse().withStatus(401).withBody("{\"error\":{\"code\":190}}"));
        assertThat(channel().probe())
                .isEqualTo(new Probe.Bad("WhatsApp refused the access token (190): set channels.ops.accessToken"));

        answer(aResponse().withStatus(400).withBody("{\"error\":{\"code\":100,\"error_subcode\":33}}"));
        assertThat(((Probe.Bad) channel().probe()).reason()).contains("(100): set channels.ops.phoneNumberId");
    }
}
