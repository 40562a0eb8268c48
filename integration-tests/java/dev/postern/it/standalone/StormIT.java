package dev.postern.it.standalone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postern.it.ProofReport;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * A test of a storm of requests that become few runs, while nodes are killed. {@code -Dit.storm=10000 -Dit.storm.keys=50
 * -Dit.storm.connections=64 -Dit.storm.kills=6} is the long one.
 */
@Tag("long")
@Tag("storm")
@Timeout(900)
class StormIT {

    private static final int REQUESTS = Integer.getInteger("it.storm", 1_000);
    private static final int KEYS = Integer.getInteger("it.storm.keys", 10);
    private static final int CONNECTIONS = Integer.getInteger("it.storm.connections", 16);
    private static final int KILLS = Integer.getInteger("it.storm.kills", 2);
    private static final long SEED = Long.getLong("it.seed", System.nanoTime());
    private static final int NODES = 3;
    private static final Duration LONGEST = Duration.ofMinutes(2);

    private static final String HOOKS = HomeFixture.hooks(
            "allowedSessionKeyPrefixes: ['hook:']",
            "mappings: [{id: storm, match: {path: storm}, template: '{{payload.text}}', wakeMode: next-heartbeat,"
                    + " sessionKey: 'hook:storm:{{payload.key}}',"
                    + " coalesce: {key: '{{payload.key}}', window: 1s, maxWait: 5s, maxItems: 40}}]");

    /** The texts of all runs by session, in the order in which agents get them, with the run and the number in it. */
    private static final String ITEMS =
            """
            SELECT text || '|' || id || '|' || number FROM (
            SELECT run.session_key, run.seq, run.id, number, text FROM run JOIN request_item ON action_id = run.id
            UNION ALL SELECT session_key, seq, id, 1, message FROM run WHERE items IS NULL) AS item
            ORDER BY session_key, seq, number""";

    @RegisterExtension
    final HomeFixtureExtension homeFixtureExtension = HomeFixtureExtension.ofTest();

    /** An answered request: its text, its run, and its number in that run. */
    private record Answered(String text, String runId, long number) {

        static Answered of(String text, PosternResponse response) {
            long number = response.body().contains("\"coalesced\"") ? response.number("coalesced") : 1;
            return new Answered(text, response.text("runId"), number);
        }

        String line() {
            return text + "|" + runId + "|" + number;
        }
    }

    @Test
    void eachRequestIsInOneRunOfItsKeyInOrder() throws Exception {
        try (Cluster cluster = Cluster.start(homeFixtureExtension, NODES, HOOKS)) {
            Queue<Answered> answered = new ConcurrentLinkedQueue<>();
            AtomicInteger next = new AtomicInteger();
            ExecutorService senders = Executors.newFixedThreadPool(CONNECTIONS);
            try {
                List<Future<?>> running = new ArrayList<>();
                for (int i = 0; i < CONNECTIONS; i++) {
                    int connection = i;
                    running.add(senders.submit(() -> send(cluster, connection, next, answered)));
                }
                killSomeMeanwhile(cluster, answered);
                for (Future<?> each : running) {
                    each.get();
                }
            } finally {
                senders.shutdownNow();
            }
            await().atMost(LONGEST).until(() -> cluster.column("SELECT id FROM run WHERE finished_at IS NULL")
                    .isEmpty());

            List<String> items = cluster.column(ITEMS);
            String figures = String.format(
                    "storm (seed %d): %d requests, %d kills, %s runs",
                    SEED,
                    answered.size(),
                    KILLS,
                    cluster.column("SELECT count(*) FROM run").get(0));
            System.out.println(figures);
            assertThat(answered).hasSize(REQUESTS);
            assertThat(items)
                    .containsExactlyInAnyOrderElementsOf(
                            answered.stream().map(Answered::line).toList());
            assertThat(SequenceCheck.outOfOrder(items.stream()
                            .map(item -> item.substring(0, item.indexOf('|')))
                            .toList()))
                    .isEmpty();
            assertThat(cluster.column("SELECT id FROM request_group")).isEmpty();
            assertThat(cluster.column("SELECT id FROM run WHERE state <> 'succeeded'"))
                    .isEmpty();
            ProofReport.add("storm", figures);
        }
    }

    /** Sends requests one after the other, each until a node answers it. */
    private static void send(Cluster cluster, int connection, AtomicInteger next, Queue<Answered> answered) {
        for (int number = next.getAndIncrement(); number < REQUESTS; number = next.getAndIncrement()) {
            String key = "key" + number % KEYS;
            String text = key + " " + connection + " " + number;
            String body = "{\"key\":\"" + key + "\",\"text\":\"" + text + "\"}";
            int first = number;
            AtomicInteger attempt = new AtomicInteger();
            PosternResponse response = await().atMost(LONGEST)
                    .pollDelay(Duration.ZERO)
                    .pollInterval(Duration.ofMillis(100))
                    .ignoreExceptionsMatching(failure -> failure instanceof IOException)
                    .until(
                            () -> cluster.node((first + attempt.getAndIncrement()) % NODES)
                                    .sender()
                                    .post("storm", body, "Idempotency-Key", text),
                            answer -> answer.status() == 202);
            answered.add(Answered.of(text, response));
        }
    }

    /** Kills a node, and starts it again, each time that some more of the requests are answered. */
    private static void killSomeMeanwhile(Cluster cluster, Queue<Answered> answered) {
        Random random = new Random(SEED);
        for (int kill = 1; kill <= KILLS; kill++) {
            int some = REQUESTS * kill / (KILLS + 1);
            await().atMost(LONGEST).pollInterval(Duration.ofMillis(5)).until(() -> answered.size() >= some);
            Cluster.Node node = cluster.node(random.nextInt(NODES));
            node.kill();
            node.start();
        }
    }
}
