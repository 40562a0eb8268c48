package dev.postern.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.model.DeliveryState;
import dev.postern.model.HookResult;
import dev.postern.model.RunId;
import dev.postern.model.RunState;
import dev.postern.model.RunView;
import dev.postern.model.WakeMode;
import dev.postern.store.SqlTransaction;
import dev.postern.store.StoreException;
import dev.postern.store.TestDatabases;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A test of two nodes that share one PostgreSQL. */
class PostgresNodesTest {

    private static final int ROUNDS = 60;

    @TempDir
    Path home;

    private AcceptanceFixture one;
    private AcceptanceFixture two;
    private final ExecutorService threads = Executors.newCachedThreadPool();

    @BeforeEach
    void open() throws Exception {
        TestDatabases.Opener shared = TestDatabases.postgres(home);
        one = new AcceptanceFixture(shared, 100_000);
        two = new AcceptanceFixture(shared, 100_000);
    }

    @AfterEach
    void close() {
        threads.shutdown();
        one.close();
        two.close();
    }

    @Test
    void acceptOneKeyOnceHoweverTheyRace() throws Exception {
        for (int i = 0; i < ROUNDS; i++) {
            String key = "k" + i;
            List<CompletableFuture<HookResult.Accepted>> answers = new ArrayList<>();
            for (AcceptanceFixture node : List.of(one, two, one, two)) {
                answers.add(
                        go(() -> accepted(node, AcceptanceFixture.keyed(key, 1, AcceptanceFixture.turn("hook:a")))));
            }

            Set<Object> receipts = ConcurrentHashMap.newKeySet();
            long fresh = answers.stream()
                    .map(CompletableFuture::join)
                    .peek(accepted -> receipts.add(accepted.receipts()))
                    .filter(accepted -> !accepted.replayed())
                    .count();
            assertThat(fresh).isEqualTo(1);
            assertThat(receipts).hasSize(1);
        }
    }

    @Test
    void acceptTheSameSignedBytesOnceUnderWhateverNamesTheyRace() throws Exception {
        for (int i = 0; i < ROUNDS; i++) {
            String signed = "s" + i;
            List<CompletableFuture<HookResult.Accepted>> answers = new ArrayList<>();
            for (AcceptanceFixture node : List.of(one, two, one, two)) {
                IdempotencyKey key = new IdempotencyKey(signed + answers.size(), "00", true, signed);
                answers.add(go(() -> accepted(
                        node,
                        new Submission(
                                List.of(AcceptanceFixture.turn("hook:a")), key, 2, new byte[] {1, 2}, null, null))));
            }

            List<HookResult.Accepted> accepted =
                    answers.stream().map(CompletableFuture::join).toList();
            assertThat(accepted).filteredOn(answer -> !answer.replayed()).hasSize(1);
            assertThat(accepted)
                    .extracting(HookResult.Accepted::receipts)
                    .containsOnly(accepted.get(0).receipts());
        }
    }

    @Test
    void replaceAnExpiredKeyOnceHoweverTheyRace() throws Exception {
        for (int i = 0; i < ROUNDS; i++) {
            Submission submission = AcceptanceFixture.keyed("k" + i, 1, AcceptanceFixture.turn("hook:a"));
            one.intake.accept(submission);
            one.clock.advance(AcceptanceFixture.TTL);
            two.clock.advance(AcceptanceFixture.TTL);
            CompletableFuture<HookResult.Accepted> first = go(() -> accepted(one, submission));
            CompletableFuture<HookResult.Accepted> second = go(() -> accepted(two, submission));

            HookResult.Accepted a = first.join();
            HookResult.Accepted b = second.join();
            assertThat(a.receipts()).isEqualTo(b.receipts());
            assertThat(a.replayed()).isNotEqualTo(b.replayed());
        }
    }

    @Test
    void leaveNoRunBehindThatIsQueuedWhileAnotherFinishes() throws Exception {
        int sessions = 3;
        int each = 60;
        Map<String, List<RunId>> accepted = new ConcurrentHashMap<>();
        Map<String, List<RunId>> ran = new ConcurrentHashMap<>();
        AtomicBoolean allAccepted = new AtomicBoolean();
        List<CompletableFuture<?>> senders = new ArrayList<>();
        for (int s = 0; s < sessions; s++) {
            String key = "hook:" + s;
            AcceptanceFixture node = s % 2 == 0 ? one : two;
            List<RunId> order = Collections.synchronizedList(new ArrayList<>());
            accepted.put(key, order);
            senders.add(go(() -> {
                IntStream.range(0, each).forEach(i -> order.add(node.queue(key)));
                return order;
            }));
        }
        List<CompletableFuture<Boolean>> workers = new ArrayList<>();
        for (AcceptanceFixture node : List.of(one, two)) {
            workers.add(go(() -> work(node, allAccepted, ran)));
        }
        CompletableFuture.allOf(senders.toArray(CompletableFuture<?>[]::new)).join();
        allAccepted.set(true);
        workers.forEach(CompletableFuture::join);

        assertThat(ran).isEqualTo(accepted);
        assertThat(one.store.read(RunRepository::oldestQueued)).isEmpty();
        assertThat(one.runsReady()).isZero();
        assertThat(PendingActionCounter.of(one.store, System::nanoTime).value()).isZero();
    }

    @Test
    void claimAHeartbeatOnceInARace() throws Exception {
        for (int i = 0; i < ROUNDS; i++) {
            one.wake("look", WakeMode.NOW);
            one.clock.advance(HeartbeatRepository.SOON);
            two.clock.advance(HeartbeatRepository.SOON);
            List<CompletableFuture<Boolean>> claims = new ArrayList<>();
            for (AcceptanceFixture node : List.of(one, two)) {
                claims.add(go(() -> node.write(sql -> node.heartbeatRepository
                        .claim(sql, "n", AcceptanceFixture.AGENT, node.now(), true)
                        .isPresent())));
            }
            assertThat(claims).extracting(CompletableFuture::join).containsExactlyInAnyOrder(true, false);
            one.recover(1);
        }
    }

    @Test
    void recoverALockedSessionOfADeadNodeAtTheNextCheck() throws Exception {
        one.queue("hook:a");
        one.queue("hook:b");
        assertThat(one.claim("dead", 2)).hasSize(2);
        CountDownLatch locked = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        CompletableFuture<Boolean> holder = two.store.write(sql -> {
            sql.query("SELECT key FROM session WHERE key = 'hook:a' FOR UPDATE", row -> row.text("key"));
            locked.countDown();
            return await(release);
        });
        await(locked);

        RecoveryResult first = one.recover(2);
        release.countDown();
        assertThat(holder.join()).isTrue();
        RecoveryResult second = one.recover(2);

        assertThat(first).isEqualTo(new RecoveryResult(1, 1, List.of()));
        assertThat(second).isEqualTo(new RecoveryResult(1, 1, List.of()));
        assertThat(one.claim("alive", 2)).hasSize(2);
    }

    @Test
    void doNotWaitForANodeFrozenDuringATransaction() throws Exception {
        one.queue("hook:a");
        CountDownLatch locked = new CountDownLatch(1);
        CountDownLatch thaw = new CountDownLatch(1);
        CompletableFuture<Boolean> frozen = two.store.write(sql -> {
            sql.query("SELECT key FROM session WHERE key = 'hook:a' FOR UPDATE", row -> row.text("key"));
            locked.countDown();
            return await(thaw);
        });
        await(locked);
        Submission another = AcceptanceFixture.submission(AcceptanceFixture.turn("hook:a"));

        Awaitility.await("the end of its transaction")
                .atMost(Duration.ofSeconds(30))
                .until(() -> one.intake.accept(another) instanceof HookResult.Accepted);

        thaw.countDown();
        assertThat(frozen).failsWithin(Duration.ofSeconds(20));
    }

    @Test
    void showARunThatHasEndedWithItsDelivery() throws Exception {
        for (int i = 0; i < ROUNDS; i++) {
            RunId id = one.queue("hook:a");
            ClaimedRun run = one.claimOne();
            CompletableFuture<RunView> seen = go(() -> {
                RunView view = two.intake.run(id).found().orElseThrow();
                while (!view.state().ended()) {
                    view = two.intake.run(id).found().orElseThrow();
                }
                return view;
            });
            one.write(sql -> {
                one.runRepository.finish(sql, run, RunState.SUCCEEDED, "done", null, null);
                return sql.update(
                        "INSERT INTO delivery (id, run_id, agent_id, channel, text, state, attempts, created_at)"
                                + " VALUES (?, ?, 'main', 'ops', 'done', 'pending', 0, 0)",
                        "dlv_" + id.value(),
                        id.value());
            });
            assertThat(seen.join().delivery()).isEqualTo(DeliveryState.PENDING);
        }
    }

    @Test
    void neverWaitForEachOtherInACircleWhereARunEndsAndWakesComeIn() throws Exception {
        String behindMain = "zebra";
        one.queue(behindMain);
        ClaimedRun run = one.claimOne();
        Submission both = AcceptanceFixture.submission(
                AcceptanceFixture.wakeOf("look", WakeMode.NEXT_HEARTBEAT), AcceptanceFixture.turn(behindMain));
        List<CompletableFuture<HookResult>> accepting = new ArrayList<>();

        one.write(sql -> {
            one.runRepository.finish(sql, run, RunState.SUCCEEDED, "done", null, null);
            accepting.add(go(() -> two.intake.accept(both)));
            // The other node waits for a lock no longer than 400 ms.
            Awaitility.await()
                    .pollDelay(Duration.ZERO)
                    .pollInterval(Duration.ofMillis(5))
                    .until(() -> waitsForALock(sql));
            return one.eventRepository.post(
                    sql, AcceptanceFixture.AGENT, "done", run.turn().provenance(), run.id(), WakeMode.NEXT_HEARTBEAT);
        });

        assertThat(accepting.get(0).join()).isInstanceOf(HookResult.Accepted.class);
    }

    @Test
    void cancelARunOrFinishItHoweverTheyRace() throws Exception {
        List<RunId> runs = new ArrayList<>();
        for (int i = 0; i < 3 * ROUNDS; i++) {
            runs.add(one.queue("hook:" + i % 3));
        }
        AtomicBoolean allCancelled = new AtomicBoolean();
        Map<String, List<RunId>> ran = new ConcurrentHashMap<>();
        CompletableFuture<Boolean> worker = go(() -> work(one, allCancelled, ran));
        List<RunId> cancelled = new ArrayList<>();
        for (int i = runs.size() - 1; i >= 0; i--) {
            RunId run = runs.get(i);
            CancellationResult answer = two.write(sql -> two.runRepository.cancel(sql, run));
            if (answer.ended() != null) {
                cancelled.add(run);
            }
        }
        allCancelled.set(true);
        worker.join();

        List<RunId> all = new ArrayList<>(cancelled);
        ran.values().forEach(all::addAll);
        assertThat(all).hasSize(runs.size()).containsExactlyInAnyOrderElementsOf(runs);
        for (RunId run : runs) {
            assertThat(one.intake.run(run).found().orElseThrow().state())
                    .isEqualTo(cancelled.contains(run) ? RunState.CANCELLED : RunState.SUCCEEDED);
        }
        assertThat(PendingActionCounter.of(one.store, System::nanoTime).value()).isZero();
        assertThat(one.runsReady()).isZero();
    }

    /** The answer to a sender that sends {@code submission} again until it is taken: a lock may come too late. */
    private static HookResult.Accepted accepted(AcceptanceFixture node, Submission submission) {
        HookResult answer = node.intake.accept(submission);
        while (answer instanceof HookResult.Unavailable) {
            answer = node.intake.accept(submission);
        }
        return (HookResult.Accepted) answer;
    }

    private static boolean waitsForALock(SqlTransaction sql) throws SQLException {
        // A transaction keeps the view of other transactions that it had at its first statement.
        sql.query("SELECT pg_stat_clear_snapshot()", row -> true);
        return sql.first(
                        "SELECT count(*) AS waiting FROM pg_stat_activity"
                                + " WHERE wait_event_type = 'Lock' AND datname = current_database()",
                        row -> row.number("waiting"))
                .filter(waiting -> waiting > 0)
                .isPresent();
    }

    @Test
    void seeWhatTheOtherHasDoneOnceTheirCountIsTenSecondsOld() throws Exception {
        TestDatabases.Opener shared = TestDatabases.postgres(home);
        try (AcceptanceFixture accepting = new AcceptanceFixture(shared);
                AcceptanceFixture working = new AcceptanceFixture(shared)) {
            Submission unkeyed = AcceptanceFixture.submission(AcceptanceFixture.turn("hook:a"));
            Submission keyed = AcceptanceFixture.keyed("k", 1, AcceptanceFixture.turn("hook:a"));
            IntStream.range(0, AcceptanceFixture.MAX_PENDING).forEach(i -> accepting.queue("hook:" + i));
            for (ClaimedRun run : working.claim("node", AcceptanceFixture.MAX_PENDING)) {
                working.write(sql -> working.runRepository.finish(sql, run, RunState.SUCCEEDED, null, null, null));
            }
            accepting.clock.advance(PendingActionCounter.FRESH.minusMillis(1));
            assertThat(accepting.intake.accept(unkeyed)).isInstanceOf(HookResult.Overloaded.class);
            assertThat(accepting.intake.accept(keyed)).isInstanceOf(HookResult.Overloaded.class);
            accepting.clock.advance(Duration.ofMillis(1));

            assertThat(accepting.intake.accept(unkeyed)).isInstanceOf(HookResult.Accepted.class);
            assertThat(accepting.intake.pending()).isEqualTo(1);
        }
    }

    @Test
    void countWhatIsPendingOfBoth() throws Exception {
        TestDatabases.Opener shared = TestDatabases.postgres(home);
        try (AcceptanceFixture accepting = new AcceptanceFixture(shared);
                AcceptanceFixture working = new AcceptanceFixture(shared)) {
            IntStream.range(0, AcceptanceFixture.MAX_PENDING).forEach(i -> accepting.queue("hook:" + i));
            assertThat(working.intake.pending()).isEqualTo(AcceptanceFixture.MAX_PENDING);

            for (ClaimedRun run : working.claim("node", AcceptanceFixture.MAX_PENDING)) {
                working.write(sql -> working.runRepository.finish(sql, run, RunState.SUCCEEDED, null, null, null));
            }

            assertThat(accepting.intake.pending()).isZero();
            assertThat(working.intake.pending()).isZero();
        }
    }

    /** Claims and finishes runs until all were accepted and none is left. */
    private static boolean work(AcceptanceFixture node, AtomicBoolean allAccepted, Map<String, List<RunId>> ran)
            throws StoreException {
        while (true) {
            boolean last = allAccepted.get();
            List<ClaimedRun> claimed = node.claim("node", 2);
            for (ClaimedRun run : claimed) {
                ran.computeIfAbsent(run.session().value(), key -> Collections.synchronizedList(new ArrayList<>()))
                        .add(run.id());
                boolean finished =
                        node.write(sql -> node.runRepository.finish(sql, run, RunState.SUCCEEDED, null, null, null));
                assertThat(finished).isTrue();
            }
            if (last && claimed.isEmpty()) {
                return true;
            }
        }
    }

    private static boolean await(CountDownLatch latch) {
        try {
            return latch.await(30, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private <T> CompletableFuture<T> go(Callable<T> work) {
        return CompletableFuture.supplyAsync(
                () -> {
                    try {
                        return work.call();
                    } catch (Exception e) {
                        throw new IllegalStateException(e);
                    }
                },
                threads);
    }
}
