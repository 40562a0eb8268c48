package dev.postern.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.model.OperatorResult;
import dev.postern.model.RunId;
import dev.postern.model.RunState;
import dev.postern.model.RunView;
import dev.postern.store.Databases;
import dev.postern.store.StoreException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The contract of cancelled runs, on every database. */
abstract class CancelContract {

    private static final CancellationResult UNKNOWN = CancellationResult.of(new OperatorResult.NotFound());

    @TempDir
    Path home;

    private Scene scene;

    abstract Databases.Opener database(Path home);

    @BeforeEach
    void open() throws Exception {
        scene = new Scene(database(home));
    }

    @AfterEach
    void close() {
        scene.close();
    }

    @Test
    void knowsNoRunThatThereIsNot() throws Exception {
        scene.queue("hook:a");

        assertThat(cancel(new RunId("run_1"))).isEqualTo(UNKNOWN);
        assertThat(cancel(new RunId("' OR 1 = 1 --"))).isEqualTo(UNKNOWN);
        assertThat(scene.intake.pending()).isEqualTo(1);
    }

    @Test
    void changesNothingOfARunThatHasEnded() throws Exception {
        scene.queue("hook:a");
        ClaimedRun run = scene.claimOne();
        finish(run, RunState.SUCCEEDED);
        RunView before = view(run.id());

        assertThat(cancel(run.id())).isEqualTo(hadEnded(RunState.SUCCEEDED));
        assertThat(view(run.id())).isEqualTo(before);
        assertThat(unwanted()).isEmpty();
        assertThat(scene.intake.pending()).isZero();
    }

    @Test
    void endsAQueuedRunAndContinuesWithTheNextOfItsSession() throws Exception {
        RunId first = scene.queue("hook:a");
        scene.clock.advance(Duration.ofSeconds(1));
        RunId second = scene.queue("hook:a");
        RunId third = scene.queue("hook:a");
        scene.clock.advance(Duration.ofSeconds(1));

        EndedRun ended = Objects.requireNonNull(cancel(first).ended());

        assertThat(ended)
                .isEqualTo(new EndedRun(
                        first, RunState.CANCELLED, 0, Scene.turn("hook:a"), "An operator has cancelled it."));
        RunView view = view(first);
        assertThat(view.state()).isEqualTo(RunState.CANCELLED);
        assertThat(view.error()).isEqualTo("An operator has cancelled it.");
        assertThat(view.finishedAt()).isEqualTo(scene.now());
        assertThat(view.startedAt()).isNull();
        assertThat(scene.intake.pending()).isEqualTo(2);
        assertThat(scene.store.read(RunRepository::oldestQueued))
                .contains(scene.now().minusSeconds(1));
        assertThat(cancel(second).ended()).isNotNull();
        assertThat(scene.claimOne().id()).isEqualTo(third);
    }

    @Test
    void leavesNothingReadyInASessionWhoseLastRunIsCancelled() throws Exception {
        RunId run = scene.queue("hook:a");

        cancel(run);

        assertThat(scene.store.read(RunRepository::oldestQueued)).isEmpty();
        assertThat(scene.runsReady()).isZero();
        assertThat(cancel(run)).isEqualTo(hadEnded(RunState.CANCELLED));
        assertThat(scene.intake.pending()).isZero();
    }

    @Test
    void leavesTheEarlierTurnInTheSessionAlone() throws Exception {
        scene.queue("hook:a");
        RunId second = scene.queue("hook:a");
        ClaimedRun first = scene.claimOne();

        assertThat(cancel(second).ended()).isNotNull();

        assertThat(view(first.id()).state()).isEqualTo(RunState.RUNNING);
        assertThat(finish(first, RunState.SUCCEEDED)).isTrue();
        assertThat(scene.runsReady()).isZero();
    }

    @Test
    void notesThatATurnIsToBeEndedAndLeavesItsRunToItsNode() throws Exception {
        scene.queue("hook:a");
        ClaimedRun run = scene.claimOne();

        assertThat(cancel(run.id())).isEqualTo(beingCancelled(run.id()));
        assertThat(cancel(run.id())).isEqualTo(beingCancelled(run.id()));

        assertThat(unwanted()).containsExactly(new PendingCancellation(run.id(), RunState.RUNNING));
        assertThat(view(run.id()).state()).isEqualTo(RunState.RUNNING);
        assertThat(scene.intake.pending()).isEqualTo(1);
        assertThat(finish(run, RunState.SUCCEEDED)).isTrue();
        assertThat(unwanted()).isEmpty();
        assertThat(view(run.id()).state()).isEqualTo(RunState.SUCCEEDED);
    }

    @Test
    void beginsNoOtherAttemptOfARunToBeCancelled() throws Exception {
        RunId unwanted = scene.queue("hook:a");
        RunId next = scene.queue("hook:a");
        ClaimedRun interrupted = scene.claimOne();
        cancel(unwanted);

        scene.<Boolean>write(sql -> scene.runRepository.release(sql, interrupted));

        ClaimedRun behind = scene.claimOne();
        assertThat(behind.id()).isEqualTo(next);
        assertThat(unwanted()).containsExactly(new PendingCancellation(unwanted, RunState.QUEUED));
        assertThat(cancel(unwanted).ended()).isNotNull();
        finish(behind, RunState.SUCCEEDED);
        assertThat(unwanted()).isEmpty();
        assertThat(scene.runsReady()).isZero();
        assertThat(scene.intake.pending()).isZero();
    }

    @Test
    void beginsNoGivenBackRunThatIsToBeCancelled() throws Exception {
        RunId unwanted = scene.queue("hook:a");
        ClaimedRun claimed = scene.claimOne();
        cancel(unwanted);

        scene.<Boolean>write(sql -> scene.runRepository.giveBack(sql, claimed));

        assertThat(scene.claim("node", 1)).isEmpty();
        EndedRun ended = Objects.requireNonNull(cancel(unwanted).ended());
        assertThat(ended.attempts()).isZero();
    }

    @Test
    void endsTheRunOfADeadNodeThatIsToBeEndedInsteadOfQueueingItAgain() throws Exception {
        RunId unwanted = scene.queue("hook:a");
        RunId next = scene.queue("hook:a");
        ClaimedRun lost = scene.claim("dead", 1).get(0);
        cancel(unwanted);

        RecoveryResult recoveryResult = scene.write(sql -> scene.runRepository.recover(sql, 5));

        assertThat(recoveryResult.ended()).singleElement().satisfies(run -> {
            assertThat(run.id()).isEqualTo(unwanted);
            assertThat(run.state()).isEqualTo(RunState.CANCELLED);
            assertThat(run.error()).isEqualTo("An operator has cancelled it.");
        });
        assertThat(view(unwanted).state()).isEqualTo(RunState.CANCELLED);
        assertThat(scene.intake.pending()).isEqualTo(1);
        assertThat(unwanted()).isEmpty();
        assertThat(finish(lost, RunState.SUCCEEDED)).isFalse();
        assertThat(scene.claimOne().id()).isEqualTo(next);
    }

    private static CancellationResult beingCancelled(RunId run) {
        return CancellationResult.of(new OperatorResult.Done("The turn of the run ends within some seconds.", run));
    }

    private static CancellationResult hadEnded(RunState state) {
        return CancellationResult.of(new OperatorResult.Conflict("The run has already ended: " + state.wire() + "."));
    }

    private CancellationResult cancel(RunId run) throws StoreException {
        return scene.write(sql -> scene.runRepository.cancel(sql, run));
    }

    private List<PendingCancellation> unwanted() throws StoreException {
        return scene.store.read(scene.runRepository::pendingCancellations);
    }

    private boolean finish(ClaimedRun run, RunState state) throws StoreException {
        return scene.write(sql -> scene.runRepository.finish(sql, run, state, null, null, null));
    }

    private RunView view(RunId id) {
        return scene.intake.run(id).found().orElseThrow();
    }
}
