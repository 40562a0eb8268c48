package dev.postern.it.standalone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postern.it.ProofReport;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * A test of a budget that several nodes spend together. {@code -Dit.budget.runs=200 -Dit.budget=50} is the long one.
 */
@Tag("long")
@Tag("budget")
@Timeout(600)
class BudgetIT {

    private static final int RUNS = Integer.getInteger("it.budget.runs", 40);
    private static final int MOST = Integer.getInteger("it.budget", 10);
    private static final int SESSIONS = 8;
    private static final int NODES = 3;
    private static final Duration WINDOW = Duration.ofSeconds(6);
    private static final Duration LONGEST = Duration.ofMinutes(5);
    private static final String MESSAGE = "{\"message\":\"hello\"}";

    /** A claim notes the start of a run a little before it counts it. */
    private static final Duration CLAIM = Duration.ofSeconds(1);

    private static final String HOOKS = HomeFixture.hooks(
            "allowedSessionKeyPrefixes: ['hook:']",
            "mappings: [{id: paid, match: {path: paid}, messageTemplate: '{{n}}', wakeMode: next-heartbeat,"
                    + " sessionKey: 'hook:{{session}}'}]");
    private static final String BUDGETS =
            "budgets: {paid: {for: {hook: paid}, runs: " + MOST + ", per: " + WINDOW.toSeconds() + "s, warnAt: 100%}}";

    @RegisterExtension
    final HomeFixtureExtension homeFixtureExtension = HomeFixtureExtension.ofTest();

    @Test
    void nodesTogetherBeginNoMoreRunsThanTheBudgetAndLoseNone() throws Exception {
        try (Cluster cluster = Cluster.start(homeFixtureExtension, NODES, HOOKS, BUDGETS)) {
            List<String> runs = new ArrayList<>();
            for (int i = 0; i < RUNS; i++) {
                runs.add(accepted(cluster.node(i % NODES), i));
            }
            await("a held run").atMost(LONGEST).until(() -> isAnyHeld(cluster.node(0), runs));

            await("all runs").atMost(LONGEST).until(() -> cluster.column("SELECT id FROM run WHERE finished_at IS NULL")
                    .isEmpty());

            assertThat(cluster.column(
                            "SELECT id FROM run WHERE state = 'succeeded' AND attempts = 1 AND held_by IS NULL"))
                    .containsExactlyInAnyOrderElementsOf(runs);
            assertThat(SequenceCheck.outOfOrder(
                            cluster.column("SELECT session_key || ' ' || message FROM run ORDER BY started_at, seq")))
                    .isEmpty();
            List<Long> begun = cluster.column("SELECT started_at FROM run ORDER BY started_at").stream()
                    .map(Long::valueOf)
                    .toList();
            String figures = String.format(
                    "budget: %d runs of at most %d per %s took %s",
                    RUNS, MOST, WINDOW, Duration.ofMillis(begun.get(RUNS - 1) - begun.get(0)));
            System.out.println(figures);
            assertThat(mostIn(WINDOW.minus(CLAIM), begun)).isLessThanOrEqualTo(MOST);
            assertThat(counted(cluster)).containsOnly(MOST);
            ProofReport.add("budget", figures);
        }
    }

    @Test
    void rejectsRequestsUntilTheTimeThatItTells() throws Exception {
        PosternProcess postern = homeFixtureExtension
                .newHome()
                .settings(
                        HomeFixture.hooks(),
                        "budgets: {few: {for: {agent: main}, runs: 1, per: 10s, whenSpent: refuse}}")
                .start();
        HookSender sender = postern.sender();
        PosternResponse first = sender.post("agent", MESSAGE, "Idempotency-Key", "first");
        sender.ended(first.text("runId"));

        PosternResponse refused = sender.post("agent", MESSAGE, "Idempotency-Key", "second");
        PosternResponse repeated = sender.post("agent", MESSAGE, "Idempotency-Key", "first");
        PosternResponse wake = sender.post("wake", "{\"text\":\"hello\"}");

        assertThat(refused.status()).isEqualTo(429);
        assertThat(refused.text("code")).isEqualTo("budget_spent");
        assertThat(refused.text("error")).isEqualTo("The budget few is spent. Nothing was accepted.");
        assertThat(repeated.text("runId")).isEqualTo(first.text("runId"));
        assertThat(wake.status()).isEqualTo(200);
        long seconds = Long.parseLong(refused.header("Retry-After"));
        assertThat(seconds).isBetween(1L, 10L);
        await("the room")
                .pollDelay(Duration.ofSeconds(seconds))
                .atMost(Duration.ofSeconds(seconds + 30))
                .untilAsserted(() -> assertThat(sender.post("agent", MESSAGE, "Idempotency-Key", "second")
                                .status())
                        .isEqualTo(202));
    }

    /** Sends a request until it is accepted, as senders do: a database that three nodes start on may be slow. */
    private static String accepted(Cluster.Node node, int number) {
        String body = "{\"n\":" + number + ",\"session\":\"s" + number % SESSIONS + "\"}";
        return await("an accepted request")
                .atMost(LONGEST)
                .until(() -> node.sender().post("paid", body, "Idempotency-Key", "request " + number), response -> {
                    assertThat(response.status()).isIn(202, 503);
                    return response.status() == 202;
                })
                .text("runId");
    }

    private static boolean isAnyHeld(Cluster.Node node, List<String> runs) throws IOException, InterruptedException {
        for (String run : runs) {
            if (node.sender().run(run).body().contains("\"heldBy\":\"paid\"")) {
                return true;
            }
        }
        return false;
    }

    /** The most of the times {@code at}, which ascend, that are in one window. */
    private static int mostIn(Duration window, List<Long> at) {
        int most = 0;
        int first = 0;
        for (int last = 0; last < at.size(); last++) {
            while (at.get(last) - at.get(first) >= window.toMillis()) {
                first++;
            }
            most = Math.max(most, last - first + 1);
        }
        return most;
    }

    /** What nodes have counted in the windows that end with a use and are full. */
    private static List<Integer> counted(Cluster cluster) {
        return cluster
                .column(
                        "SELECT (SELECT SUM(amount) FROM budget_use AS past WHERE past.at <= budget_use.at AND past.at > budget_use.at - "
                                + WINDOW.toMillis() + ") AS used FROM budget_use")
                .stream()
                .map(Integer::valueOf)
                .filter(used -> used >= MOST)
                .distinct()
                .toList();
    }
}
