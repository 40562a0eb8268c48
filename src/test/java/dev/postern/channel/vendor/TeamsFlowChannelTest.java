package dev.postern.channel.vendor;

import static com.github.tomakehurst.wiremock.client.WireMock.ok;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.postern.channel.Channel;
import dev.postern.channel.Channel.Outcome.Later;
import dev.postern.channel.Channel.Outcome.Refused;
import dev.postern.channel.Channel.Outcome.Sent;
import dev.postern.channel.Channel.Probe;
import dev.postern.config.Settings;
import dev.postern.model.RunState;
import dev.postern.model.Secret;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TeamsFlowChannelTest extends VendorContract {

    @Override
    String kind() {
        return "msteams";
    }

    @Override
    String credential() {
        return "webhookUrl";
    }

    @Override
    ChannelEntry entry(String baseUrl) {
        return flow(baseUrl + path(), 2000);
    }

    private ChannelEntry flow(String address, int textLimit) {
        return new ChannelEntry(new Settings.Channel(
                "ops",
                kind(),
                Map.of("baseUrl", "https://smba.example", "textLimit", String.valueOf(textLimit)),
                Map.of("webhookUrl", new Secret(address))));
    }

    @Override
    String to() {
        return "anybody";
    }

    @Override
    String path() {
        return "/workflows/1/triggers/manual/paths/invoke?api-version=1&sig=" + SECRET;
    }

    @Override
    Map<String, String> credentialHeader() {
        return Map.of();
    }

    @Override
    String operation() {
        return "x-workflows-webhook";
    }

    @Override
    String bodySchema() {
        return "/x-workflows-webhook/requestSchema";
    }

    @Override
    String messageId(JsonNode body) {
        return null;
    }

    /** Any recipient is accepted, because the flow alone decides it. */
    @Override
    @Test
    void wantsToKnowToWhom() {
        answer(file.ok(operation()).answer());
        for (String to : Arrays.asList(null, "", "anybody", "no body\n")) {
            assertThat(channel().refusal(to)).isNull();
            assertThat(channel().send(message(to))).isEqualTo(new Sent(null));
        }
    }

    @Override
    @Test
    void saysThatTheServiceIsOutOfReach() {
        assertThat(channel().probe()).isInstanceOf(Probe.Unasked.class);
    }

    @Test
    void sendsTheTextInACard() throws Exception {
        answer(file.ok(operation()).answer());
        var unused = send();

        JsonNode card = body(0).at("/attachments/0/content");
        assertThat(card.at("/body/0/type").textValue()).isEqualTo("TextBlock");
        assertThat(card.at("/body/0/text").textValue()).isEqualTo(TEXT);
        assertThat(card.at("/body/0/wrap").booleanValue()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"x", "\u4e16", "\"", "\ud83d\ude00"})
    void sendsNoMoreBytesThanAFlowTakes(String each) {
        answer(file.ok(operation()).answer());
        Channel channel = channel(flow(url() + path(), 1_000_000));
        List<String> parts = channel.parts(each.repeat(30_000));
        parts.forEach(part -> {
            var unused = channel.send(new Channel.Message(
                    "dlv_1", null, RunState.SUCCEEDED, "main", null, CREATED, 1, parts.size(), part, false));
        });

        assertThat(requests()).hasSameSizeAs(parts).allMatch(request -> request.getBody().length <= 21_000);
        assertThat(requests())
                .anyMatch(request -> request.getBodyAsString().getBytes(StandardCharsets.UTF_8).length > 10_000);
    }

    @Test
    void takesWhatAFlowAnswersInItsOwnWords() {
        answer(ok("posted"));
        assertThat(send()).isEqualTo(new Sent(null));

        answer(ok("1"));
        assertThat(send()).isEqualTo(new Sent(null));
    }

    @Test
    void readsWhatAConnectorSaysWithAGoodStatus() {
        String said = "Webhook message delivery failed with error: Microsoft Teams endpoint returned HTTP error ";
        answer(ok(said + "503 with ContextId x"));
        assertThat(send()).isInstanceOf(Later.class);

        answer(ok(said + "400 with ContextId x"));
        assertThat(send()).isEqualTo(new Refused("Teams refused the message (status 400)"));
    }

    @ParameterizedTest
    @ValueSource(ints = {401, 403, 404, 410})
    void saysThatTheFlowIsGone(int status) {
        answer(status(status));

        assertThat(send())
                .isEqualTo(new Refused(
                        "Teams refused the webhook's address (status " + status + "): set channels.ops.webhookUrl"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"marzipan", "7:marzipan", "https://a b.example/?sig=marzipan"})
    void saysThatTheAddressIsNone(String address) {
        assertThat(channel(flow(address, 2000)).send(message(null)))
                .isEqualTo(new Refused("channels.ops.webhookUrl is no address: copy it from the flow"));
    }
}
