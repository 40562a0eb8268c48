package dev.postern.channel.vendor;

import static com.github.tomakehurst.wiremock.client.WireMock.aResponse;
import static com.github.tomakehurst.wiremock.client.WireMock.get;
import static com.github.tomakehurst.wiremock.client.WireMock.okJson;
import static com.github.tomakehurst.wiremock.client.WireMock.urlPathEqualTo;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.github.tomakehurst.wiremock.client.ResponseDefinitionBuilder;
import com.github.tomakehurst.wiremock.http.Fault;
import com.github.tomakehurst.wiremock.http.RequestMethod;
import com.github.tomakehurst.wiremock.verification.LoggedRequest;
import dev.postern.channel.Channel.Message;
import dev.postern.channel.Channel.Outcome;
import dev.postern.channel.Channel.Outcome.Later;
import dev.postern.channel.Channel.Outcome.Refused;
import dev.postern.channel.Channel.Outcome.Sent;
import dev.postern.channel.Channel.Outcome.Unsure;
import dev.postern.channel.Channel.Probe;
import dev.postern.model.RunState;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PagerDutyChannelTest extends VendorContract {

    @Override
    String kind() {
        return "pagerduty";
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
        return "Q1A2B3C4D5E6F7";
    }

    @Override
    String path() {
        return "/incidents/Q1A2B3C4D5E6F7/notes";
    }

    @Override
    Map<String, String> options() {
        return Map.of("from", "bot@example.com");
    }

    @Override
    Map<String, String> credentialHeader() {
        return Map.of("Authorization", "Token token=" + SECRET, "From", "bot@example.com");
    }

    @Override
    String bodySchema() {
        return "/components/schemas/Request";
    }

    @Override
    String messageId(JsonNode body) {
        return body.at("/note/id").asText();
    }

    private Outcome repeat() {
        return channel()
                .send(new Message("dlv_1", "run_1", RunState.SUCCEEDED, "main", to(), CREATED, 2, 3, TEXT, true));
    }

    private void list(ResponseDefinitionBuilder answer) {
        server.stubFor(get(urlPathEqualTo(path())).willReturn(answer));
    }

    private static String listed(String text) {
        return "{\"notes\":[" + "{\"id\":\"x\",\"content\":\"of another: dlv_1.1\"},"
                + "{\"id\":\"4711\",\"content\":\"" + text + "\"}" + "]}";
    }

    @Test
    void endsWithItsId() throws Exception {
        answer(file.ok("").answer());
        var unused = send();

        assertThat(requests()).hasSize(1);
        assertThat(body(0).at("/note/content").textValue()).isEqualTo(TEXT + "\n(postern:dlv_1.2)");
    }

    @Test
    void makesNoSecondCommentAfterALostAnswer() throws Exception {
        answer(aResponse().withFault(Fault.EMPTY_RESPONSE));
        assertThat(send()).isInstanceOf(Unsure.class);
        String taken = body(0).at("/note/content").toString();

        list(okJson(listed(taken.substring(1, taken.length() - 1))));
        assertThat(repeat()).isEqualTo(new Sent("4711"));
        assertThat(requests())
                .extracting(LoggedRequest::getMethod)
                .containsExactly(RequestMethod.POST, RequestMethod.GET);
        assertThat(requests().get(1).getUrl()).isEqualTo(path() + "");
    }

    @Test
    void commentsIfNoAttemptHasLeftOne() {
        answer(file.ok("").answer());
        list(okJson(listed("also of another")));

        assertThat(repeat()).isInstanceOf(Sent.class);
        assertThat(requests().get(1).getMethod()).isEqualTo(RequestMethod.POST);
    }

    @Test
    void commentsNotIfItCanNotLook() {
        answer(file.ok("").answer());
        list(status(503).withHeader("Retry-After", "7"));
        assertThat(((Later) repeat()).pause()).hasSeconds(7);
        list(aResponse().withFault(Fault.EMPTY_RESPONSE));
        assertThat(repeat()).isInstanceOf(Later.class);
        list(status(401));
        assertThat(repeat()).isInstanceOf(Refused.class);
        list(okJson("{\"id\":\"1\"}"));
        assertThat(repeat()).isInstanceOf(Unsure.class);
        assertThat(requests()).extracting(LoggedRequest::getMethod).containsOnly(RequestMethod.GET);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "q1a2b3c4", "Q1A2", "Q1A2B3C4/notes", "Q1A2B3C4 ", "PagerDuty"})
    void knowsWhatIsNoRecipient(String to) {
        assertThat(channel().refusal(to)).startsWith("to is no recipient in PagerDuty");
    }

    @Test
    void writesPlainText() {
        assertThat(channel().parts("**a** `b`")).containsExactly("a b");
    }

    @Test
    void provesItsKeyByTheAccountsAbilities() {
        answer(okJson("{\"abilities\":[\"teams\"]}"));

        assertThat(channel().probe()).isEqualTo(new Probe.Good(null));
        assertThat(requests().get(0).getUrl()).isEqualTo("/abilities");
    }

    @Test
    void tellsTheUserInWhoseNameNotesAreAdded() {
        answer(okJson("{\"abilities\":[],\"users\":[{\"id\":\"P1\",\"email\":\"x@example.com\"},"
                + "{\"id\":\"P2\",\"email\":\"" + options().get("from") + "\"}]}"));

        assertThat(channel().probe()).isEqualTo(new Probe.Good("account P2"));
    }

    @Test
    void saysWhatCanBeWrongWithARefusedNote() {
        var refused = file.cases("").stream()
                .filter(each -> each.response().path("status").intValue() == 400)
                .findFirst()
                .orElseThrow();
        answer(refused.answer());

        assertThat(((Refused) send()).reason())
                .contains("channels.ops.from", "channels.ops.textLimit", "2,000 notes at most");
    }

    @Test
    void saysThatTheKeyIsNotGood() {
        answer(file.cases("").get(2).answer());

        assertThat(channel().probe())
                .isEqualTo(new Probe.Bad("PagerDuty refused the key (2006): set channels.ops.apiKey"));
    }
}
