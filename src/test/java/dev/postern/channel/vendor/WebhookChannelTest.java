package dev.postern.channel.vendor;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.github.tomakehurst.wiremock.verification.LoggedRequest;
import dev.postern.channel.Channel.Message;
import dev.postern.channel.Channel.Outcome;
import dev.postern.channel.Channel.Outcome.Later;
import dev.postern.channel.Channel.Outcome.Refused;
import dev.postern.channel.Channel.Outcome.Sent;
import dev.postern.channel.Channel.Probe;
import dev.postern.config.Settings;
import dev.postern.model.RunState;
import dev.postern.model.Secret;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WebhookChannelTest extends VendorContract {

    private static final String KEY = Base64.getEncoder().encodeToString(SECRET.getBytes(StandardCharsets.UTF_8));

    @Override
    String kind() {
        return "webhook";
    }

    @Override
    String credential() {
        return "secret";
    }

    @Override
    String to() {
        return "customer 7";
    }

    @Override
    String path() {
        return "/replies?tenant=a";
    }

    @Override
    Map<String, String> credentialHeader() {
        return Map.of();
    }

    @Override
    String bodySchema() {
        return "/components/schemas/Reply";
    }

    @Override
    String messageId(JsonNode body) {
        return null;
    }

    @Override
    ChannelEntry entry(String baseUrl) {
        return entry(baseUrl + path(), "whsec_" + KEY, true);
    }

    private static ChannelEntry entry(String url, String secret, boolean allowPrivateAddresses) {
        Map<String, String> options =
                Map.of("textLimit", "2000", "allowPrivateAddresses", String.valueOf(allowPrivateAddresses));
        Map<String, Secret> secrets = Map.of("url", new Secret(url), "secret", new Secret(secret));
        return new ChannelEntry(new Settings.Channel("ops", "webhook", options, secrets));
    }

    @ParameterizedTest
    @ValueSource(strings = {"whsec_", ""})
    void signsAsStandardWebhooksHasIt(String prefix) throws Exception {
        answer(file.ok("").answer());
        assertThat(channel(entry(url() + path(), prefix + KEY, true)).send(message(to())))
                .isEqualTo(new Sent(null));

        LoggedRequest asked = requests().get(0);
        assertThat(asked.getHeader("webhook-id")).isEqualTo("dlv_1.2");
        assertThat(asked.getHeader("webhook-timestamp")).isEqualTo(String.valueOf(NOW.getEpochSecond()));
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(SECRET.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
        mac.update(("dlv_1.2." + NOW.getEpochSecond() + ".").getBytes(StandardCharsets.UTF_8));
        assertThat(asked.getHeader("webhook-signature"))
                .isEqualTo("v1," + Base64.getEncoder().encodeToString(mac.doFinal(asked.getBody())));
    }

    @Test
    void leavesItToTheReceiverToRecogniseRepeats() {
        assertThat(channel().recognisesRepeats()).isTrue();
    }

    @Test
    void postsTheSameBytesInEachAttempt() {
        answer(file.ok("").answer());
        for (Instant attempt : List.of(NOW, NOW.plusSeconds(3_600))) {
            WebhookChannel webhook = new WebhookChannel(entry(url()), http(() -> attempt));
            assertThat(webhook.send(message(to()))).isEqualTo(new Sent(null));
        }

        assertThat(requests())
                .extracting(LoggedRequest::getBody)
                .containsOnly(requests().get(0).getBody());
        assertThat(requests())
                .extracting(request -> request.getHeader("webhook-id"))
                .containsOnly("dlv_1.2");
        assertThat(requests())
                .extracting(request -> request.getHeader("webhook-timestamp"))
                .containsExactly(String.valueOf(NOW.getEpochSecond()), String.valueOf(NOW.getEpochSecond() + 3_600));
    }

    @Test
    void saysWhatThereIsToSay() throws Exception {
        answer(file.ok("").answer());
        var first = channel().send(message(to()));
        var second = channel()
                .send(new Message(
                        "dlv_2", null, RunState.SUCCEEDED, "main", null, CREATED, 1, 1, "grün \"\n😀", false));

        assertThat(first).isEqualTo(second);
        assertThat(body(0))
                .hasToString("{\"type\":\"reply.created\",\"timestamp\":\"2026-11-22T04:58:29.500Z\",\"data\":{"
                        + "\"deliveryId\":\"dlv_1\",\"runId\":\"run_1\",\"status\":\"succeeded\",\"agentId\":\"main\",\"to\":\"customer 7\","
                        + "\"part\":2,\"parts\":3,\"text\":\"" + TEXT + "\"}}");
        assertThat(body(1).at("/data/text").textValue()).isEqualTo("grün \"\n😀");
        assertThat(body(1).at("/data/runId").isNull()).isTrue();
        assertThat(body(1).at("/data/to").isNull()).isTrue();
        assertThat(file.violations(bodySchema(), body(1).toString())).isEmpty();
    }

    @Test
    void tellsATextWithoutAgentFromAReply() throws Exception {
        answer(file.ok("").answer());
        var told = channel()
                .send(new Message("dlv_1", null, RunState.SUCCEEDED, null, "a", CREATED, 1, 1, "it rains", false));

        assertThat(told).isEqualTo(new Sent(null));
        assertThat(body(0).path("type").textValue()).isEqualTo("delivery.created");
        assertThat(body(0).at("/data/agentId").isNull()).isTrue();
        assertThat(body(0).at("/data/runId").isNull()).isTrue();
        assertThat(body(0).at("/data/text").textValue()).isEqualTo("it rains");
        assertThat(file.violations(bodySchema(), body(0).toString())).isEmpty();
    }

    @Test
    void tellsOfARunThatHasNoReply() throws Exception {
        answer(file.ok("").answer());
        var told = channel()
                .send(new Message(
                        "dlv_1", "run_1", RunState.TIMED_OUT, "main", null, CREATED, 1, 1, "timed out", false));

        assertThat(told).isEqualTo(new Sent(null));
        assertThat(body(0).path("type").textValue()).isEqualTo("run.failed");
        assertThat(body(0).at("/data/status").textValue()).isEqualTo("timed_out");
        assertThat(body(0).at("/data/text").textValue()).isEqualTo("timed out");
        assertThat(file.violations(bodySchema(), body(0).toString())).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "127.0.0.1",
                "localhost",
                "2130706433",
                "0",
                "[::1]",
                "[::ffff:127.0.0.1]",
                "169.254.169.254",
                "10.1.2.3",
                "[fd00:ec2::254]"
            })
    void postsNothingToAPrivateAddress(String host) {
        answer(file.ok("").answer());
        Outcome outcome = channel(entry("http://" + host + ":" + server.port() + "/x", KEY, false))
                .send(message(to()));

        assertThat(outcome)
                .isEqualTo(new Refused("channels.ops.url leads to a private address: set"
                        + " channels.ops.allowPrivateAddresses to true where that is meant"));
        assertThat(requests()).isEmpty();
    }

    @Test
    void looksAtEveryAddressOfAHostBeforeEachPost() throws Exception {
        InetAddress outside = InetAddress.getByAddress(new byte[] {1, 1, 1, 1});
        InetAddress inside = InetAddress.getByAddress(new byte[] {10, 0, 0, 1});
        answer(file.ok("").answer());
        InetAddress[][] found = {{outside}, {outside, inside}};
        int[] asked = {0};
        WebhookChannel webhook =
                new WebhookChannel(entry(url() + path(), KEY, false), http(), host -> found[asked[0]++]);

        assertThat(webhook.send(message(to()))).isInstanceOf(Sent.class);
        assertThat(webhook.send(message(to()))).isInstanceOf(Refused.class);
        assertThat(requests()).hasSize(1);
    }

    @Test
    void triesAgainWhenTheHostIsNotKnownForNow() {
        Outcome outcome = channel(entry("http://nobody.invalid/x", KEY, false)).send(message(to()));

        assertThat(outcome).isEqualTo(new Later(null, "the receiver's host is not known: check channels.ops.url"));
    }

    @Override
    @Test
    void wantsToKnowToWhom() {
        answer(file.ok("").answer());

        assertThat(channel().refusal(null)).isNull();
        assertThat(channel().refusal("anybody")).isNull();
        assertThat(channel().send(message(null))).isInstanceOf(Sent.class);
    }

    @Override
    @Test
    void saysThatTheServiceIsOutOfReach() {
        assertThat(channel().probe()).isInstanceOf(Probe.Unasked.class);
    }
}
