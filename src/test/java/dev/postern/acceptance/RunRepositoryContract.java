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
import dev.postern.store.Databases;
import dev.postern.store.StoreException;
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

    Databases.Opener database;
    Scene scene;

    abstract Databases.Opener database(Path home);

    @BeforeEach
    void open() throws Exception {
        database = database(home);
        scene = new Scene(database, 100_000);
    }

    @AfterEach
    void close() {
        scene.close();
    }

    @Test
    void claimsNothingWhereNothingIsQueued() throws Exception {
        scene.wake("look", WakeMode.NOW);

        assertThat(scene.claim("node", 10)).isEmpty();
    }

    @Test
    void refusesToFinishARunInAStateThatHasNotEnded() throws Exception {
        scene.queue("hook:a");
        ClaimedRun run = scene.claimOne();

        assertThatThrownBy(() -> finish(run, RunState.QUEUED)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> finish(run, RunState.RUNNING)).isInstanceOf(IllegalArgumentException.class);
        assertThat(view(run.id()).state()).isEqualTo(RunState.RUNNING);
    }

    @Test
    void finishesARunOnlyOnce() throws Exception {
        scene.queue("hook:a");
        ClaimedRun run = scene.claimOne();
        assertThat(finish(run, RunState.SUCCEEDED)).isTrue();

        assertThat(finish(run, RunState.FAILED)).isFalse();
        assertThat(release(run)).isFalse();
        assertThat(giveBack(run)).isFalse();
        assertThat(view(run.id()).state()).isEqualTo(RunState.SUCCEEDED);
        assertThat(scene.intake.pending()).isZero();
    }

    @Test
    void letsAHolderThatWasTakenForDeadChangeNothing() throws Exception {
        scene.queue("hook:a");
        ClaimedRun lost = scene.claim("dead", 1).get(0);
        recover(5);
        assertThat(finish(lost, RunState.SUCCEEDED)).isFalse();
        ClaimedRun again = scene.claim("alive", 1).get(0);

        assertThat(again.id()).isEqualTo(lost.id());
        assertThat(again.fencingToken()).isGreaterThan(lost.fencingToken());
        assertThat(again.attempts()).isEqualTo(2);
        assertThat(finish(lost, RunState.SUCCEEDED)).isFalse();
        assertThat(release(lost)).isFalse();
        assertThat(giveBack(lost)).isFalse();
        assertThat(view(lost.id()).state()).isEqualTo(RunState.RUNNING);
        assertThat(scene.intake.pending()).isEqualTo(1);
        assertThat(finish(again, RunState.SUCCEEDED)).isTrue();
        assertThat(scene.intake.pending()).isZero();
    }

    @Test
    void neverClaimsASessionThatIsBusy() throws Exception {
        RunId first = scene.queue("hook:a");
        RunId second = scene.queue("hook:a");

        ClaimedRun run = scene.claimOne();
        assertThat(run.id()).isEqualTo(first);
        assertThat(scene.claim("node", 10)).isEmpty();
        assertThat(finish(run, RunState.SUCCEEDED)).isTrue();
        assertThat(scene.claimOne().id()).isEqualTo(second);
        assertThat(scene.claim("node", 10)).isEmpty();
    }

    @Test
    void claimsNoMoreThanAskedForAndThoseThatWaitLongestFirst() throws Exception {
        for (String key : List.of("hook:c", "hook:a", "hook:b")) {
            scene.queue(key);
            scene.clock.advance(Duration.ofMillis(1));
        }
        scene.queue("hook:c");

        assertThat(keys(scene.claim("node", 2))).containsExactly("hook:c", "hook:a");
        assertThat(keys(scene.claim("node", 2))).containsExactly("hook:b");
    }

    @Test
    void countsTheWaitOfASessionFromItsOldestQueuedRun() throws Exception {
        scene.queue("hook:a");
        scene.clock.advance(Duration.ofSeconds(1));
        scene.queue("hook:b");
        scene.clock.advance(Duration.ofSeconds(1));
        scene.queue("hook:a");
        ClaimedRun first = scene.claimOne();
        assertThat(oldest()).isEqualTo(scene.now().minusSeconds(1));
        assertThat(finish(first, RunState.SUCCEEDED)).isTrue();

        assertThat(keys(scene.claim("node", 10))).containsExactly("hook:b", "hook:a");
        assertThat(scene.store.read(RunRepository::oldestQueued)).isEmpty();
    }

    @Test
    void runsASessionInTheOrderOfAcceptanceEvenWithinOneMoment() throws Exception {
        List<RunId> accepted = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            scene.accept(Scene.turn("hook:a"), Scene.turn("hook:b"), Scene.turn("hook:a")).stream()
                    .map(receipt -> (Receipt.Run) receipt)
                    .filter(receipt -> receipt.sessionKey().value().equals("hook:a"))
                    .forEach(receipt -> accepted.add(receipt.id()));
        }

        List<RunId> run = new ArrayList<>();
        for (int i = 0; i < accepted.size(); i++) {
            for (ClaimedRun claimed : scene.claim("node", 2)) {
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
        scene.queue("hook:a");
        scene.queue("hook:a");
        ClaimedRun run = scene.claimOne();
        Instant started = scene.now();
        scene.clock.advance(Duration.ofSeconds(1));

        assertThat(release(run)).isTrue();
        assertThat(view(run.id()).state()).isEqualTo(RunState.QUEUED);
        assertThat(view(run.id()).attempts()).isEqualTo(1);
        assertThat(view(run.id()).startedAt()).isEqualTo(started);
        assertThat(scene.intake.pending()).isEqualTo(2);
        ClaimedRun again = scene.claimOne();
        assertThat(again.id()).isEqualTo(run.id());
        assertThat(again.attempts()).isEqualTo(2);
        assertThat(view(run.id()).startedAt()).isEqualTo(started);
    }

    @Test
    void givesBackARunThatNeverBeganWithoutCountingTheAttempt() throws Exception {
        RunId id = scene.queue("hook:a");
        RunView before = view(id);

        assertThat(giveBack(scene.claimOne())).isTrue();
        assertThat(view(id)).isEqualTo(before);
        assertThat(scene.intake.pending()).isEqualTo(1);
    }

    @Test
    void givesALaterAttemptBackWithTheEarlierOneKept() throws Exception {
        RunId id = scene.queue("hook:a");
        assertThat(release(scene.claimOne())).isTrue();
        RunView before = view(id);

        assertThat(giveBack(scene.claimOne())).isTrue();
        assertThat(view(id)).isEqualTo(before);
        assertThat(before.attempts()).isEqualTo(1);
        assertThat(before.startedAt()).isNotNull();
    }

    @Test
    void recoversTheRunsOfDeadNodesAlone() throws Exception {
        scene.queue("hook:a");
        scene.clock.advance(Duration.ofMillis(1));
        scene.queue("hook:b");
        ClaimedRun ofDead = scene.claim("dead", 1).get(0);
        scene.enter("alive");
        ClaimedRun ofAlive = scene.claim("alive", 1).get(0);

        assertThat(recover(2)).isEmpty();
        assertThat(view(ofDead.id()).state()).isEqualTo(RunState.QUEUED);
        assertThat(view(ofAlive.id()).state()).isEqualTo(RunState.RUNNING);
        assertThat(finish(ofAlive, RunState.SUCCEEDED)).isTrue();
        assertThat(recover(2)).isEmpty();
        assertThat(scene.claimOne().id()).isEqualTo(ofDead.id());
    }

    @Test
    void failsARunOfADeadNodeThatHasNoAttemptLeft() throws Exception {
        scene.queue("hook:a");
        RunId next = scene.queue("hook:a");
        ClaimedRun first = scene.claim("dead", 1).get(0);
        assertThat(recover(2)).isEmpty();
        ClaimedRun second = scene.claim("dead", 1).get(0);
        scene.clock.advance(Duration.ofSeconds(5));

        List<EndedRun> failed = recover(2);

        assertThat(failed)
                .containsExactly(new EndedRun(
                        first.id(),
                        RunState.FAILED,
                        2,
                        first.turn(),
                        "interrupted: the node that ran it ended, and no" + " attempt is left"));
        RunView view = view(second.id());
        assertThat(view.state()).isEqualTo(RunState.FAILED);
        assertThat(view.finishedAt()).isEqualTo(scene.now());
        assertThat(view.error()).isEqualTo(failed.get(0).error());
        assertThat(scene.intake.pending()).isEqualTo(1);
        assertThat(scene.claimOne().id()).isEqualTo(next);
    }

    @Test
    void givesBackUnknownLocksOfANodeWithoutCountingAttempts() throws Exception {
        scene.enter("me");
        RunId stray = scene.queue("hook:a");
        RunView before = view(stray);
        scene.queue("hook:b");
        assertThat(scene.claim("me", 2)).hasSize(2);
        scene.wake("look", WakeMode.NOW);
        scene.clock.advance(EventRepository.SOON);
        Optional<ClaimedHeartbeat> beat =
                scene.write(sql -> scene.eventRepository.claimHeartbeat(sql, "me", Scene.AGENT, scene.now(), false));
        assertThat(beat).isPresent();
        scene.queue("hook:c");
        ClaimedRun ofAnother = scene.claim("another", 1).get(0);

        assertThat(giveBackAllBut("me", "hook:b")).isEqualTo(2);
        assertThat(view(stray)).isEqualTo(before);
        assertThat(scene.beatState()).isEqualTo(new HeartbeatState(scene.now(), null, 0, null, false));
        assertThat(keys(scene.claim("node", 10))).containsExactly("hook:a");
        assertThat(giveBackAllBut("me", "hook:b")).isZero();
        assertThat(finish(ofAnother, RunState.SUCCEEDED)).isTrue();
    }

    @Test
    void asksForAHeartbeatAgainThatADeadNodeHeld() throws Exception {
        scene.wake("look", WakeMode.NOW);
        scene.clock.advance(EventRepository.SOON);
        Optional<ClaimedHeartbeat> beat =
                scene.write(sql -> scene.eventRepository.claimHeartbeat(sql, "dead", Scene.AGENT, scene.now(), false));

        assertThat(beat).isPresent();

        assertThat(recover(2)).isEmpty();
        assertThat(scene.beatState()).isEqualTo(new HeartbeatState(scene.now(), null, 0, null, false));
        assertThat(scene.claim("node", 1)).isEmpty();
    }

    @Test
    void asksForNoHeartbeatWhereADeadNodeHeldARun() throws Exception {
        scene.queue("main:main");
        assertThat(scene.claim("dead", 1)).hasSize(1);

        assertThat(recover(2)).isEmpty();
        assertThat(scene.beatState()).isEqualTo(new HeartbeatState(null, null, 0, null, false));
    }

    @Test
    void claimsTheRunsOfTwoAgentsWithOneKeySideBySide() throws Exception {
        scene.accept(Scene.turn("hook:a"), Scene.turnOf("other", "hook:a"), Scene.turnOf("other", "hook:a"));

        assertThat(scene.claim("node", 10))
                .extracting(
                        run -> run.turn().agentId(),
                        run -> run.turn().sessionKey().value())
                .containsExactlyInAnyOrder(tuple("main", "hook:a"), tuple("other", "hook:a"));
    }

    @Test
    void releasesASessionLockWithoutAQueuedRun() throws Exception {
        scene.queue("hook:a");
        scene.write(sql -> sql.update("DELETE FROM run"));

        assertThat(scene.claim("node", 1)).isEmpty();
        assertThat(scene.store.read(RunRepository::oldestQueued)).isEmpty();
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
                    () -> IntStream.range(0, each).forEach(i -> order.add(scene.queue(key))), threads));
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
        assertThat(scene.intake.pending()).isZero();
    }

    private List<ClaimedRun> claimUnchecked(String node) {
        try {
            return scene.claim(node, 3);
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
        return scene.write(sql -> scene.runRepository.finish(sql, run, state, null, null, null));
    }

    private boolean release(ClaimedRun run) throws StoreException {
        return scene.write(sql -> scene.runRepository.release(sql, run));
    }

    private boolean giveBack(ClaimedRun run) throws StoreException {
        return scene.write(sql -> scene.runRepository.giveBack(sql, run));
    }

    private List<EndedRun> recover(int maxAttempts) throws StoreException {
        return scene.<RecoveryResult>write(sql -> scene.runRepository.recover(sql, maxAttempts))
                .ended();
    }

    private int giveBackAllBut(String node, String... held) throws StoreException {
        return scene.write(sql -> scene.runRepository.giveBackAllExcept(sql, node, Set.of(held)));
    }

    private RunView view(RunId id) throws StoreException {
        return scene.intake.run(id).found().orElseThrow();
    }

    private Instant oldest() throws StoreException {
        return scene.store.read(RunRepository::oldestQueued).orElseThrow();
    }

    private static List<String> keys(List<ClaimedRun> runs) {
        return runs.stream().map(ClaimedRun::session).map(SessionId::value).toList();
    }
}
