package dev.postern.it.standalone;

import static com.github.tomakehurst.wiremock.client.WireMock.aResponse;
import static com.github.tomakehurst.wiremock.client.WireMock.containing;
import static com.github.tomakehurst.wiremock.client.WireMock.matching;
import static com.github.tomakehurst.wiremock.client.WireMock.okJson;
import static com.github.tomakehurst.wiremock.client.WireMock.post;
import static com.github.tomakehurst.wiremock.client.WireMock.postRequestedFor;
import static com.github.tomakehurst.wiremock.client.WireMock.urlPathEqualTo;
import static org.assertj.core.api.Assertions.assertThat;

import com.github.tomakehurst.wiremock.client.ResponseDefinitionBuilder;
import com.github.tomakehurst.wiremock.http.Fault;
import com.github.tomakehurst.wiremock.verification.LoggedRequest;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * A test from a hook to a chat model's reply, with tools, in a session with memory, and with the effects of a
 * provider's failures.
 */
@Tag("long")
class ChatIT {

    private static final String PAYLOAD = "canary-4711";

    @RegisterExtension
    static final PeerServersExtension PEERS = new PeerServersExtension();

    @RegisterExtension
    final HomeFixtureExtension homeFixtureExtension = HomeFixtureExtension.ofTest();

    @Test
    void keepsTheKeyAndThePayloadToItselfHoweverTheProviderFails() throws Exception {
        Map<String, ResponseDefinitionBuilder> failures = new LinkedHashMap<>();
        for (int status : List.of(400, 401, 403, 404, 429, 500, 302)) {
            failures.put("status " + status, leaking().withStatus(status).withHeader("Retry-After", "60"));
        }
        failures.put(
                "broken", leaking().withBody("{\"choices\": [{\"message\": \"" + PeerServersExtension.KEY + PAYLOAD));
        failures.put("silent", okJson("{\"choices\": []}"));
        failures.put("reset", aResponse().withFault(Fault.RANDOM_DATA_THEN_CLOSE));
        failures.put("late", leaking().withFixedDelay(20_000));
        failures.put("endless", leaking().withChunkedDribbleDelay(1000, 100_000));
        HomeFixture home = homeFixtureExtension
                .newHome()
                .settings(HomeFixture.hooks(), "agents: {defaults: {model: lab/large, retryFor: 0}}", PEERS.provider());
        PosternProcess postern = home.start();

        List<PosternResponse> runs = new ArrayList<>();
        for (Map.Entry<String, ResponseDefinitionBuilder> failure : failures.entrySet()) {
            PEERS.stubFor(post(PeerServersExtension.CHAT)
                    .withRequestBody(containing(failure.getKey() + "."))
                    .willReturn(failure.getValue()));
            runs.add(postern.sender()
                    .post(
                            "agent",
                            "{\"message\":\"" + PAYLOAD + " " + failure.getKey() + ".\",\"timeoutSeconds\":2,"
                                    + "\"wakeMode\":\"next-heartbeat\"}"));
        }

        for (PosternResponse accepted : runs) {
            PosternResponse run = postern.sender().ended(accepted.text("runId"));
            assertThat(run.text("status")).isIn("failed", "timed_out");
            assertThat(run.text("error")).isNotEmpty();
            assertThat(run.body()).doesNotContain(PeerServersExtension.KEY, PAYLOAD);
        }
        assertThat(postern.sender().get("/metrics").body()).doesNotContain(PeerServersExtension.KEY, PAYLOAD);
        assertThat(postern.stop()).isZero();
        assertThat(postern.log() + postern.out()).doesNotContain(PeerServersExtension.KEY, PAYLOAD);
        try (HomeDatabase database = home.database()) {
            assertThat(database.column("SELECT text FROM event"))
                    .hasSize(failures.size())
                    .noneSatisfy(summary -> assertThat(summary).containsAnyOf(PeerServersExtension.KEY, PAYLOAD));
            assertThat(database.column("SELECT text FROM turn")).isEmpty();
        }
    }

    @Test
    void answersWithAModelThatUsesATool() throws Exception {
        PEERS.toolServer();
        PEERS.stubFor(
                post(PeerServersExtension.CHAT).willReturn(okJson(PeerServersExtension.reply(null, "tool_calls"))));
        PEERS.stubFor(post(PeerServersExtension.CHAT)
                .withRequestBody(matching("(?s).*\"role\" ?: ?\"tool\".*"))
                .willReturn(okJson(PeerServersExtension.reply("It rains.", "stop"))));
        HomeFixture home = homeFixtureExtension
                .newHome()
                .settings(
                        HomeFixture.hooks(),
                        agents("tools: {mcp: [weather], allow: [forecast]}"),
                        PEERS.provider(),
                        PEERS.tools());
        PosternProcess postern = home.start();

        PosternResponse run = postern.sender()
                .post(
                        "agent",
                        "{\"message\":\"How is it in Rome?\",\"wakeMode\":\"next-heartbeat\"}",
                        "Prefer",
                        "wait=30");

        assertThat(run.text("status")).isEqualTo("succeeded");
        assertThat(run.text("reply")).isEqualTo("It rains.");
        assertThat(run.text("finishReason")).isEqualTo("stop");
        assertThat(run.number("inputTokens")).isEqualTo(22);
        assertThat(run.number("outputTokens")).isEqualTo(14);
        assertThat(run.body())
                .contains(
                        "\"toolCalls\":[{\"server\":\"weather\",\"tool\":\"forecast\",\"status\":\"ok\",\"argumentBytes\":16,");
        assertThat(postern.sender().get("/metrics").body())
                .contains(
                        "postern_tokens_total{direction=\"input\"} 22.0",
                        "postern_tokens_total{direction=\"output\"} 14.0",
                        "postern_tool_calls_total{status=\"ok\"} 1.0");
        List<LoggedRequest> asked = PEERS.findAll(postRequestedFor(urlPathEqualTo(PeerServersExtension.CHAT)));
        assertThat(asked).hasSize(2).allSatisfy(request -> assertThat(
                        request.header("Authorization").firstValue())
                .isEqualTo("Bearer " + PeerServersExtension.KEY));
        assertThat(asked.get(0).getBodyAsString())
                .contains("EXTERNAL_UNTRUSTED_CONTENT", "How is it in Rome?", "\"forecast\"")
                .doesNotContain("\"erase\"");
        assertThat(asked.get(1).getBodyAsString()).contains("(marker taken out)", "rain in Rome");
        assertThat(postern.stop()).isZero();
        assertThat(postern.log())
                .contains("agent main, model lab/large: begins", ": succeeded (", "tokens 22 in, 14 out, tool calls 1")
                .doesNotContain("Rome", "rains", PeerServersExtension.KEY);
    }

    @Test
    void asksOnceMoreWithoutToolsWhenCallsAreUsedUp() throws Exception {
        PEERS.toolServer();
        PEERS.stubFor(
                post(PeerServersExtension.CHAT).willReturn(okJson(PeerServersExtension.reply(null, "tool_calls"))));
        HomeFixture home = homeFixtureExtension
                .newHome()
                .settings(
                        HomeFixture.hooks(),
                        agents("tools: {mcp: [weather], maxCalls: 2}"),
                        PEERS.provider(),
                        PEERS.tools());
        PosternProcess postern = home.start();

        PosternResponse run = postern.sender()
                .post("agent", "{\"message\":\"Ask on.\",\"wakeMode\":\"next-heartbeat\"}", "Prefer", "wait=30");

        assertThat(run.text("status")).isEqualTo("failed");
        assertThat(run.text("error")).contains("may call no more tools in this turn, but asked for more");
        assertThat(run.body()).contains("The turn has used up its tool calls (maxCalls 2); further calls refused: 1.");
        List<LoggedRequest> asked = PEERS.findAll(postRequestedFor(urlPathEqualTo(PeerServersExtension.CHAT)));
        assertThat(asked).hasSize(3);
        assertThat(asked.get(1).getBodyAsString()).contains("\"tools\"");
        assertThat(asked.get(2).getBodyAsString()).doesNotContain("\"tools\"");
        assertThat(postern.stop()).isZero();
        assertThat(postern.log()).contains("tool calls 3, refused 1");
    }

    @Test
    void remembersASessionAlsoAfterARestartAndKeepsTwoApart() throws Exception {
        PEERS.stubFor(post(PeerServersExtension.CHAT).willReturn(okJson(PeerServersExtension.reply("Noted.", "stop"))));
        HomeFixture home = homeFixtureExtension
                .newHome()
                .settings(HomeFixture.hooks("allowRequestSessionKey: true"), agents(""), PEERS.provider())
                .file("agents/main/AGENTS.md", "You are the one who keeps notes.");
        PosternProcess first = home.start();
        ask(first, "one", "The first of one.");
        ask(first, "two", "The first of two.");
        first.kill();
        PosternProcess second = home.start();
        ask(second, "one", "The second of one.");

        List<LoggedRequest> asked = PEERS.findAll(postRequestedFor(urlPathEqualTo(PeerServersExtension.CHAT)));
        assertThat(asked).hasSize(3);
        assertThat(asked.get(2).getBodyAsString())
                .containsSubsequence(
                        "\"system\"",
                        "You are the one who keeps notes.",
                        "\"user\"",
                        "The first of one.",
                        "\"assistant\"",
                        "Noted.",
                        "\"user\"",
                        "The second of one.")
                .doesNotContain("The first of two.");
    }

    private static void ask(PosternProcess postern, String session, String message) throws Exception {
        PosternResponse run = postern.sender()
                .post(
                        "agent",
                        "{\"message\":\"" + message + "\",\"sessionKey\":\"" + session
                                + "\",\"wakeMode\":\"next-heartbeat\"}",
                        "Prefer",
                        "wait=30");
        assertThat(run.text("status")).isEqualTo("succeeded");
    }

    private static String agents(String more) {
        return "agents: {defaults: {model: lab/large}, list: [{id: main" + (more.isEmpty() ? "" : ", " + more) + "}]}";
    }

    /** An answer that repeats what no one is to see. */
    private static ResponseDefinitionBuilder leaking() {
        return aResponse()
                .withStatus(200)
                .withHeader("Content-Type", "application/json")
                .withHeader("Location", "/" + PeerServersExtension.KEY)
                .withBody("{\"error\": {\"message\": \"" + PeerServersExtension.KEY + " " + PAYLOAD + "\"}}");
    }
}
