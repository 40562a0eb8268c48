package dev.postern.channel.vendor;

import static com.github.tomakehurst.wiremock.client.WireMock.aResponse;
import static com.github.tomakehurst.wiremock.client.WireMock.containing;
import static com.github.tomakehurst.wiremock.client.WireMock.okJson;
import static com.github.tomakehurst.wiremock.client.WireMock.post;
import static com.github.tomakehurst.wiremock.client.WireMock.urlEqualTo;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.github.tomakehurst.wiremock.client.ResponseDefinitionBuilder;
import com.github.tomakehurst.wiremock.http.Fault;
import com.github.tomakehurst.wiremock.verification.LoggedRequest;
import dev.postern.channel.Channel.Message;
import dev.postern.channel.Channel.Outcome;
import dev.postern.channel.Channel.Outcome.Later;
import dev.postern.channel.Channel.Outcome.Refused;
import dev.postern.channel.Channel.Outcome.Sent;
import dev.postern.channel.Channel.Outcome.Unsure;
import dev.postern.model.RunState;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of comments on GitHub's discussions, over GraphQL. */
class GitHubDiscussionTest extends VendorServer {

    private static final String ADDED = "{\"data\":{\"addDiscussionComment\":{\"comment\":{\"id\":\"DC_9\"}}}}";

    @Override
    String kind() {
        return "github";
    }

    @Override
    String credential() {
        return "token";
    }

    @Override
    String to() {
        return "octocat/Hello-World/discussions/12";
    }

    @Override
    String path() {
        return "/graphql";
    }

    @Override
    Map<String, String> credentialHeader() {
        return Map.of("Authorization", "Bearer " + SECRET);
    }

    @Override
    String bodySchema() {
        return "/components/schemas/graphql-body";
    }

    @Override
    String messageId(JsonNode body) {
        return body.at("/data/addDiscussionComment/comment/id").asText();
    }

    @Override
    Map<String, String> options() {
        return Map.of("allowMentions", "false");
    }

    @BeforeEach
    void prepareServer() {
        find(okJson(discussion("of another")));
        add(okJson(ADDED));
    }

    private static String discussion(String body) {
        return "{\"data\":{\"repository\":{\"discussion\":{\"id\":\"D_1\",\"comments\":{\"nodes\":[{\"id\":\"DC_1\",\"body\":\""
                + body + "\"}]}}}}}";
    }

    private void find(ResponseDefinitionBuilder answer) {
        server.stubFor(
                post(urlEqualTo(path())).withRequestBody(containing("query(")).willReturn(answer));
    }

    private void add(ResponseDefinitionBuilder answer) {
        server.stubFor(post(urlEqualTo(path()))
                .withRequestBody(containing("mutation("))
                .willReturn(answer));
    }

    private Outcome repeat() {
        return channel()
                .send(new Message("dlv_1", "run_1", RunState.SUCCEEDED, "main", to(), CREATED, 2, 3, TEXT, true));
    }

    @Test
    void findsTheDiscussionAndComments() throws Exception {
        assertThat(send()).isEqualTo(new Sent("DC_9"));

        assertThat(body(0).path("variables"))
                .isEqualTo(VendorFile.JSON.readTree(
                        "{\"owner\":\"octocat\",\"name\":\"Hello-World\",\"number\":12,\"last\":1}"));
        assertThat(body(1).at("/variables/id").textValue()).isEqualTo("D_1");
        assertThat(body(1).at("/variables/body").textValue()).isEqualTo(TEXT + "\n\n<!-- postern:dlv_1.2 -->");
        assertThat(requests()).hasSize(2).allMatch(request -> request.getHeader("Authorization")
                .equals("Bearer " + SECRET));
    }

    @Test
    void makesNoSecondCommentAfterALostAnswer() throws Exception {
        add(aResponse().withFault(Fault.EMPTY_RESPONSE));
        assertThat(send()).isInstanceOf(Unsure.class);

        find(okJson(discussion("x\\n\\n<!-- postern:dlv_1.2 -->")));
        assertThat(repeat()).isEqualTo(new Sent("DC_1"));
        assertThat(requests()).hasSize(3);
        assertThat(body(2).at("/variables/last").intValue()).isEqualTo(100);
    }

    @Test
    void commentsIfNoAttemptHasLeftOne() {
        assertThat(repeat()).isEqualTo(new Sent("DC_9"));
    }

    @Test
    void hasSentNothingWhileItLooks() {
        find(aResponse().withFault(Fault.EMPTY_RESPONSE));
        assertThat(send()).isInstanceOf(Later.class);
        find(status(502));
        assertThat(send()).isInstanceOf(Later.class);
        find(aResponse().withStatus(401).withBody("{\"message\":\"Bad credentials\"}"));
        assertThat(reason(send())).contains("channels.ops.token");
        assertThat(requests()).extracting(LoggedRequest::getBodyAsString).noneMatch(body -> body.contains("mutation"));
    }

    @ParameterizedTest
    @CsvSource({
        "NOT_FOUND, there is no such thing",
        "FORBIDDEN, write access",
        "INSUFFICIENT_SCOPES, write access",
        "UNPROCESSABLE, refused the message"
    })
    void understandsErrorsWithAGoodStatus(String type, String reason) {
        String errors = "{\"data\":null,\"errors\":[{\"type\":\"" + type + "\",\"message\":\"" + TEXT + "\"}]}";
        add(okJson(errors));
        assertThat(send()).isInstanceOf(Refused.class);
        find(okJson(errors));
        assertThat(reason(send())).contains(type, reason).doesNotContain(TEXT);
    }

    @ParameterizedTest
    @ValueSource(strings = {"RATE_LIMIT", "RATE_LIMITED"})
    void waitsForALimit(String type) {
        add(okJson("{\"errors\":[{\"type\":\"" + type + "\",\"code\":\"graphql_rate_limit\"}]}")
                .withHeader("x-ratelimit-remaining", "0")
                .withHeader("x-ratelimit-reset", Long.toString(NOW.getEpochSecond() + 20)));
        assertThat(((Later) send()).pause()).isEqualTo(Duration.ofSeconds(20));

        add(aResponse().withStatus(403).withBody("{\"message\":\"You have exceeded a secondary rate limit.\"}"));
        assertThat(((Later) send()).pause()).isEqualTo(Duration.ofSeconds(60));
    }

    @Test
    void findsGraphQlOfAnEnterpriseServer() {
        server.stubFor(post(urlEqualTo("/api/graphql")).willReturn(okJson(discussion("x"))));
        var unused = channel(entry(url() + "/api/v3")).send(message(to()));

        assertThat(requests().get(0).getUrl()).isEqualTo("/api/graphql");
    }
}
