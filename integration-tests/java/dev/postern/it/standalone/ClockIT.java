package dev.postern.it.standalone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postern.it.ProofReport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * A test of wall clocks that are set while Postern runs: an hour back, a day ahead, and apart between nodes. It needs libfaketime.
 * {@code -Dit.clock.keys=1000 -Dit.clock.replays=100} is the long one.
 */
@Tag("clock")
@Tag("long")
@Timeout(900)
class ClockIT {

    private static final int KEYS = Integer.getInteger("it.clock.keys", 50);
    private static final int REPLAYS = Integer.getInteger("it.clock.replays", 4);
    private static final int SESSIONS = 8;
    private static final Duration TRUE = Duration.ZERO;
    private static final Duration HOUR_BACK = Duration.ofHours(-1);
    private static final Duration DAY_AHEAD = Duration.ofDays(1);
    private static final List<Duration> CLOCKS = List.of(TRUE, HOUR_BACK, DAY_AHEAD);
    private static final Duration EVERY = Duration.ofSeconds(6);
    private static final Duration LONGEST = Duration.ofMinutes(5);
    private static final Duration SOON = TimeBound.of(Duration.ofSeconds(10));

    /** Longer than the clocks are apart, so that no key is forgotten. */
    private static final String KEEP_KEYS = "idempotencyTtl: 3d";

    private static final String KEYED = "{id: keyed, match: {path: keyed}, messageTemplate: '{{text}}',"
            + " wakeMode: next-heartbeat, deliver: false, sessionKey: 'hook:keyed:{{session}}'}";
    private static final String NO_HEARTBEATS = "heartbeat: {every: off}";
    private static final String UNFINISHED = "SELECT id FROM run WHERE finished_at IS NULL";

    private static final String RUNS =
            "SELECT message || '|' || id || '|' || state || '|' || attempts FROM run WHERE message LIKE '% %'";

    private static final String ENDED =
            "SELECT message FROM run WHERE message LIKE '% %' ORDER BY session_key, finished_at, seq";

    /** The ids of runs, each with the moment in which it was accepted, in milliseconds. */
    private static final String TIMES = "SELECT id || ' ' || accepted_at FROM run";

    /** The digits of the first ten characters of an id, which are its time in milliseconds. */
    private static final String BASE_32 = "0123456789abcdefghjkmnpqrstvwxyz";

    private static final String TAKEN = "SELECT text FROM event WHERE kind = 'wake' AND taken_at IS NOT NULL";

    /** Sessions whose lock was claimed more often than for one attempt at each of its runs. */
    private static final String CLAIMED_AGAIN =
            """
            SELECT key FROM session WHERE key LIKE '%hook:%'
            AND epoch <> (SELECT count(*) FROM run WHERE session_key = session.key)""";

    /** The sessions of turns in progress, with their owners and the numbers of their claims. */
    private static final String HOLDERS =
            "SELECT key || ' ' || owner || ' ' || epoch FROM session WHERE key LIKE '%hook:long:%' ORDER BY key";

    private static final Pattern HEARTBEATS = Pattern.compile("(?m)^postern_heartbeats_total ([0-9]+)");

    @RegisterExtension
    final HomeFixtureExtension homeFixtureExtension = HomeFixtureExtension.ofTest();

    /** The run of each key. */
    private final Map<String, String> runs = new ConcurrentHashMap<>();

    private final Queue<String> unexpected = new ConcurrentLinkedQueue<>();
    private final AtomicInteger answered = new AtomicInteger();

    @Test
    void eachKeyMakesOneRunWhileTheClockOfOneNodeIsSet() throws Exception {
        HomeFixture home = homeFixtureExtension
                .newHome()
                .settings(
                        HomeFixture.hooks(
                                "allowedSessionKeyPrefixes: ['hook:']", KEEP_KEYS, "mappings: [" + KEYED + "]"),
                        "agents: {defaults: {" + NO_HEARTBEATS + "}}");
        WallClock clock = WallClock.of(home, TRUE);
        PosternProcess postern = home.start();
        Instant began = Instant.now();

        replay(
                List.of(postern),
                round -> clock.set(CLOCKS.get((round + 1) % CLOCKS.size())),
                round -> clock.awaitSeenBy(postern));

        try (HomeDatabase database = home.database()) {
            await("all runs").atMost(LONGEST).until(() -> database.column(UNFINISHED)
                    .isEmpty());
            assertThat(unexpected).isEmpty();
            assertThat(database.column(RUNS)).containsExactlyInAnyOrderElementsOf(expected());
            assertThat(SequenceCheck.outOfOrder(database.column("SELECT message FROM run ORDER BY session_key, seq")))
                    .isEmpty();
            assertThat(database.column(CLAIMED_AGAIN)).isEmpty();
            assertThat(database.column("SELECT DISTINCT (accepted_at + 1800000) / 3600000 FROM run"))
                    .as("the times in the database")
                    .hasSizeGreaterThan(1);
        }
        report("one node", began);
    }

    @Test
    void keyMakesAnotherRunAfterItsTimeByTheClock() throws Exception {
        HomeFixture home = homeFixtureExtension
                .newHome()
                .settings(HomeFixture.hooks("idempotencyTtl: 23h"), "agents: {defaults: {" + NO_HEARTBEATS + "}}");
        WallClock clock = WallClock.of(home, TRUE);
        PosternProcess postern = home.start();
        String first = ask(postern, "hello");

        clock.set(HOUR_BACK);
        clock.awaitSeenBy(postern);
        assertThat(ask(postern, "hello")).isEqualTo(first);

        clock.set(DAY_AHEAD);
        clock.awaitSeenBy(postern);
        String second = ask(postern, "hello");
        assertThat(second).isNotEqualTo(first);
        assertThat(ask(postern, "hello")).isEqualTo(second);
        assertThat(postern.sender().ended(second).text("status")).isEqualTo("succeeded");
    }

    @Test
    void clockThatIsSetMakesNoStormOfHeartbeatsAndNoSilence() throws Exception {
        HomeFixture home = homeFixtureExtension
                .newHome()
                .settings(HomeFixture.hooks(), "agents: {defaults: {heartbeat: {every: " + EVERY.toSeconds() + "s}}}")
                .file("agents/main/HEARTBEAT.md", "Look at the plants.\n");
        WallClock clock = WallClock.of(home, TRUE);
        PosternProcess postern = home.start();
        awaitHeartbeats(postern, 1);

        long start = System.nanoTime();
        clock.set(DAY_AHEAD);
        clock.awaitSeenBy(postern);
        awaitHeartbeats(postern, 2);
        await("no further heartbeat than one each time")
                .ignoreExceptionsInstanceOf(IOException.class)
                .during(EVERY.dividedBy(2))
                .atMost(SOON)
                .until(() -> heartbeats(postern) <= 3 + (System.nanoTime() - start) / EVERY.toNanos());

        clock.set(HOUR_BACK);
        clock.awaitSeenBy(postern);
        awaitHeartbeats(postern, heartbeats(postern) + 1);
    }

    @Test
    void whatWaitsDoesNotWaitAnHourMoreAfterTheClockIsSetBack() throws Exception {
        HomeFixture home = homeFixtureExtension
                .newHome()
                .settings(
                        HomeFixture.hooks(
                                "allowedSessionKeyPrefixes: ['hook:']",
                                "mappings: [{id: paid, match: {path: paid}, messageTemplate: '{{text}}',"
                                        + " wakeMode: next-heartbeat, deliver: false, sessionKey: 'hook:paid'},"
                                        + " {id: storm, match: {path: storm}, messageTemplate: '{{text}}',"
                                        + " wakeMode: next-heartbeat, deliver: false, sessionKey: 'hook:storm',"
                                        + " coalesce: {key: storm, window: 2s, maxWait: 4s}}]"),
                        "agents: {defaults: {" + NO_HEARTBEATS + "}}",
                        "budgets: {few: {for: {hook: paid}, runs: 1, per: 15s}}");
        WallClock clock = WallClock.of(home, TRUE);
        PosternProcess postern = home.start();
        HookSender sender = postern.sender();
        try (HomeDatabase database = home.database()) {
            sender.ended(accepted(sender.post("paid", "{\"text\":\"paid 0\"}")));
            String held = accepted(sender.post("paid", "{\"text\":\"paid 1\"}"));
            await("a held run").atMost(LONGEST).until(() -> sender.run(held).body(), body -> body.contains("heldBy"));
            String collecting = accepted(sender.post("storm", "{\"text\":\"storm 0\"}"));
            wake(postern, "hello");

            clock.set(HOUR_BACK); // before the heartbeat, which is to begin 250 ms after its request

            await("a heartbeat").atMost(SOON).until(() -> database.column(TAKEN), List.of("hello")::equals);
            sender.ended(collecting);
            sender.ended(held);
            clock.awaitSeenBy(postern);
            wake(postern, "hello again");
            await("another heartbeat")
                    .atMost(SOON)
                    .until(() -> database.column(TAKEN).size() == 2);
        }
    }

    @Test
    void nodesWhoseClocksAreApartRunEachKeyOnceAndLoseNoLease() throws Exception {
        List<HomeFixture> homes = Stream.generate(homeFixtureExtension::newHome)
                .limit(CLOCKS.size())
                .toList();
        List<WallClock> clocks = new ArrayList<>();
        for (int i = 0; i < homes.size(); i++) {
            clocks.add(WallClock.of(homes.get(i), CLOCKS.get(i)));
        }
        Path go = homes.get(0).top().resolve("go");
        try (Cluster cluster = Cluster.start(
                homes,
                HomeFixture.hooks(
                        "allowedSessionKeyPrefixes: ['hook:']",
                        KEEP_KEYS,
                        "mappings: [" + KEYED
                                + ", {id: long, match: {path: long}, messageTemplate: long, agentId: long,"
                                + " wakeMode: next-heartbeat, deliver: false, sessionKey: 'hook:long:{{n}}'}]"),
                "agents: {maxConcurrent: 4, defaults: {model: offline/echo, timeoutSeconds: 900, " + NO_HEARTBEATS
                        + "}," + " list: [{id: main, default: true}, {id: long, model: program/x}]}",
                "providers: {offline: {kind: offline}, program: {kind: command, command: [" + waiting(homes.get(0), go)
                        + "]}}")) {
            List<PosternProcess> nodes =
                    cluster.nodes().stream().map(Cluster.Node::postern).toList();
            for (int i = 0; i < nodes.size(); i++) {
                clocks.get(i).awaitSeenBy(nodes.get(i));
            }
            for (int n = 0; n < 2 * nodes.size(); n++) {
                accepted(nodes.get(n % nodes.size()).sender().post("long", "{\"n\":" + n + "}"));
            }
            await("long turns")
                    .atMost(LONGEST)
                    .until(() -> cluster.column("SELECT id FROM run WHERE state = 'running'")
                                    .size()
                            == 2 * nodes.size());
            List<String> holders = cluster.column(HOLDERS);
            Instant began = Instant.now();

            replay(
                    nodes,
                    round -> clocks.get(round % clocks.size())
                            .set(CLOCKS.get((round % clocks.size() + round / clocks.size() + 1) % CLOCKS.size())),
                    round -> clocks.get(round % clocks.size()).awaitSeenBy(nodes.get(round % nodes.size())));
            assertThat(cluster.column(HOLDERS)).isEqualTo(holders);
            Files.createFile(go);
            await("all runs").atMost(LONGEST).until(() -> cluster.column(UNFINISHED)
                    .isEmpty());

            assertThat(unexpected).isEmpty();
            assertThat(cluster.column(RUNS)).containsExactlyInAnyOrderElementsOf(expected());
            assertThat(cluster.column(TIMES)).isNotEmpty().allSatisfy(ClockIT::assertTimeOfId);
            assertThat(SequenceCheck.outOfOrder(cluster.column(ENDED))).isEmpty();
            assertThat(cluster.column("SELECT id FROM run WHERE state <> 'succeeded' OR attempts <> 1"))
                    .isEmpty();
            assertThat(cluster.column(CLAIMED_AGAIN)).isEmpty();
            assertThat(cluster.column("SELECT id FROM node"))
                    .containsExactlyInAnyOrderElementsOf(
                            cluster.nodes().stream().map(Cluster.Node::id).toList());
            report("three nodes", began);
        }
    }

    /** A step of a test in one round of replays. */
    private interface Step {
        void take(int round) throws Exception;
    }

    /**
     * Sends all keys to all of {@code nodes} at once, and then again and again to one of them.
     *
     * @param move sets a clock while a round is on its way
     * @param after waits at the end of a round for what {@code move} has done
     */
    private void replay(List<PosternProcess> nodes, Step move, Step after) throws Exception {
        List<HookSender> senders = nodes.stream().map(PosternProcess::sender).toList();
        ExecutorService threads = Executors.newFixedThreadPool(SESSIONS);
        try {
            for (int i = 0; i <= REPLAYS; i++) {
                int round = i;
                int half = answered.get() + KEYS / 2;
                List<Future<?>> sending = new ArrayList<>();
                for (int s = 0; s < SESSIONS; s++) {
                    int session = s;
                    sending.add(threads.submit(() -> sendKeysOf(session, senders, round)));
                }
                await("half of a round")
                        .atMost(LONGEST)
                        .pollInterval(Duration.ofMillis(2))
                        .until(() -> answered.get() >= half);
                move.take(round);
                for (Future<?> each : sending) {
                    each.get();
                }
                after.take(round);
            }
        } finally {
            threads.shutdownNow();
        }
    }

    private void sendKeysOf(int session, List<HookSender> senders, int round) {
        for (int key = session; key < KEYS; key += SESSIONS) {
            String text = "s" + session + " " + key;
            String body = "{\"session\":\"s" + session + "\",\"text\":\"" + text + "\"}";
            List<HookSender> to = round == 0 ? senders : List.of(senders.get((key + round) % senders.size()));
            List<CompletableFuture<PosternResponse>> first = to.stream()
                    .map(sender -> sender.postLater("keyed", body, "Idempotency-Key", text))
                    .toList();
            for (int i = 0; i < first.size(); i++) {
                note(text, answer(first.get(i), to.get(i), body, text));
            }
            answered.incrementAndGet();
        }
    }

    /**
     * The answer to a request. A server gives up connections and bodies that its clock calls late, and a slow database takes
     * nothing, so a sender has to try again.
     */
    private static PosternResponse answer(
            CompletableFuture<PosternResponse> first, HookSender sender, String body, String key) {
        PosternResponse response = first.exceptionally(lost -> null).join();
        if (response != null && !isToRepeat(response)) {
            return response;
        }
        return await("an answer to " + key)
                .atMost(LONGEST)
                .ignoreExceptionsInstanceOf(IOException.class)
                .until(() -> sender.post("keyed", body, "Idempotency-Key", key), again -> !isToRepeat(again));
    }

    private static boolean isToRepeat(PosternResponse response) {
        return response.status() == 408 || response.status() == 503;
    }

    private void note(String key, PosternResponse response) {
        String run = response.text("runId");
        String before = response.status() == 202 ? runs.putIfAbsent(key, run) : "none";
        if (before != null && !before.equals(run)) {
            unexpected.add(key + ": " + response);
        }
    }

    private List<String> expected() {
        assertThat(runs).hasSize(KEYS);
        return runs.entrySet().stream()
                .map(each -> each.getKey() + "|" + each.getValue() + "|succeeded|1")
                .toList();
    }

    private void report(String where, Instant began) {
        String figures = String.format(
                "clocks of %s set %d times: %d keys, %d replays of each, %d runs, %s",
                where, REPLAYS + 1, KEYS, REPLAYS, runs.size(), Duration.between(began, Instant.now()));
        System.out.println(figures);
        ProofReport.add("clock", figures);
    }

    /** A program in {@code home} that replies once {@code go} is there. */
    private static Path waiting(HomeFixture home, Path go) throws IOException {
        Path program = Files.writeString(
                home.top().resolve("program"),
                "#!/bin/sh\ncat > /dev/null\nuntil [ -e " + go + " ]; do sleep 0.2; done\necho done\n");
        return Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
    }

    private static String ask(PosternProcess postern, String key) throws IOException, InterruptedException {
        return accepted(postern.sender()
                .post(
                        "agent",
                        "{\"message\":\"hello\",\"wakeMode\":\"next-heartbeat\",\"deliver\":false}",
                        "Idempotency-Key",
                        key));
    }

    private static void assertTimeOfId(String idAndTime) {
        String id = idAndTime.substring(idAndTime.indexOf('_') + 1, idAndTime.indexOf(' '));
        long time = 0;
        for (char digit : id.substring(0, 10).toCharArray()) {
            time = 32 * time + BASE_32.indexOf(digit);
        }
        long acceptedAt = Long.parseLong(idAndTime.substring(idAndTime.indexOf(' ') + 1));
        assertThat(Duration.ofMillis(Math.abs(time - acceptedAt))).as(idAndTime).isLessThan(Duration.ofMinutes(1));
    }

    private static String accepted(PosternResponse response) {
        assertThat(response.status()).as(response.body()).isEqualTo(202);
        return response.text("runId");
    }

    private static void wake(PosternProcess postern, String text) throws IOException, InterruptedException {
        assertThat(postern.sender().post("wake", "{\"text\":\"" + text + "\"}").status())
                .isEqualTo(200);
    }

    private static void awaitHeartbeats(PosternProcess postern, long number) {
        await("heartbeat " + number)
                .atMost(SOON)
                .ignoreExceptionsInstanceOf(IOException.class)
                .until(() -> heartbeats(postern) >= number);
    }

    private static long heartbeats(PosternProcess postern) throws IOException, InterruptedException {
        Matcher metric = HEARTBEATS.matcher(postern.sender().get("/metrics").body());
        assertThat(metric.find()).isTrue();
        return Long.parseLong(metric.group(1));
    }
}
