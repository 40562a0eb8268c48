package dev.postern.channel.vendor;

import static com.github.tomakehurst.wiremock.client.WireMock.aResponse;
import static com.github.tomakehurst.wiremock.client.WireMock.okJson;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.github.tomakehurst.wiremock.http.Fault;
import dev.postern.channel.Channel.Message;
import dev.postern.channel.Channel.Outcome;
import dev.postern.channel.Channel.Outcome.Refused;
import dev.postern.channel.Channel.Outcome.Sent;
import dev.postern.channel.Channel.Outcome.Unsure;
import dev.postern.channel.Channel.Probe;
import dev.postern.config.Settings;
import dev.postern.model.DeliveryMark;
import dev.postern.model.RunState;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LinearChannelTest extends VendorContract {

    @Override
    String kind() {
        return "linear";
    }

    @Override
    boolean limitsAccount() {
        return true;
    }

    @Override
    String credential() {
        return "apiKey";
    }

    @Override
    String to() {
        return "ABC-12";
    }

    @Override
    String path() {
        return "/graphql";
    }

    @Override
    Map<String, String> options() {
        return Map.of("allowMentions", "false");
    }

    @Override
    Map<String, String> credentialHeader() {
        return Map.of("Authorization", SECRET);
    }

    @Override
    String bodySchema() {
        return "/components/schemas/Request";
    }

    @Override
    String messageId(JsonNode body) {
        return body.at("/data/commentCreate/comment/id").asText();
    }

    private Outcome repeat() {
        return channel()
                .send(new Message("dlv_1", "run_1", RunState.SUCCEEDED, "main", to(), CREATED, 2, 3, TEXT, true));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "ABC", "12", "ABC-0", "ABC-12/x", "A B-12", "ABC-12#comment"})
    void knowsWhatIsNoRecipient(String to) {
        assertThat(channel().refusal(to)).startsWith("to is no recipient in Linear");
    }

    @Test
    void choosesTheSameIdForEachAttempt() throws Exception {
        answer(file.ok("").answer());
        var unused = send();
        unused = repeat();
        unused = channel()
                .send(new Message("dlv_1", "run_1", RunState.SUCCEEDED, "main", to(), CREATED, 3, 3, TEXT, false));

        String id = body(0).at("/variables/input/id").textValue();
        assertThat(body(1).at("/variables/input/id").textValue()).isEqualTo(id);
        assertThat(body(2).at("/variables/input/id").textValue()).isNotEqualTo(id);
        assertThat(body(0).at("/variables/input/issueId").textValue()).isEqualTo("ABC-12");
        assertThat(requests()).hasSize(3);
    }

    @ParameterizedTest
    @ValueSource(ints = {200, 400})
    void makesNoSecondCommentAfterALostAnswer(int status) throws Exception {
        answer(aResponse().withFault(Fault.EMPTY_RESPONSE));
        assertThat(send()).isInstanceOf(Unsure.class);
        String id = body(0).at("/variables/input/id").textValue();

        answer(okJson(
                        "{\"errors\":[{\"message\":\"conflict on insert of Comment\",\"extensions\":{\"code\":\"INPUT_ERROR\","
                                + "\"userPresentableMessage\":\"Entity Comment with id " + id
                                + " already exists.\"}}]}")
                .withStatus(status));
        assertThat(repeat()).isEqualTo(new Sent(id));
    }

    @Test
    void takesNoOtherErrorForAConflict() {
        answer(
                okJson(
                        "{\"errors\":[{\"message\":\"conflict on insert of Comment\",\"extensions\":{\"code\":\"FORBIDDEN\"}}]}"));

        assertThat(send()).isInstanceOf(Refused.class);
    }

    @ParameterizedTest
    @CsvSource({
        "authentication error, Refused, set channels.ops.apiKey",
        "forbidden, Refused, permission to create comments",
        "invalid input, Refused, lower channels.ops.textLimit",
        "feature not accessible, Refused, refused the message",
        "usage limit exceeded, Refused, refused the message",
        "user error, Refused, refused the message",
        "a newer type, Refused, refused the message",
        "ratelimited, Later, takes no more messages for now",
        "internal error, Later, can't take the message now",
        "network error, Later, can't take the message now",
        "bootstrap error, Later, can't take the message now",
        "lock timeout, Later, can't take the message now"
    })
    void understandsTheTypesThatLinearsClientKnows(String type, String outcome, String reason) {
        for (int status : List.of(200, 400)) {
            answer(okJson("{\"errors\":[{\"message\":\"x\",\"extensions\":{\"type\":\"" + type + "\"}}],\"data\":null}")
                    .withStatus(status));

            assertThat(send().getClass().getSimpleName()).isEqualTo(outcome);
            assertThat(reason(send())).contains(reason);
        }
    }

    @Test
    void mentionsNobodyUnlessTheOperatorAllowsIt() {
        String reply = "@ops https://linear.app/acme/profiles/ada [x](https://Linear.app/acme/issue/ABC-1)";
        assertThat(channel().parts(reply))
                .containsExactly("@\u200Bops <https://linear.app\u200B/acme/profiles/ada>"
                        + " [x](https://Linear.app\u200B/acme/issue/ABC-1)");

        ChannelEntry entry = entry(url());
        Map<String, String> allowing = new HashMap<>(entry.settings().options());
        allowing.put("allowMentions", "true");
        ChannelEntry allowed = new ChannelEntry(
                new Settings.Channel("ops", kind(), allowing, entry.settings().secrets()));
        assertThat(channel(allowed).parts(reply).get(0)).contains("@ops <https://linear.app/acme/profiles/ada>");
    }

    @Test
    void asksWhoseTheKeyIs() {
        answer(okJson("{\"data\":{\"viewer\":{\"name\":\"Postern\"}}}"));

        assertThat(channel().probe()).isEqualTo(new Probe.Good("Postern"));
    }

    @Test
    void tellsTheAccountsId() {
        answer(okJson("{\"data\":{\"viewer\":{\"id\":\"u-1\",\"name\":\"Postern\"}}}"));

        assertThat(channel().probe()).isEqualTo(new Probe.Good("Postern, account u-1"));
    }

    @Test
    void theIdOfTheCommentIsAMark() throws Exception {
        answer(file.ok("").answer());
        var unused = send();

        assertThat(DeliveryMark.in(body(0).at("/variables/input/id").textValue()))
                .isPresent();
    }

    @Test
    void saysThatTheKeyIsNotGood() {
        answer(file.cases("").get(1).answer());

        assertThat(channel().probe())
                .isEqualTo(new Probe.Bad("Linear refused the key (AUTHENTICATION_ERROR): set channels.ops.apiKey"));
    }
}
