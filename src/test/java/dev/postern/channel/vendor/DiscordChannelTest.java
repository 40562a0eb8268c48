package dev.postern.channel.vendor;

import static com.github.tomakehurst.wiremock.client.WireMock.aResponse;
import static com.github.tomakehurst.wiremock.client.WireMock.okJson;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.github.tomakehurst.wiremock.verification.LoggedRequest;
import dev.postern.channel.Channel.Message;
import dev.postern.channel.Channel.Outcome.Later;
import dev.postern.channel.Channel.Outcome.Refused;
import dev.postern.channel.Channel.Outcome.Unsure;
import dev.postern.channel.Channel.Probe;
import dev.postern.model.RunState;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DiscordChannelTest extends FileContract {

    @Override
    String kind() {
        return "discord";
    }

    @Override
    String credential() {
        return "botToken";
    }

    @Override
    String to() {
        return "1046111111111111111";
    }

    @Override
    String path() {
        return "/channels/1046111111111111111/messages";
    }

    @Override
    Map<String, String> credentialHeader() {
        return Map.of("Authorization", "Bot " + SECRET);
    }

    @Override
    String bodySchema() {
        return "/components/schemas/MessageCreateRequest";
    }

    @Override
    String messageId(JsonNode body) {
        return body.path("id").textValue();
    }

    @Override
    String agent() {
        return "DiscordBot (https://postern.dev, 1.2.3)";
    }

    @Override
    String filePath() {
        return path();
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
                "#ops",
                "-1",
                "01",
                "<#1046111111111111111>",
                "../users",
                "123456789012345678901",
                "1/",
                "1/2/3"
            })
    void knowsWhatIsNoRecipient(String to) {
        assertThat(channel().refusal(to)).startsWith("to is no recipient on Discord");
    }

    @Test
    void writesToAThread() {
        var unused = channel().send(message("1046111111111111111/1047222222222222222"));

        assertThat(requests().get(0).getUrl()).isEqualTo("/channels/1047222222222222222/messages");
    }

    @Test
    void everyCodeMeansWhatTheListSays() {
        file.at("/x-error-codes/codes").properties().forEach(code -> {
            answer(aResponse().withStatus(400).withBody("{\"code\":" + code.getKey() + ",\"message\":\"no\"}"));
            var outcome = send();
            String expected = code.getValue().textValue();
            assertThat(outcome)
                    .as(code.getKey())
                    .isInstanceOf(expected.startsWith("retry") ? Later.class : Refused.class);
            assertThat(reason(outcome).contains("channels.ops.botToken")).isEqualTo(expected.startsWith("auth"));
            assertThat(reason(outcome)).contains("(" + code.getKey() + ")");
        });
    }

    @Test
    void repeatsWithTheSameNonce() throws Exception {
        answer(file.ok("").answer());
        for (int number : new int[] {1, 1, 2}) {
            var unused = channel()
                    .send(new Message(
                            "dlv_1", null, RunState.SUCCEEDED, "main", to(), CREATED, number, 2, TEXT, false));
        }

        String nonce = body(0).path("nonce").textValue();
        assertThat(nonce).hasSizeLessThanOrEqualTo(25).hasSizeGreaterThan(20);
        assertThat(body(1).path("nonce").textValue()).isEqualTo(nonce);
        assertThat(body(2).path("nonce").textValue()).isNotEqualTo(nonce);
        assertThat(body(0).path("enforce_nonce").booleanValue()).isTrue();
    }

    @Test
    void pingsNobodyAndAsksForNoPreviewOfLinks() throws Exception {
        answer(file.ok("").answer());
        var unused = send();

        assertThat(body(0).path("allowed_mentions")).hasToString("{\"parse\":[]}");
        assertThat(body(0).path("flags").intValue()).isEqualTo(4);
    }

    @Test
    void waitsForTheLongerOfTwoTimes() {
        answer(aResponse().withStatus(429).withHeader("Retry-After", "1").withBody("{\"retry_after\":2.5}"));
        assertThat(((Later) send()).pause()).isEqualTo(Duration.ofMillis(2500));

        answer(aResponse().withStatus(429).withHeader("Retry-After", "3").withBody("{\"retry_after\":2.5}"));
        assertThat(((Later) send()).pause()).isEqualTo(Duration.ofSeconds(3));

        answer(aResponse().withStatus(429).withBody("{\"retry_after\":1e300}"));
        assertThat(((Later) send()).pause()).isEqualTo(Duration.ofHours(1));
    }

    @Test
    void pausesTheWholeChannelForAGlobalLimit() {
        answer(aResponse().withStatus(429).withBody("{\"retry_after\":2.5,\"global\":true}"));

        assertThat(((Later) send()).wholeChannel()).isTrue();
    }

    @Test
    void triesAgainWhenMessagesAreSwitchedOffForAWhile() {
        answer(aResponse().withStatus(403).withBody("{\"code\":40004}"));

        assertThat(send()).isInstanceOf(Later.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "<html>", "[]", "{}", "{\"id\":null}"})
    void isUnsureOfAnAnswerThatIsNotDiscords(String body) {
        answer(okJson(body));

        assertThat(send()).isInstanceOf(Unsure.class);
    }

    @Test
    void asksWhoseTheTokenIs() {
        answer(okJson("{\"id\":\"1\",\"username\":\"postern\"}"));

        assertThat(channel().probe()).isEqualTo(new Probe.Good("postern"));
        assertThat(requests().get(0).getUrl()).isEqualTo("/users/@me");
        assertThat(requests().get(0).getHeader("Authorization")).isEqualTo("Bot " + SECRET);
    }

    @Test
    void saysThatTheTokenIsNotGood() {
        answer(aResponse().withStatus(401).withBody("{\"code\":0,\"message\":\"401: Unauthorized\"}"));

        assertThat(channel().probe())
                .isEqualTo(new Probe.Bad("Discord refused the token (status 401): set channels.ops.botToken"));
    }

    @Test
    void sendsAFileAsDiscordDescribesIt() {
        answerFile(file.ok("file").answer());
        var unused = sendFile("1046111111111111111/1047222222222222222");

        LoggedRequest request = requests().get(0);
        JsonNode message = fields(request).path("payload_json");
        assertThat(request.getUrl()).isEqualTo("/channels/1047222222222222222/messages");
        assertThat(file.violations(bodySchema(), message.toString())).isEmpty();
        assertThat(message.path("attachments")).hasToString("[{\"id\":\"0\",\"filename\":\"code-1.py\"}]");
        assertThat(message.path("allowed_mentions")).hasToString("{\"parse\":[]}");
        assertThat(message.path("enforce_nonce").booleanValue()).isTrue();
        assertThat(message.path("nonce").textValue()).hasSizeLessThanOrEqualTo(25);
        assertIsFile(request, "files[0]");
    }

    @Test
    void saysThatTheBotMayAttachNoFiles() {
        answerFile(aResponse().withStatus(403).withBody("{\"code\":50013,\"message\":\"x\"}"));

        assertThat(sendFile())
                .isEqualTo(new Refused(
                        "Discord refused the file (50013): give the bot the permission Attach Files in the channel"));
    }
}
