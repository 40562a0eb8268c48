package dev.postern.channel.vendor;

import static com.github.tomakehurst.wiremock.client.WireMock.okJson;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.postern.channel.Channel.Outcome.Refused;
import dev.postern.channel.Channel.Outcome.Unsure;
import dev.postern.channel.Channel.Probe;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SlackChannelTest extends VendorContract {

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
                    .isEqualTo(expected.equals("permanent") || expected.equals("auth") ? "Refused" : "Later");
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
}
