package dev.postern.it.standalone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * A test from a request to its effects: a turn of a local program or offline, its summary, a heartbeat, a delivery.
 */
class TurnIT {

    private static final Duration LONGEST = Duration.ofSeconds(90);
    private static final int AT_ONCE = 3;

    @RegisterExtension
    static final HomeFixtureExtension HOMES = HomeFixtureExtension.ofClass();

    private static HomeFixture home;
    private static PosternProcess postern;

    @BeforeAll
    static void start() throws IOException {
        home = HOMES.newHome()
                .settingsWithProgram(
                        HomeFixture.hooks("allowRequestSessionKey: true"),
                        "maxConcurrent: " + AT_ONCE + ", defaults: {model: offline/echo}");
        postern = home.start();
    }

    @Test
    void failsATurnWhoseProgramIsNotThereAndSaysSo() throws Exception {
        PosternResponse run = ended(agent("anything", "\"model\":\"nowhere/x\""));

        assertThat(run.text("status")).isEqualTo("failed");
        assertThat(run.text("error")).contains("/no/such/program cannot be started");
    }

    @Test
    void failsATurnWhoseProgramFailsAndKeepsItsWordsToItself() throws Exception {
        PosternResponse run = ended(program("break"));

        assertThat(run.text("status")).isEqualTo("failed");
        assertThat(run.text("error")).contains("exit code 3").doesNotContain("secret");
        assertThat(postern.log()).doesNotContain("a secret of the program");
    }

    @Test
    void endsEverythingThatATimedOutProgramHasStarted() throws Exception {
        String id = agent("escape", "\"model\":\"program/x\",\"timeoutSeconds\":6,\"name\":\"Slow\"");
        PosternResponse run = ended(id);

        assertThat(run.text("status")).isEqualTo("timed_out");
        long escaped = Long.parseLong(home.read("agents/main/escaped").strip());
        await().atMost(LONGEST) // whoever adopted it has to bury it before it counts as gone
                .until(() ->
                        ProcessHandle.of(escaped).filter(ProcessHandle::isAlive).isEmpty());
        assertThat(summaries(id)).singleElement().asString().startsWith("Hook Slow (timed_out): timed out after 6 s");
    }

    @Test
    void failsARunOfAProviderThatIsNotConfiguredAndSaysWhatToDo() throws Exception {
        PosternResponse run = ended(agent("anything", "\"model\":\"elsewhere/some-model\""));

        assertThat(run.text("status")).isEqualTo("failed");
        assertThat(run.text("error")).contains("providers.elsewhere is not configured");
    }

    @Test
    void saysWhatToConfigureWhenAReplyCannotBeDelivered() throws Exception {
        PosternResponse run = ended(agent("anything", "\"channel\":\"telegram\",\"to\":\"42\""));

        assertThat(run.text("status")).isEqualTo("succeeded");
        assertThat(run.text("delivery")).isEqualTo("failed");
        assertThat(run.text("reason")).contains("channels.telegram.botToken");
    }

    @Test
    void givesAProgramTheMessageAndItsReplyBack() throws Exception {
        String id = agent("grüße, 世界 😀", "\"model\":\"program/x\",\"name\":\"Greeter\"");
        PosternResponse run = ended(id);

        assertThat(run.text("status")).isEqualTo("succeeded");
        assertThat(run.text("reply")).contains("turn taken", "grüße, 世界 😀");
        assertThat(run.text("delivery")).isEqualTo("delivered");
        assertThat(run.text("channel")).isEqualTo("inbox");
        assertThat(summaries(id))
                .singleElement()
                .asString()
                .startsWith("Hook Greeter: turn taken")
                .endsWith("[" + id + "]");
    }

    @Test
    void keepsTheOrderOfASessionAndNeverOverlapsIt() throws Exception {
        List<String> runs = new ArrayList<>();
        List<String> expected = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            runs.add(agent("in order " + i, "\"model\":\"program/x\",\"sessionKey\":\"lane\""));
            expected.addAll(List.of("begin " + i, "end " + i));
        }
        for (String run : runs) {
            assertThat(ended(run).text("status")).isEqualTo("succeeded");
        }
        assertThat(home.read("agents/main/order-lane").lines()).containsExactlyElementsOf(expected);
    }

    @Test
    void runsSessionsSideBySide() throws Exception {
        String one = program("meet");
        String other = program("meet");

        assertThat(ended(one).text("reply")).isEqualTo("2");
        assertThat(ended(other).text("reply")).isEqualTo("2");
    }

    @Test
    void runsNoMoreAtOneTimeThanItMay() throws Exception {
        List<String> runs = new ArrayList<>();
        for (int i = 0; i < 4 * AT_ONCE; i++) {
            runs.add(program("crowd"));
        }
        for (String run : runs) {
            assertThat(ended(run).text("status")).isEqualTo("succeeded");
        }
        assertThat(home.read("agents/main/crowds").lines().map(String::strip).map(Integer::valueOf))
                .hasSize(runs.size())
                .allMatch(crowd -> crowd <= AT_ONCE)
                .contains(AT_ONCE);
    }

    @Test
    void holdsBackAReplyThatIsOnlyAnAcknowledgement() throws Exception {
        PosternResponse run = ended(program("nothing to tell"));

        assertThat(run.text("reply")).isEqualTo("HEARTBEAT_OK");
        assertThat(run.text("delivery")).isEqualTo("suppressed");
    }

    @Test
    void deliversNothingThatIsNotToBeDelivered() throws Exception {
        PosternResponse run = ended(agent("for nobody", "\"deliver\":false"));

        assertThat(run.text("reply")).contains("for nobody");
        assertThat(run.text("delivery")).isEqualTo("none");
    }

    @Test
    void answersAWakeWithAHeartbeatWhoseReplyComesToTheInbox() throws Exception {
        PosternResponse woken = postern.sender().post("wake", "{\"text\":\"the build is red\"}");

        assertThat(woken.status()).isEqualTo(200);
        try (HomeDatabase database = home.database()) {
            await().atMost(LONGEST).until(() -> !database.column(
                            "SELECT id FROM event WHERE taken_at IS NOT NULL AND id = '" + woken.text("eventId") + "'")
                    .isEmpty());
            assertThat(database.column("SELECT channel || ' ' || state FROM delivery"
                            + " WHERE run_id IS NULL AND text LIKE '%the build is red%'"))
                    .containsExactly("inbox delivered");
        }
    }

    private static String program(String message) throws Exception {
        return agent(message, "\"model\":\"program/x\"");
    }

    /** Requests a run without an immediate heartbeat; returns the run's id. */
    private static String agent(String message, String more) throws Exception {
        String mode = more.contains("wakeMode") ? "" : "\"wakeMode\":\"next-heartbeat\",";
        PosternResponse accepted =
                postern.sender().post("agent", "{\"message\":\"" + message + "\"," + mode + more + "}");
        assertThat(accepted.status()).as(accepted.toString()).isEqualTo(202);
        return accepted.text("runId");
    }

    private static PosternResponse ended(String run) {
        return postern.sender().ended(run);
    }

    private static List<String> summaries(String run) {
        try (HomeDatabase database = home.database()) {
            return database.column("SELECT text FROM event WHERE kind = 'summary' AND run_id = '" + run + "'");
        }
    }
}
