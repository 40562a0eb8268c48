package dev.postern.it.standalone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postern.it.ProofReport;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * A test of three nodes on one PostgreSQL that are killed and frozen while runs come in. {@code -Dit.sessions=200
 * -Dit.runs=50 -Dit.seconds=60} makes it long. {@code -Dit.seed} chooses the moments of an earlier run again, as far as
 * a clock can.
 */
@Tag("long")
@Tag("cluster")
@Timeout(600)
class ClusterIT {

    private static final int SESSIONS = Integer.getInteger("it.sessions", 40);
    private static final int RUNS = Integer.getInteger("it.runs", 10);
    private static final Duration FAULTS = Duration.ofSeconds(Integer.getInteger("it.seconds", 12));
    private static final long SEED = Long.getLong("it.seed", System.nanoTime());
    private static final Duration TAKE_OVER = TimeBound.of(Duration.ofSeconds(15));
    private static final Duration LONGEST = Duration.ofMinutes(5);

    /** In every fifth session a program takes the turns. */
    private static final int PROGRAMS = 5;

    /** The most nodes that are away at one time. */
    private static final int MOST_AWAY = 2;

    /**
     * A turn that finds another one of its session at work says so. It begins its work a moment after its start: one that was
     * being started when its node froze is started at the thaw, and ended at once.
     */
    private static final String PROGRAM =
            """
            #!/bin/sh
            sleep 0.1
            exec 9>> "$0.$POSTERN_SESSION_KEY"
            flock -n 9 || echo "$POSTERN_RUN_ID" >> "$0.overlaps"
            cat > /dev/null
            sleep 0.2
            echo taken
            """;

    private static final String UNFINISHED = "SELECT id FROM run WHERE finished_at IS NULL";

    private static final String WITHOUT_ONE_SUMMARY =
            """
            SELECT id FROM run WHERE state <> 'succeeded'
            OR (SELECT count(*) FROM event WHERE kind = 'summary' AND run_id = run.id) <> 1""";

    /** What was said in each session: as often as it was asked, and in the order in which it was. */
    private static final String SAID =
            """
            SELECT session_key || ': ' || string_agg(substring(text from 'number ([0-9]+)'), ' ' ORDER BY seq) FROM turn
            WHERE role = 'user' AND session_key LIKE 'hook:%' GROUP BY session_key""";

    @RegisterExtension
    final HomeFixtureExtension homeFixtureExtension = HomeFixtureExtension.ofTest();

    private final ConcurrentLinkedQueue<Duration> takeOvers = new ConcurrentLinkedQueue<>();
    /** Of nodes at a time at which no other one was there from the beginning to the end. */
    private final ConcurrentLinkedQueue<Duration> unwatched = new ConcurrentLinkedQueue<>();

    private final ConcurrentLinkedQueue<String> faults = new ConcurrentLinkedQueue<>();
    private Cluster cluster;
    private final Semaphore away = new Semaphore(MOST_AWAY);

    @Test
    void doesEverythingOnceAndInOrderWhileNodesAreKilledAndFrozen() throws Exception {
        Path program = program();
        try (Cluster started = Cluster.start(
                homeFixtureExtension,
                3,
                HomeFixture.hooks("allowRequestSessionKey: true"),
                "agents: {maxConcurrent: 8, defaults: {model: offline/echo, maxAttempts: 100, heartbeat: {every: off}}}",
                "providers: {offline: {kind: offline}, program: {kind: command, command: [" + program + "]}}")) {
            cluster = started;
            Instant end = Instant.now().plus(FAULTS);
            SteadyLoad load = new SteadyLoad(cluster, SESSIONS, RUNS, FAULTS, ClusterIT::body);
            ExecutorService threads = Executors.newCachedThreadPool();
            try {
                List<Future<?>> troublemakers = new ArrayList<>();
                for (int i = 0; i < cluster.nodes().size(); i++) {
                    Cluster.Node node = cluster.node(i);
                    Random random = new Random(SEED + i);
                    troublemakers.add(threads.submit(() -> trouble(node, random, end)));
                }
                for (Future<?> each : troublemakers) {
                    each.get();
                }
            } finally {
                threads.shutdownNow();
            }
            load.join();
            await().atMost(LONGEST)
                    .pollInterval(Duration.ofMillis(200))
                    .until(() -> cluster.column(UNFINISHED), List::isEmpty);
            Duration longest = takeOvers.stream().max(Duration::compareTo).orElse(Duration.ZERO);
            String figures = String.format(
                    "%d runs in %d sessions (seed %d), %d sent again; %s; %d take-overs of turns, the longest %s; of nobody who was"
                            + " there all the time %s; %s s",
                    SESSIONS * RUNS,
                    SESSIONS,
                    SEED,
                    load.repeated(),
                    faults,
                    takeOvers.size(),
                    longest,
                    unwatched,
                    Duration.between(end, Instant.now()).plus(FAULTS).toSeconds());
            System.out.println(figures);

            assertThat(cluster.column("SELECT count(*) FROM run")).containsExactly("" + SESSIONS * RUNS);
            assertThat(load.answered()).hasSize(SESSIONS * RUNS);
            assertThat(cluster.column("SELECT id FROM run")).containsExactlyInAnyOrderElementsOf(load.answered());
            assertThat(cluster.column(WITHOUT_ONE_SUMMARY)).isEmpty();
            assertThat(cluster.column(SAID)).containsExactlyInAnyOrderElementsOf(load.asked());
            assertThat(Path.of(program + ".overlaps")).doesNotExist();
            assertThat(longest).isLessThan(TAKE_OVER);
            ProofReport.add("cluster", figures);
        }
    }

    /** Kills {@code node} and starts it again, or freezes it and lets it go on, again and again. */
    private void trouble(Cluster.Node node, Random random, Instant end) {
        pass(random, 1_000, 4_000);
        while (Instant.now().isBefore(end)) {
            away.acquireUninterruptibly();
            try {
                if (random.nextBoolean()) {
                    kill(node, random);
                } else {
                    freeze(node, random);
                }
            } finally {
                away.release();
            }
            pass(random, 500, 4_000);
        }
    }

    private void kill(Cluster.Node node, Random random) {
        faults.add("killed");
        Instant gone = Instant.now();
        node.kill();
        noteTakeOver(node, gone);
        pass(random, 0, 2_000);
        node.start();
    }

    /** Half the time long enough to be taken for dead. */
    private void freeze(Cluster.Node node, Random random) {
        boolean isLong = random.nextBoolean();
        faults.add(isLong ? "frozen" : "frozen shortly");
        Instant gone = Instant.now();
        node.freeze();
        if (isLong) {
            noteTakeOver(node, gone);
        }
        pass(random, 500, 6_000);
        node.thaw();
    }

    private void noteTakeOver(Cluster.Node node, Instant gone) {
        Set<String> lanes = node.sessionLocks();
        if (!lanes.isEmpty()) {
            Duration took = node.awaitTakeover(lanes, gone);
            (cluster.isWatchedSince(gone) ? takeOvers : unwatched).add(took);
        }
    }

    private static void pass(Random random, int least, int most) {
        Instant end = Instant.now().plusMillis(least + random.nextInt(most - least));
        await().pollDelay(Duration.ZERO).pollInterval(Duration.ofMillis(5)).until(() -> Instant.now()
                .isAfter(end));
    }

    private static String body(int session, int run) {
        String model = session % PROGRAMS == 0 ? ",\"model\":\"program/x\"" : "";
        String wakeMode = session % 2 == 0 ? "now" : "next-heartbeat";
        return "{\"message\":\"number " + run + "\",\"sessionKey\":\"" + SteadyLoad.key(session) + "\",\"wakeMode\":\""
                + wakeMode + "\"" + model + "}";
    }

    private Path program() throws Exception {
        Path program = homeFixtureExtension
                .newHome()
                .file("turn.sh", PROGRAM)
                .directory()
                .resolve("turn.sh");
        assertThat(program.toFile().setExecutable(true)).isTrue();
        assertThat(Files.isExecutable(program)).isTrue();
        return program;
    }
}
