package dev.postern.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.postern.model.Receipt;
import dev.postern.model.RunId;
import dev.postern.model.RunState;
import dev.postern.model.RunView;
import dev.postern.model.SessionId;
import dev.postern.model.WakeMode;
import dev.postern.store.StoreException;
import dev.postern.store.TestDatabases;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The contract of runs that are claimed, ended and recovered, on every database. */
abstract class RunRepositoryContract {

    @TempDir
    Path home;

    TestDatabases.Opener database;
    AcceptanceFixture fixture;

    abstract TestDatabases.Opener database(Path home);

    @BeforeEach
    void open() throws Exception {
        database = database(home);
        fixture = new AcceptanceFixture(database, 100_000);
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void claimsNothingWhereNothingIsQueued() throws Exception {
        fixture.wake("look", WakeMode.NOW);

        assertThat(fixture.claim("node", 10)).isEmpty();
    }

    @Test
    void refusesToFinishARunInAStateThatHasNotEnded() throws Exception {
        fixture.queue("hook:a");
        ClaimedRun run = fixture.claimOne();

        assertThatThrownBy(() -> finish(run, RunState.QUEUED)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> finish(run, RunState.RUNNING)).isInstanceOf(IllegalArgumentException.class);
        assertThat(view(run.id()).state()).isEqualTo(RunState.RUNNING);
    }

    @Test
    void finishesARunOnlyOnce() throws Exception {
        fixture.queue("hook:a");
        ClaimedRun run = fixture.claimOne();
        assertThat(finish(run, RunState.SUCCEEDED)).isTrue();

        assertThat(finish(run, RunState.FAILED)).isFalse();
        assertThat(release(run)).isFalse();
        assertThat(giveBack(run)).isFalse();
        assertThat(view(run.id()).state()).isEqualTo(RunState.SUCCEEDED);
        assertThat(fixture.intake.pending()).isZero();
    }

    @Test
    void letsAHolderThatWasTakenForDeadChangeNothing() throws Exception {
        fixture.queue("hook:a");
        ClaimedRun lost = fixture.claim("dead", 1).get(0);
        recover(5);
        assertThat(finish(lost, RunState.SUCCEEDED)).isFalse();
        ClaimedRun again = fixture.claim("alive", 1).get(0);

        assertThat(again.id()).isEqualTo(lost.id());
        assertThat(again.fencingToken()).isGreaterThan(lost.fencingToken());
        assertThat(again.attempts()).isEqualTo(2);
        assertThat(finish(lost, RunState.SUCCEEDED)).isFalse();
        assertThat(release(lost)).isFalse();
        assertThat(giveBack(lost)).isFalse();
        assertThat(view(lost.id()).state()).isEqualTo(RunState.RUNNING);
        assertThat(fixture.intake.pending()).isEqualTo(1);
        assertThat(finish(again, RunState.SUCCEEDED)).isTrue();
        assertThat(fixture.intake.pending()).isZero();
    }

    @Test
    void neverClaimsASessionThatIsBusy() throws Exception {
        RunId first = fixture.queue("hook:a");
        RunId second = fixture.queue("hook:a");

        ClaimedRun run = fixture.claimOne();
        assertThat(run.id()).isEqualTo(first);
        assertThat(fixture.claim("node", 10)).isEmpty();
        assertThat(finish(run, RunState.SUCCEEDED)).isTrue();
        assertThat(fixture.claimOne().id()).isEqualTo(second);
        assertThat(fixture.claim("node", 10)).isEmpty();
    }

    @Test
    void claimsNoMoreThanAskedForAndThoseThatWaitLongestFirst() throws Exception {
        for (String key : List.of("hook:c", "hook:a", "hook:b")) {
            fixture.queue(key);
            fixture.clock.advance(Duration.ofMillis(1));
        }
        fixture.queue("hook:c");

        assertThat(keys(fixture.claim("node", 2))).containsExactly("hook:c", "hook:a");
        assertThat(keys(fixture.claim("node", 2))).containsExactly("hook:b");
    }

    @Test
    void countsTheWaitOfASessionFromItsOldestQueuedRun() throws Exception {
        fixture.queue("hook:a");
        fixture.clock.advance(Duration.ofSeconds(1));
        fixture.queue("hook:b");
        fixture.clock.advance(Duration.ofSeconds(1));
        fixture.queue("hook:a");
        ClaimedRun first = fixture.claimOne();
        assertThat(oldest()).isEqualTo(fixture.now().minusSeconds(1));
        assertThat(finish(first, RunState.SUCCEEDED)).isTrue();

        assertThat(keys(fixture.claim("node", 10))).containsExactly("hook:b", "hook:a");
        assertThat(fixture.store.read(RunRepository::oldestQueued)).isEmpty();
    }

    @Test
    void runsASessionInTheOrderOfAcceptanceEvenWithinOneMoment() throws Exception {
        List<RunId> accepted = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            fixture
                    .accept(
                            AcceptanceFixture.turn("hook:a"),
                            AcceptanceFixture.turn("hook:b"),
                            AcceptanceFixture.turn("hook:a"))
                    .stream()
                    .map(receipt -> (Receipt.Run) receipt)
                    .filter(receipt -> receipt.sessionKey().value().equals("hook:a"))
                    .forEach(receipt -> accepted.add(receipt.id()));
        }

        List<RunId> run = new ArrayList<>();
        for (int i = 0; i < accepted.size(); i++) {
            for (ClaimedRun claimed : fixture.claim("node", 2)) {
                if (claimed.session().value().equals("hook:a")) {
                    run.add(claimed.id());
                }
                assertThat(finish(claimed, RunState.SUCCEEDED)).isTrue();
            }
        }
        assertThat(run).isEqualTo(accepted);
    }

    @Test
    void putsAReleasedRunBackToTheHeadAndCountsTheAttempt() throws Exception {
        fixture.queue("hook:a");
        fixture.queue("hook:a");
        ClaimedRun run = fixture.claimOne();
        Instant started = fixture.now();
        fixture.clock.advance(Duration.ofSeconds(1));

        assertThat(release(run)).isTrue();
        assertThat(view(run.id()).state()).isEqualTo(RunState.QUEUED);
        assertThat(view(run.id()).attempts()).isEqualTo(1);
        assertThat(view(run.id()).startedAt()).isEqualTo(started);
        assertThat(fixture.intake.pending()).isEqualTo(2);
        ClaimedRun again = fixture.claimOne();
        assertThat(again.id()).isEqualTo(run.id());
        assertThat(again.attempts()).isEqualTo(2);
        assertThat(view(run.id()).startedAt()).isEqualTo(started);
    }

    @Test
    void givesBackARunThatNeverBeganWithoutCountingTheAttempt() throws Exception {
        RunId id = fixture.queue("hook:a");
        RunView before = view(id);

        assertThat(giveBack(fixture.claimOne())).isTrue();
        assertThat(view(id)).isEqualTo(before);
        assertThat(fixture.intake.pending()).isEqualTo(1);
    }

    @Test
    void givesALaterAttemptBackWithTheEarlierOneKept() throws Exception {
        RunId id = fixture.queue("hook:a");
        assertThat(release(fixture.claimOne())).isTrue();
        RunView before = view(id);

        assertThat(giveBack(fixture.claimOne())).isTrue();
        assertThat(view(id)).isEqualTo(before);
        assertThat(before.attempts()).isEqualTo(1);
        assertThat(before.startedAt()).isNotNull();
    }

    @Test
    void recoversTheRunsOfDeadNodesAlone() throws Exception {
        fixture.queue("hook:a");
        fixture.clock.advance(Duration.ofMillis(1));
        fixture.queue("hook:b");
        ClaimedRun ofDead = fixture.claim("dead", 1).get(0);
        fixture.enter("alive");
        ClaimedRun ofAlive = fixture.claim("alive", 1).get(0);

        assertThat(recover(2)).isEmpty();
        assertThat(view(ofDead.id()).state()).isEqualTo(RunState.QUEUED);
        assertThat(view(ofAlive.id()).state()).isEqualTo(RunState.RUNNING);
        assertThat(finish(ofAlive, RunState.SUCCEEDED)).isTrue();
        assertThat(recover(2)).isEmpty();
        assertThat(fixture.claimOne().id()).isEqualTo(ofDead.id());
    }

    @Test
    void failsARunOfADeadNodeThatHasNoAttemptLeft() throws Exception {
        fixture.queue("hook:a");
        RunId next = fixture.queue("hook:a");
        ClaimedRun first = fixture.claim("dead", 1).get(0);
        assertThat(recover(2)).isEmpty();
        ClaimedRun second = fixture.claim("dead", 1).get(0);
        fixture.clock.advance(Duration.ofSeconds(5));

        List<EndedRun> failed = recover(2);

        assertThat(failed)
                .containsExactly(new EndedRun(
                        first.id(),
                        RunState.FAILED,
                        2,
                        first.turn(),
                        "interrupted: the node that ran it ended, and no" + " attempt is left",
                        null));
        RunView view = view(second.id());
        assertThat(view.state()).isEqualTo(RunState.FAILED);
        assertThat(view.finishedAt()).isEqualTo(fixture.now());
        assertThat(view.error()).isEqualTo(failed.get(0).error());
        assertThat(fixture.intake.pending()).isEqualTo(1);
        assertThat(fixture.claimOne().id()).isEqualTo(next);
    }

    @Test
    void givesBackUnknownLocksOfANodeWithoutCountingAttempts() throws Exception {
        fixture.enter("me");
        RunId stray = fixture.queue("hook:a");
        RunView before = view(stray);
        fixture.queue("hook:b");
        assertThat(fixture.claim("me", 2)).hasSize(2);
        fixture.wake("look", WakeMode.NOW);
        fixture.clock.advance(HeartbeatRepository.SOON);
        Optional<ClaimedHeartbeat> beat = fixture.write(
                sql -> fixture.heartbeatRepository.claim(sql, "me", AcceptanceFixture.AGENT, fixture.now(), false));
        assertThat(beat).isPresent();
        fixture.queue("hook:c");
        ClaimedRun ofAnother = fixture.claim("another", 1).get(0);

        assertThat(giveBackAllBut("me", "hook:b")).isEqualTo(2);
        assertThat(view(stray)).isEqualTo(before);
        assertThat(fixture.heartbeatState()).isEqualTo(new HeartbeatState(fixture.now(), null, 0, null, false));
        assertThat(keys(fixture.claim("node", 10))).containsExactly("hook:a");
        assertThat(giveBackAllBut("me", "hook:b")).isZero();
        assertThat(finish(ofAnother, RunState.SUCCEEDED)).isTrue();
    }

    @Test
    void recoversAHeartbeatThatADeadNodeHeld() throws Exception {
        fixture.wake("look", WakeMode.NOW);
        fixture.clock.advance(HeartbeatRepository.SOON);
        ClaimedHeartbeat beat = fixture.write(sql ->
                        fixture.heartbeatRepository.claim(sql, "dead", AcceptanceFixture.AGENT, fixture.now(), false))
                .orElseThrow();
        List<ClaimedHeartbeat> recovered = new ArrayList<>();

        RecoveryResult result = fixture.write(sql -> fixture.runRepository.recover(sql, 2, (each, held) -> {
            recovered.add(held);
            fixture.heartbeatRepository.fail(each, held, fixture.now(), fixture.now());
        }));

        assertThat(result).isEqualTo(new RecoveryResult(1, 0, List.of()));
        assertThat(recovered).containsExactly(beat);
        assertThat(fixture.heartbeatState())
                .isEqualTo(new HeartbeatState(fixture.now(), null, 1, fixture.now(), false));
    }

    @Test
    void leavesAnUnknownHeartbeatThatNobodyRequestedToTheSchedule() throws Exception {
        fixture.enter("me");
        claimBySchedule("me");

        assertThat(giveBackAllBut("me")).isEqualTo(1);

        assertThat(fixture.heartbeatState()).isEqualTo(new HeartbeatState(null, null, 0, null, false));
    }

    @Test
    void tellsWhetherTheHeartbeatOfADeadNodeWasRequested() throws Exception {
        ClaimedHeartbeat scheduled = claimBySchedule("dead");
        assertThat(scheduled.askedFor()).isFalse();
        assertThat(recovered()).isEqualTo(scheduled);
        claimAsAnEarlierVersion();

        assertThat(recovered().askedFor()).as("an earlier version doesn't tell").isTrue();
    }

    @Test
    void asksForNoHeartbeatWhereADeadNodeHeldARun() throws Exception {
        fixture.queue("main:main");
        assertThat(fixture.claim("dead", 1)).hasSize(1);

        assertThat(recover(2)).isEmpty();
        assertThat(fixture.heartbeatState()).isEqualTo(new HeartbeatState(null, null, 0, null, false));
    }

    @Test
    void claimsTheRunsOfTwoAgentsWithOneKeySideBySide() throws Exception {
        fixture.accept(
                AcceptanceFixture.turn("hook:a"),
                AcceptanceFixture.turnOf("other", "hook:a"),
                AcceptanceFixture.turnOf("other", "hook:a"));

        assertThat(fixture.claim("node", 10))
                .extracting(
                        run -> run.turn().agentId(),
                        run -> run.turn().sessionKey().value())
                .containsExactlyInAnyOrder(tuple("main", "hook:a"), tuple("other", "hook:a"));
    }

    @Test
    void releasesASessionLockWithoutAQueuedRun() throws Exception {
        fixture.queue("hook:a");
        fixture.write(sql -> sql.update("DELETE FROM run"));

        assertThat(fixture.claim("node", 1)).isEmpty();
        assertThat(fixture.store.read(RunRepository::oldestQueued)).isEmpty();
    }

    @Test
    void neitherOverlapsNorReordersARunUnderManyClaimers() throws Exception {
        int sessions = 7;
        int each = 15;
        Map<String, List<RunId>> accepted = new ConcurrentHashMap<>();
        Map<String, List<RunId>> ran = new ConcurrentHashMap<>();
        Map<String, AtomicInteger> busy = new ConcurrentHashMap<>();
        AtomicInteger done = new AtomicInteger();
        ExecutorService threads = Executors.newCachedThreadPool();
        List<CompletableFuture<Void>> all = new ArrayList<>();
        for (int s = 0; s < sessions; s++) {
            String key = "hook:" + s;
            List<RunId> order = Collections.synchronizedList(new ArrayList<>());
            accepted.put(key, order);
            all.add(CompletableFuture.runAsync(
                    () -> IntStream.range(0, each).forEach(i -> order.add(fixture.queue(key))), threads));
        }
        for (int c = 0; c < 4; c++) {
            String node = "node" + c;
            all.add(CompletableFuture.runAsync(
                    () -> {
                        while (done.get() < sessions * each) {
                            for (ClaimedRun run : claimUnchecked(node)) {
                                String key = run.session().value();
                                AtomicInteger holders = busy.computeIfAbsent(key, k -> new AtomicInteger());
                                assertThat(holders.incrementAndGet()).isEqualTo(1);
                                ran.computeIfAbsent(key, k -> Collections.synchronizedList(new ArrayList<>()))
                                        .add(run.id());
                                holders.decrementAndGet();
                                assertThat(finishUnchecked(run)).isTrue();
                                done.incrementAndGet();
                            }
                        }
                    },
                    threads));
        }
        CompletableFuture.allOf(all.toArray(CompletableFuture<?>[]::new)).join();
        threads.shutdown();

        assertThat(ran).isEqualTo(accepted);
        assertThat(fixture.intake.pending()).isZero();
    }

    private List<ClaimedRun> claimUnchecked(String node) {
        try {
            return fixture.claim(node, 3);
        } catch (StoreException e) {
            throw new IllegalStateException(e);
        }
    }

    private boolean finishUnchecked(ClaimedRun run) {
        try {
            return finish(run, RunState.SUCCEEDED);
        } catch (StoreException e) {
            throw new IllegalStateException(e);
        }
    }

    private boolean finish(ClaimedRun run, RunState state) throws StoreException {
        return fixture.write(sql -> fixture.runRepository.finish(sql, run, state, null, null, null));
    }

    private boolean release(ClaimedRun run) throws StoreException {
        return fixture.write(sql -> fixture.runRepository.release(sql, run, null));
    }

    private boolean giveBack(ClaimedRun run) throws StoreException {
        return fixture.write(sql -> fixture.runRepository.giveBack(sql, run));
    }

    private List<EndedRun> recover(int maxAttempts) throws StoreException {
        return fixture.recover(maxAttempts).ended();
    }

    private ClaimedHeartbeat claimBySchedule(String node) throws StoreException {
        return fixture.write(sql ->
                        fixture.heartbeatRepository.claim(sql, node, AcceptanceFixture.AGENT, fixture.now(), true))
                .orElseThrow();
    }

    private void claimAsAnEarlierVersion() throws StoreException {
        fixture.write(sql -> sql.update("UPDATE session SET owner = 'dead', epoch = epoch + 1, beat_at = NULL"));
    }

    /** The heartbeat of a dead node, which is released and not requested again. */
    private ClaimedHeartbeat recovered() throws StoreException {
        List<ClaimedHeartbeat> recovered = new ArrayList<>();
        fixture.write(sql -> fixture.runRepository.recover(sql, 2, (each, held) -> {
            recovered.add(held);
            fixture.heartbeatRepository.release(each, held, null);
        }));
        return recovered.get(0);
    }

    private int giveBackAllBut(String node, String... held) throws StoreException {
        return fixture.write(sql -> fixture.runRepository.giveBackAllExcept(sql, node, Set.of(held)));
    }

    private RunView view(RunId id) throws StoreException {
        return fixture.intake.run(id).found().orElseThrow();
    }

    private Instant oldest() throws StoreException {
        return fixture.store.read(RunRepository::oldestQueued).orElseThrow();
    }

    private static List<String> keys(List<ClaimedRun> runs) {
        return runs.stream().map(ClaimedRun::session).map(SessionId::value).toList();
    }
}
