package dev.postern.it.standalone;

import static com.github.tomakehurst.wiremock.client.WireMock.aResponse;
import static com.github.tomakehurst.wiremock.client.WireMock.ok;
import static com.github.tomakehurst.wiremock.client.WireMock.post;
import static com.github.tomakehurst.wiremock.client.WireMock.postRequestedFor;
import static com.github.tomakehurst.wiremock.client.WireMock.urlMatching;
import static com.github.tomakehurst.wiremock.client.WireMock.urlPathEqualTo;
import static com.github.tomakehurst.wiremock.core.WireMockConfiguration.wireMockConfig;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.github.tomakehurst.wiremock.junit5.WireMockExtension;
import com.github.tomakehurst.wiremock.stubbing.Scenario;
import com.github.tomakehurst.wiremock.verification.LoggedRequest;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A test of the events that a channel of kind webhook subscribes to. Its receiver is away at first. */
class ReportedEventIT {

    private static final String SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
    private static final Duration LONGEST = Duration.ofSeconds(90);
    private static final String PRIVATE = "a text that no event may tell";

    @RegisterExtension
    static final WireMockExtension PEER = WireMockExtension.newInstance()
            .options(wireMockConfig().dynamicPort())
            .build();

    @RegisterExtension
    final HomeFixtureExtension homeFixtureExtension = HomeFixtureExtension.ofTest();

    @BeforeEach
    void beAwayAtFirst() {
        PEER.stubFor(post(urlMatching("/v1/.*")).willReturn(aResponse().withStatus(503)));
        PEER.stubFor(post("/all")
                .inScenario("outage")
                .whenScenarioStateIs(Scenario.STARTED)
                .willReturn(aResponse().withStatus(503).withHeader("Retry-After", "1"))
                .willSetStateTo("over"));
        PEER.stubFor(
                post("/all").inScenario("outage").whenScenarioStateIs("over").willReturn(ok()));
        PEER.stubFor(post("/failures").willReturn(aResponse().withStatus(403)));
    }

    @Test
    void reportsWhatASubscriberWantsInOrderAndTellsNoContent() throws Exception {
        HomeFixture home = homeFixtureExtension.newHome();
        home.file("hooks/transforms/broken.js", "export default () => { throw new Error('" + PRIVATE + "'); };");
        PosternProcess postern = home.settings(
                        HomeFixture.hooks(
                                "mappings:",
                                "  - {id: broken, match: {path: broken}, transform: {module: broken.js}}",
                                "  - {id: few, match: {path: few}, messageTemplate: '{{a}}', wakeMode: next-heartbeat}"),
                        "channels:",
                        channel(
                                "all",
                                "[run.succeeded, run.failed, run.held, delivery.failed, budget.warned,"
                                        + " mapping.failed, provider.down]"),
                        channel("failures", "[run.failed, delivery.failed]"),
                        "budgets: {few: {for: {hook: few}, runs: 1, per: 1h, warnAt: 100%}}",
                        "agents: {defaults: {model: offline/echo}}",
                        "providers: {away: {kind: openai, baseUrl: '" + PEER.baseUrl() + "/v1', apiKey: k}}")
                .start();
        HookSender sender = postern.sender();

        String first = sender.post("few", "{\"a\":\"" + PRIVATE + "\"}").text("runId");
        JsonObject succeeded = awaitEvent("run.succeeded", 1);
        assertThat(succeeded.get("runId").getAsString()).isEqualTo(first);
        assertThat(succeeded.get("status").getAsString()).isEqualTo("succeeded");
        assertThat(succeeded.get("hook").getAsString()).isEqualTo("few");
        assertThat(awaitEvent("budget.warned", 1).get("budget").getAsString()).isEqualTo("few");

        String held = sender.post("few", "{\"a\":\"" + PRIVATE + "\"}").text("runId");
        JsonObject hold = awaitEvent("run.held", 1);
        assertThat(hold.get("runId").getAsString()).isEqualTo(held);
        assertThat(hold.get("budget").getAsString()).isEqualTo("few");

        String failed = agent(sender, "\"model\":\"nowhere/x\"");
        JsonObject failure = awaitEvent("run.failed", 1);
        assertThat(failure.get("runId").getAsString()).isEqualTo(failed);
        assertThat(failure.get("error").getAsString()).contains("nowhere");

        String lost = agent(sender, "\"channel\":\"slack\",\"to\":\"C01234567\"");
        JsonObject delivery = awaitEvent("delivery.failed", 1);
        assertThat(delivery.get("runId").getAsString()).isEqualTo(lost);
        assertThat(delivery.get("reason").getAsString()).contains("channels.slack");

        for (int request = 0; request < 5; request++) {
            assertThat(sender.post("broken", "{\"a\":\"" + PRIVATE + "\"}").text("code"))
                    .isEqualTo("mapping_failed");
        }
        assertThat(awaitEvent("mapping.failed", 1).get("mapping").getAsString()).isEqualTo("broken");

        for (int run = 0; run < 5; run++) {
            agent(sender, "\"model\":\"away/x\"");
        }
        assertThat(awaitEvent("provider.down", 1).get("provider").getAsString()).isEqualTo("away");

        List<LoggedRequest> posts = posts("/all");
        assertThat(posts.get(1).getBodyAsString())
                .as("the event that was refused at first comes again before any other")
                .isEqualTo(posts.get(0).getBodyAsString());
        assertThat(posts).extracting(LoggedRequest::getBodyAsString).noneMatch(body -> body.contains(PRIVATE));
        assertThat(WebhookVerifiers.installed().verdicts(home, SECRET, posts))
                .containsOnly("standardwebhooks: verified, svix: verified");
        assertThat(events("/all", "mapping.failed")).as("one a minute").hasSize(1);
        assertThat(events("/all", "delivery.failed"))
                .as("the event that failures refuses is no failure to report")
                .hasSize(1);
        assertThat(posts("/failures")).extracting(ReportedEventIT::type).containsOnly("run.failed", "delivery.failed");
    }

    private static String channel(String id, String events) {
        return "  " + id + ": {kind: webhook, url: '" + PEER.baseUrl() + "/" + id + "', secret: " + SECRET
                + ", allowPrivateAddresses: true, events: " + events + "}";
    }

    private static String agent(HookSender sender, String more) throws Exception {
        return sender.post("agent", "{\"message\":\"" + PRIVATE + "\",\"wakeMode\":\"next-heartbeat\"," + more + "}")
                .text("runId");
    }

    /** The data of the event number {@code number} of {@code type}. */
    private static JsonObject awaitEvent(String type, int number) {
        await(type).atMost(LONGEST).until(() -> events("/all", type).size() >= number);
        return events("/all", type).get(number - 1);
    }

    private static List<JsonObject> events(String path, String type) {
        return posts(path).stream()
                .filter(post -> type(post).equals(type))
                .map(LoggedRequest::getBodyAsString)
                .distinct()
                .map(body -> JsonParser.parseString(body).getAsJsonObject().getAsJsonObject("data"))
                .toList();
    }

    private static String type(LoggedRequest post) {
        return JsonParser.parseString(post.getBodyAsString())
                .getAsJsonObject()
                .get("type")
                .getAsString();
    }

    private static List<LoggedRequest> posts(String path) {
        return PEER.findAll(postRequestedFor(urlPathEqualTo(path)));
    }
}
