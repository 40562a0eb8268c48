package dev.postern.it.standalone;

import static com.github.tomakehurst.wiremock.client.WireMock.aResponse;
import static com.github.tomakehurst.wiremock.client.WireMock.matching;
import static com.github.tomakehurst.wiremock.client.WireMock.okJson;
import static com.github.tomakehurst.wiremock.client.WireMock.post;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.github.tomakehurst.wiremock.client.ResponseDefinitionBuilder;
import java.time.Duration;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * A test that each agent works as configured: its model, thinking, tools, workspace and heartbeats. It also checks the
 * record of a turn that ended badly.
 */
@Tag("long")
class AgentsIT {

    private static final Duration LONGEST = Duration.ofSeconds(30);
    private static final String FINE = okReply("Fine.");

    @RegisterExtension
    static final PeerServersExtension PEERS = new PeerServersExtension();

    @RegisterExtension
    final HomeFixtureExtension homeFixtureExtension = HomeFixtureExtension.ofTest();

    @Test
    void keepsOfAFailedTurnWhatItUsed() throws Exception {
        PEERS.toolServer();
        callsAToolAndThen(aResponse().withStatus(400));
        PosternProcess postern = withTools("");

        PosternResponse run = ended(postern, "agent", "{\"message\":\"How is it in Rome?\"}");

        assertThat(run.text("status")).isEqualTo("failed");
        assertThat(run.body())
                .contains("\"toolCalls\":[{\"server\":\"weather\",\"tool\":\"forecast\",\"status\":\"ok\"");
        assertThat(run.number("inputTokens")).isEqualTo(11);
    }

    @Test
    void keepsOfATurnThatTimedOutWhatItUsed() throws Exception {
        PEERS.toolServer();
        callsAToolAndThen(okJson(FINE));
        PosternProcess postern = withTools("");
        ended(postern, "agent", "{\"message\":\"How is it in Oslo?\"}"); // connects to both, in whatever time
        callsAToolAndThen(aResponse().withFixedDelay(30_000));

        PosternResponse run = ended(postern, "agent", "{\"message\":\"How is it in Rome?\",\"timeoutSeconds\":10}");

        assertThat(run.text("status")).isEqualTo("timed_out");
        assertThat(run.body())
                .contains("\"toolCalls\":[{\"server\":\"weather\",\"tool\":\"forecast\",\"status\":\"ok\"");
        assertThat(run.number("durationMs")).isBetween(1000L, 20_000L);
    }

    @Test
    void leavesTheToolsAwayWhereAMappingSaysSo() throws Exception {
        PEERS.toolServer();
        PEERS.stubFor(post(PeerServersExtension.CHAT).willReturn(okJson(FINE)));
        PosternProcess postern = withTools(
                """
                  mappings:
                    - {match: {path: read}, messageTemplate: '{{text}}', tools: [], wakeMode: next-heartbeat}
                    - {match: {path: act}, messageTemplate: '{{text}}', wakeMode: next-heartbeat}
                """);

        ended(postern, "read", "{\"text\":\"only read\"}");
        ended(postern, "act", "{\"text\":\"do something\"}");

        assertThat(PEERS.chatRequests()).hasSize(2);
        assertThat(PEERS.chatRequests().get(0)).contains("only read").doesNotContain("forecast");
        assertThat(PEERS.chatRequests().get(1)).contains("do something", "forecast");
    }

    @Test
    void asksEachAgentsOwnModelWithItsOwnThinkingAndInstructions() throws Exception {
        PEERS.stubFor(post(PeerServersExtension.CHAT).willReturn(okJson(FINE)));
        PosternProcess postern = homeFixtureExtension
                .newHome()
                .settings(
                        HomeFixture.hooks(),
                        "agents: {defaults: {model: lab/large, thinking: low}, list: [{id: main},"
                                + " {id: deep, model: lab/deep, thinking: high}]}",
                        PEERS.provider())
                .file("agents/main/AGENTS.md", "You answer at once.")
                .file("agents/deep/AGENTS.md", "You think first.")
                .start();

        ended(postern, "agent", "{\"message\":\"a\",\"agentId\":\"deep\",\"wakeMode\":\"next-heartbeat\"}");
        ended(postern, "agent", "{\"message\":\"b\",\"agentId\":\"nobody\",\"wakeMode\":\"next-heartbeat\"}");

        assertThat(PEERS.chatRequests().get(0)).contains("\"deep\"", "\"high\"", "You think first.");
        assertThat(PEERS.chatRequests().get(1)).contains("\"large\"", "\"low\"", "You answer at once.");
    }

    @Test
    void looksAtTheStandingInstructionsWithinActiveHoursAlone() throws Exception {
        PEERS.stubFor(post(PeerServersExtension.CHAT).willReturn(okJson(okReply("The backups did not run."))));
        HomeFixture home = homeFixtureExtension
                .newHome()
                .settings(
                        HomeFixture.hooks(),
                        "agents: {defaults: {model: lab/large, heartbeat: {every: 1s, target: inbox, to: ops}}, list:"
                                + " [{id: awake}, {id: asleep, heartbeat: {activeHours: " + hoursThatBeginInThreeHours()
                                + "}}, {id: idle}]}",
                        PEERS.provider())
                .file("agents/awake/HEARTBEAT.md", "Look whether the backups ran.")
                .file("agents/asleep/HEARTBEAT.md", "Look at nothing at night.")
                .file("agents/idle/HEARTBEAT.md", "\n");
        PosternProcess postern = home.start();

        await().atMost(LONGEST).until(() -> PEERS.chatRequests().size() >= 3);
        assertThat(postern.stop()).isZero();

        assertThat(PEERS.chatRequests())
                .allSatisfy(asked -> assertThat(asked).contains("Look whether the backups ran."));
        try (HomeDatabase database = home.database()) {
            assertThat(database.column("SELECT DISTINCT text FROM delivery"))
                    .containsExactly("The backups did not run.");
        }
    }

    private PosternProcess withTools(String mappings) throws Exception {
        return homeFixtureExtension
                .newHome()
                .settings(
                        HomeFixture.hooks() + mappings,
                        "agents: {defaults: {model: lab/large}, list: [{id: main, tools: {mcp: [weather]}}]}",
                        PEERS.provider(),
                        PEERS.tools())
                .start();
    }

    private static void callsAToolAndThen(ResponseDefinitionBuilder answer) {
        PEERS.stubFor(
                post(PeerServersExtension.CHAT).willReturn(okJson(PeerServersExtension.reply(null, "tool_calls"))));
        PEERS.stubFor(post(PeerServersExtension.CHAT)
                .withRequestBody(matching("(?s).*\"role\" ?: ?\"tool\".*"))
                .willReturn(answer));
    }

    private static PosternResponse ended(PosternProcess postern, String hook, String body) throws Exception {
        return postern.sender().ended(postern.sender().post(hook, body).text("runId"));
    }

    private static String hoursThatBeginInThreeHours() {
        DateTimeFormatter minutes = DateTimeFormatter.ofPattern("HH:mm");
        LocalTime start = LocalTime.now(ZoneOffset.UTC).plusHours(3);
        return "{start: '" + minutes.format(start) + "', end: '" + minutes.format(start.plusHours(1))
                + "', timezone: UTC}";
    }

    private static String okReply(String text) {
        return PeerServersExtension.reply(text, "stop");
    }
}
