package dev.postern.it.standalone;

import static com.github.tomakehurst.wiremock.client.WireMock.aResponse;
import static com.github.tomakehurst.wiremock.client.WireMock.ok;
import static com.github.tomakehurst.wiremock.client.WireMock.post;
import static com.github.tomakehurst.wiremock.client.WireMock.postRequestedFor;
import static com.github.tomakehurst.wiremock.client.WireMock.urlPathEqualTo;
import static com.github.tomakehurst.wiremock.core.WireMockConfiguration.wireMockConfig;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.github.tomakehurst.wiremock.junit5.WireMockExtension;
import com.github.tomakehurst.wiremock.stubbing.Scenario;
import com.github.tomakehurst.wiremock.verification.LoggedRequest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * A test of the posts to a receiver of webhooks that was away at first: the same bytes once more. The libraries that it
 * may use verify them.
 */
class WebhookChannelIT {

    private static final String SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
    private static final String VERIFIED = "standardwebhooks: verified, svix: verified";
    private static final String ACCEPTED = "accepted";
    private static final Duration LONGEST = Duration.ofSeconds(90);

    @RegisterExtension
    static final WireMockExtension RECEIVER = WireMockExtension.newInstance()
            .options(wireMockConfig().dynamicPort())
            .build();

    @RegisterExtension
    final HomeFixtureExtension homeFixtureExtension = HomeFixtureExtension.ofTest();

    /** Answers the first attempt at anything with 503, and the others with 200. */
    @BeforeEach
    void beAwayAtFirst() {
        RECEIVER.stubFor(post("/crm")
                .inScenario("outage")
                .whenScenarioStateIs(Scenario.STARTED)
                .willReturn(aResponse().withStatus(503).withHeader("Retry-After", "1"))
                .willSetStateTo("over"));
        RECEIVER.stubFor(
                post("/crm").inScenario("outage").whenScenarioStateIs("over").willReturn(ok()));
    }

    @Test
    void givesNothingElseToTheReceiverAfterARestart() throws Exception {
        HomeFixture home = home();
        PosternProcess postern = home.start();
        RECEIVER.stubFor(post("/crm").willReturn(aResponse().withStatus(503).withHeader("Retry-After", "1")));
        String run = asked(postern, "grüße \\\"4711\\\"", "program/x");
        await().atMost(LONGEST).until(() -> !attempts().isEmpty());
        postern.kill();
        int refused = attempts().size();
        RECEIVER.stubFor(post("/crm").willReturn(ok()));
        PosternProcess restarted = home.start();
        awaitDelivered(restarted, run);

        List<LoggedRequest> attempts = attempts();
        String first = attempts.get(0).getHeader("webhook-id");
        assertThat(attempts)
                .filteredOn(each -> each.getHeader("webhook-id").equals(first))
                .hasSize(refused + 1);
        assertSameBytes(attempts);
        assertThat(attempts)
                .extracting(each -> each.getHeader("webhook-signature"))
                .doesNotHaveDuplicates();
    }

    @Test
    void tellsOfAFailedRunInTheSameBytes() throws Exception {
        PosternProcess postern = home().start();
        awaitDelivered(postern, asked(postern, "m", "nowhere/x"));

        assertSameBytes(attempts());
        assertThat(attempts())
                .hasSize(2)
                .extracting(LoggedRequest::getBodyAsString)
                .allMatch(body -> body.contains("run.failed"));
    }

    @Test
    void isVerifiedByTheLibrariesOfReceiversInEachAttemptAtEachPart() throws Exception {
        WebhookVerifiers verifiers = WebhookVerifiers.installed();
        HomeFixture home = home();
        PosternProcess postern = home.start();
        String part = "ä".repeat(70);
        awaitDelivered(postern, asked(postern, "a " + part + "\\n\\nb " + part + "\\n\\nc " + part, "program/x"));

        List<LoggedRequest> attempts = attempts();
        assertThat(attempts.stream().map(each -> each.getHeader("webhook-id")).distinct())
                .hasSizeGreaterThanOrEqualTo(3);
        assertThat(attempts).hasSizeGreaterThanOrEqualTo(4);
        assertSameBytes(attempts);
        assertThat(verifiers.verdicts(home, SECRET, attempts))
                .hasSameSizeAs(attempts)
                .containsOnly(VERIFIED);
        assertThat(verifiers.verdicts(home, SECRET.replace('M', 'N'), attempts))
                .hasSameSizeAs(attempts)
                .noneMatch(verdict -> verdict.contains("verified"));
    }

    @Test
    void isARepetitionToAnotherPosternInTheSecondAttempt() throws Exception {
        PosternProcess postern = home().start();
        awaitDelivered(postern, asked(postern, "m", "program/x"));
        PosternProcess receiver = homeFixtureExtension
                .newHome()
                .settings(HomeFixture.hooks(
                        "mappings:",
                        "  - id: peer",
                        "    match: {path: peer}",
                        "    verify: {scheme: standard-webhooks, secrets: [" + SECRET + "]}",
                        "    idempotencyKey: '{{headers.webhook-id}}'",
                        "    messageTemplate: '{{payload.data.text}}'"))
                .start();

        List<PosternResponse> answers = List.of(
                passedOn(receiver, attempts().get(0)),
                passedOn(receiver, attempts().get(1)));
        assertThat(answers).extracting(PosternResponse::status).containsExactly(202, 202);
        assertThat(answers)
                .extracting(posternResponse -> posternResponse.header("Idempotent-Replayed"))
                .containsExactly("", "true");
        assertThat(answers)
                .extracting(posternResponse -> posternResponse.text("runId"))
                .containsOnly(answers.get(0).text("runId"));
    }

    private HomeFixture home() throws IOException {
        String crm = "channels:\n  crm: {kind: webhook, url: '%s/crm', secret: %s, textLimit: 100,"
                + " allowPrivateAddresses: true}\n";
        return homeFixtureExtension
                .newHome()
                .settingsWithProgram(
                        HomeFixture.hooks() + crm.formatted(RECEIVER.baseUrl(), SECRET),
                        "defaults: {model: program/x}");
    }

    /** The id of a run that answers {@code message} to the receiver. */
    private static String asked(PosternProcess postern, String message, String model) throws Exception {
        PosternResponse posternResponse = postern.sender()
                .post(
                        "agent",
                        "{\"message\":\"%s\",\"model\":\"%s\",\"channel\":\"crm\",\"wakeMode\":\"next-heartbeat\"}"
                                .formatted(message, model));
        assertThat(posternResponse.text("status")).isEqualTo(ACCEPTED);
        return posternResponse.text("runId");
    }

    private static void awaitDelivered(PosternProcess postern, String run) {
        await("the delivery of " + run)
                .atMost(LONGEST)
                .until(() -> postern.sender().run(run).text("delivery").equals("delivered"));
    }

    /** What the receiver was posted, oldest first. */
    private static List<LoggedRequest> attempts() {
        return RECEIVER.findAll(postRequestedFor(urlPathEqualTo("/crm")));
    }

    private static void assertSameBytes(List<LoggedRequest> attempts) {
        Map<String, List<LoggedRequest>> byId =
                attempts.stream().collect(Collectors.groupingBy(each -> each.getHeader("webhook-id")));
        assertThat(byId.values()).anyMatch(each -> each.size() > 1);
        byId.forEach((id, each) -> assertThat(each)
                .as(id)
                .extracting(LoggedRequest::getBodyAsBase64)
                .containsOnly(each.get(0).getBodyAsBase64()));
    }

    private static PosternResponse passedOn(PosternProcess receiver, LoggedRequest attempt) throws Exception {
        return receiver.sender()
                .withToken(null)
                .post(
                        "peer",
                        new String(attempt.getBody(), StandardCharsets.UTF_8),
                        "webhook-id",
                        attempt.getHeader("webhook-id"),
                        "webhook-timestamp",
                        attempt.getHeader("webhook-timestamp"),
                        "webhook-signature",
                        attempt.getHeader("webhook-signature"));
    }
}
