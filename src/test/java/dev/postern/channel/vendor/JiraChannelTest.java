package dev.postern.channel.vendor;

import static com.github.tomakehurst.wiremock.client.WireMock.aResponse;
import static com.github.tomakehurst.wiremock.client.WireMock.get;
import static com.github.tomakehurst.wiremock.client.WireMock.okJson;
import static com.github.tomakehurst.wiremock.client.WireMock.urlEqualTo;
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
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JiraChannelTest extends VendorContract {

    private static final String RECENT = "2026-11-22T04:59:30.000+0000";

    @Override
    String kind() {
        return "jira";
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
        return "ABC-12";
    }

    @Override
    String path() {
        return "/rest/api/3/issue/ABC-12/comment";
    }

    @Override
    Map<String, String> options() {
        return Map.of("email", "bot@example.com");
    }

    @Override
    Map<String, String> credentialHeader() {
        String account = "bot@example.com:" + SECRET;
        return Map.of(
                "Authorization",
                "Basic " + Base64.getEncoder().encodeToString(account.getBytes(StandardCharsets.UTF_8)));
    }

    @Override
    String bodySchema() {
        return "/components/schemas/Comment";
    }

    @Override
    String messageId(JsonNode body) {
        return body.path("id").textValue();
    }

    private Outcome repeat() {
        return channel()
                .send(new Message("dlv_1", "run_1", RunState.SUCCEEDED, "main", to(), CREATED, 2, 3, TEXT, true));
    }

    private void list(ResponseDefinitionBuilder answer) {
        server.stubFor(get(urlPathEqualTo(path())).willReturn(answer));
    }

    private void property(int comment, ResponseDefinitionBuilder answer) {
        server.stubFor(get(urlEqualTo("/rest/api/3/comment/" + comment + "/properties/postern"))
                .willReturn(answer));
    }

    private static String comments(int number, String created) {
        return IntStream.range(0, number)
                .mapToObj(i -> "{\"id\":\"" + (i + 1) + "\",\"created\":\"" + created + "\"}")
                .collect(Collectors.joining(",", "{\"comments\":[", "]}"));
    }

    private List<String> asked() {
        return requests().stream()
                .map(request -> request.getMethod() + " " + request.getUrl())
                .toList();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "ABC", "12", "ABC-0", "ABC-12/comment", "A-1", "ABC 12", "ABC-12?x", "10010", "ABC-12#1"})
    void knowsWhatIsNoRecipient(String to) {
        assertThat(channel().refusal(to)).startsWith("to is no recipient in Jira");
    }

    @Test
    void showsTheIdBelowTheText() throws Exception {
        answer(file.ok("").answer());
        var unused = send();

        JsonNode content = body(0).at("/body/content");
        assertThat(content.path(content.size() - 1).at("/content/0/text").textValue())
                .isEqualTo("(postern:dlv_1.2)");
    }

    @Test
    void givesTheCommentItsIdAsAProperty() throws Exception {
        answer(file.ok("").answer());
        var unused = send();

        assertThat(body(0).path("properties")).hasToString("[{\"key\":\"postern\",\"value\":{\"id\":\"dlv_1.2\"}}]");
        assertThat(requests()).hasSize(1);
    }

    @Test
    void cutsAReplyWhoseDocumentIsLong() throws Exception {
        String reply = "- **a** `b` [c](https://example.com)\n".repeat(400);
        List<String> parts = channel().parts(reply);
        answer(file.ok("").answer());
        for (int i = 0; i < parts.size(); i++) {
            assertThat(channel()
                            .send(new Message(
                                    "dlv_01K0ABCDEFGHJKMNPQRSTVWXYZ",
                                    "run_1",
                                    RunState.SUCCEEDED,
                                    "main",
                                    to(),
                                    CREATED,
                                    i + 1,
                                    parts.size(),
                                    parts.get(i),
                                    false)))
                    .isInstanceOf(Sent.class);
            assertThat(body(i).path("body").toString().length()).isLessThanOrEqualTo(32_767);
        }
        assertThat(parts).hasSizeGreaterThan(1);
        assertThat(String.join("\n", parts).lines().filter(line -> line.contains("example.com")))
                .hasSize(400);
    }

    @Test
    void makesNoSecondCommentAfterALostAnswer() {
        answer(aResponse().withFault(Fault.EMPTY_RESPONSE));
        assertThat(send()).isInstanceOf(Unsure.class);

        list(okJson(comments(3, RECENT)));
        property(1, status(404));
        property(2, okJson("{\"key\":\"postern\",\"value\":{\"id\":\"dlv_1.2\"}}"));
        assertThat(repeat()).isEqualTo(new Sent("2"));
        assertThat(asked())
                .containsExactly(
                        "POST " + path(),
                        "GET " + path() + "?orderBy=-created&maxResults=50",
                        "GET /rest/api/3/comment/1/properties/postern",
                        "GET /rest/api/3/comment/2/properties/postern");
    }

    @Test
    void commentsIfNoAttemptHasLeftOne() {
        answer(file.ok("").answer());
        list(okJson(comments(1, RECENT)));
        property(1, okJson("{\"key\":\"postern\",\"value\":{\"id\":\"dlv_1.1\"}}"));

        assertThat(repeat()).isEqualTo(new Sent("10000"));
        assertThat(requests().get(2).getMethod()).isEqualTo(RequestMethod.POST);
    }

    @Test
    void looksAtNoCommentFromBeforeTheDelivery() {
        answer(file.ok("").answer());
        list(okJson(comments(50, "2026-11-22T04:40:00.000+0000")));

        assertThat(repeat()).isEqualTo(new Sent("10000"));
        assertThat(requests()).hasSize(2);
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
        list(okJson("{}"));
        assertThat(repeat()).isInstanceOf(Unsure.class);
        list(okJson(comments(1, RECENT)));
        property(1, status(500));
        assertThat(repeat()).isInstanceOf(Later.class);
        list(okJson(comments(50, RECENT)));
        IntStream.rangeClosed(1, 50).forEach(comment -> property(comment, status(404)));
        assertThat(reason(repeat())).contains("too many comments");

        assertThat(requests()).extracting(LoggedRequest::getMethod).containsOnly(RequestMethod.GET);
    }

    @Test
    void asksWhoseTheTokenIs() {
        answer(okJson("{\"accountId\":\"1\",\"displayName\":\"Postern\"}"));

        assertThat(channel().probe()).isEqualTo(new Probe.Good("Postern, account 1"));
        assertThat(requests().get(0).getUrl()).isEqualTo("/rest/api/3/myself");
    }

    @Test
    void saysThatTheAccountIsNotGood() {
        answer(status(401));

        assertThat(channel().probe())
                .isEqualTo(new Probe.Bad(
                        "Jira refused the account (status 401): set channels.ops.email and channels.ops.token"));
    }
}
