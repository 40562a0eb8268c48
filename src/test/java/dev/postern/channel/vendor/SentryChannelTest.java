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
import dev.postern.config.Settings;
import dev.postern.model.RunState;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SentryChannelTest extends VendorContract {

    @Override
    String kind() {
        return "sentry";
    }

    @Override
    boolean limitsAccount() {
        return true;
    }

    @Override
    String credential() {
        return "token";
    }

    @Override
    String to() {
        return "4509123456";
    }

    @Override
    String path() {
        return "/api/0/issues/4509123456/comments/";
    }

    @Override
    Map<String, String> options() {
        return Map.of("allowMentions", "false");
    }

    @Override
    Map<String, String> credentialHeader() {
        return Map.of("Authorization", "Bearer " + SECRET);
    }

    @Override
    String bodySchema() {
        return "/components/schemas/Note";
    }

    @Override
    String messageId(JsonNode body) {
        return body.at("/id").asText();
    }

    private Outcome repeat() {
        return channel()
                .send(new Message("dlv_1", "run_1", RunState.SUCCEEDED, "main", to(), CREATED, 2, 3, TEXT, true));
    }

    private void list(ResponseDefinitionBuilder answer) {
        server.stubFor(get(urlPathEqualTo(path())).willReturn(answer));
    }

    private static String listed(String text) {
        return "[" + "{\"id\":\"x\",\"data\":{\"text\":\"of another: dlv_1.1\"}},"
                + "{\"id\":\"4711\",\"data\":{\"text\":\"" + text + "\"}}" + "]";
    }

    @Test
    void endsWithItsId() throws Exception {
        answer(file.ok("").answer());
        var unused = send();

        assertThat(requests()).hasSize(1);
        assertThat(body(0).at("/text").textValue()).isEqualTo(TEXT + "\n\n<!-- postern:dlv_1.2 -->");
    }

    @Test
    void makesNoSecondCommentAfterALostAnswer() throws Exception {
        answer(aResponse().withFault(Fault.EMPTY_RESPONSE));
        assertThat(send()).isInstanceOf(Unsure.class);
        String taken = body(0).at("/text").toString();

        list(okJson(listed(taken.substring(1, taken.length() - 1))));
        assertThat(repeat()).isEqualTo(new Sent("4711"));
        assertThat(requests())
                .extracting(LoggedRequest::getMethod)
                .containsExactly(RequestMethod.POST, RequestMethod.GET);
        assertThat(requests().get(1).getUrl()).isEqualTo(path() + "?per_page=50");
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
    @ValueSource(strings = {"", "0", "ABC-1", "4509123456/comments", "-1", "12345678901234567890"})
    void knowsWhatIsNoRecipient(String to) {
        assertThat(channel().refusal(to)).startsWith("to is no recipient in Sentry");
    }

    @Test
    void takesSentrysOwnWordForACommentThatExists() {
        String exists = "{\"detail\": \"You have already posted that comment.\"}";
        for (String body : List.of(exists, VendorFile.JSON.valueToTree(exists).toString())) {
            answer(aResponse().withStatus(400).withBody(body));

            assertThat(send()).isEqualTo(new Sent(null));
        }
    }

    @Test
    void namesItsOrganizationIfItIsSet() {
        Map<String, String> options = new HashMap<>(entry(url()).settings().options());
        options.put("organization", "my-team");
        ChannelEntry entry = new ChannelEntry(new Settings.Channel(
                "ops", kind(), options, entry(url()).settings().secrets()));
        answer(file.ok("").answer());
        server.stubFor(get(urlPathEqualTo("/api/0/organizations/my-team/issues/4509123456/comments/"))
                .willReturn(okJson("[]")));
        Message repeat = new Message("dlv_1", "run_1", RunState.SUCCEEDED, "main", to(), CREATED, 2, 3, TEXT, true);

        assertThat(channel(entry).send(repeat)).isInstanceOf(Sent.class);
        assertThat(requests())
                .extracting(LoggedRequest::getUrl)
                .containsExactly(
                        "/api/0/organizations/my-team/issues/4509123456/comments/?per_page=50",
                        "/api/0/organizations/my-team/issues/4509123456/comments/");
    }

    @Test
    void asksForTheOrganizationWhereAnAddressIsPhasedOut() {
        answer(file.cases("").stream()
                .filter(each -> each.name().equals("address phased out"))
                .findFirst()
                .orElseThrow()
                .answer());

        assertThat(reason(send()))
                .isEqualTo("Sentry phases out the address without an organization (status 410): set"
                        + " channels.ops.organization");
    }

    @Test
    void asksWhoseTheTokenIs() {
        answer(okJson("{\"version\":\"0\",\"user\":{\"name\":\"bot\"},\"auth\":{\"scopes\":[\"event:write\"]}}"));

        assertThat(channel().probe()).isEqualTo(new Probe.Good("bot"));
        assertThat(requests().get(0).getUrl()).isEqualTo("/api/0/");
    }

    @Test
    void saysThatTheTokenIsNotGood() {
        answer(okJson("{\"version\":\"0\",\"user\":null,\"auth\":null}"));
        assertThat(channel().probe())
                .isEqualTo(new Probe.Bad("Sentry refused the token (status 200): set channels.ops.token"));

        answer(aResponse().withStatus(401).withBody("{\"detail\":\"Invalid token\"}"));
        assertThat(channel().probe())
                .isEqualTo(new Probe.Bad("Sentry refused the token (status 401): set channels.ops.token"));
    }
}
