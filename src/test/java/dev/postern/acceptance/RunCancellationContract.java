package dev.postern.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.model.OperatorResult;
import dev.postern.model.RunId;
import dev.postern.model.RunState;
import dev.postern.model.RunView;
import dev.postern.store.StoreException;
import dev.postern.store.TestDatabases;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The contract of cancelled runs, on every database. */
abstract class RunCancellationContract {

    private static final CancellationResult UNKNOWN = CancellationResult.of(new OperatorResult.NotFound());

    @TempDir
    Path home;

    private AcceptanceFixture fixture;

    abstract TestDatabases.Opener database(Path home);

    @BeforeEach
    void open() throws Exception {
        fixture = new AcceptanceFixture(database(home));
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void knowsNoRunThatThereIsNot() throws Exception {
        fixture.queue("hook:a");

        assertThat(cancel(new RunId("run_1"))).isEqualTo(UNKNOWN);
        assertThat(cancel(new RunId("' OR 1 = 1 --"))).isEqualTo(UNKNOWN);
        assertThat(fixture.intake.pending()).isEqualTo(1);
    }

    @Test
    void changesNothingOfARunThatHasEnded() throws Exception {
        fixture.queue("hook:a");
        ClaimedRun run = fixture.claimOne();
        finish(run, RunState.SUCCEEDED);
        RunView before = view(run.id());

        assertThat(cancel(run.id())).isEqualTo(hadEnded(RunState.SUCCEEDED));
        assertThat(view(run.id())).isEqualTo(before);
        assertThat(pendingCancellations()).isEmpty();
        assertThat(fixture.intake.pending()).isZero();
    }

    @Test
    void endsAQueuedRunAndContinuesWithTheNextOfItsSession() throws Exception {
        RunId first = fixture.queue("hook:a");
        fixture.clock.advance(Duration.ofSeconds(1));
        RunId second = fixture.queue("hook:a");
        RunId third = fixture.queue("hook:a");
        fixture.clock.advance(Duration.ofSeconds(1));

        EndedRun ended = Objects.requireNonNull(cancel(first).ended());

        assertThat(ended)
                .isEqualTo(new EndedRun(
                        first,
                        RunState.CANCELLED,
                        0,
                        AcceptanceFixture.turn("hook:a"),
                        "An operator has cancelled it.",
                        null));
        RunView view = view(first);
        assertThat(view.state()).isEqualTo(RunState.CANCELLED);
        assertThat(view.error()).isEqualTo("An operator has cancelled it.");
        assertThat(view.finishedAt()).isEqualTo(fixture.now());
        assertThat(view.startedAt()).isNull();
        assertThat(fixture.intake.pending()).isEqualTo(2);
        assertThat(fixture.store.read(RunRepository::oldestQueued))
                .contains(fixture.now().minusSeconds(1));
        assertThat(cancel(second).ended()).isNotNull();
        assertThat(fixture.claimOne().id()).isEqualTo(third);
    }

    @Test
    void leavesNothingReadyInASessionWhoseLastRunIsCancelled() throws Exception {
        RunId run = fixture.queue("hook:a");

        cancel(run);

        assertThat(fixture.store.read(RunRepository::oldestQueued)).isEmpty();
        assertThat(fixture.runsReady()).isZero();
        assertThat(cancel(run)).isEqualTo(hadEnded(RunState.CANCELLED));
        assertThat(fixture.intake.pending()).isZero();
    }

    @Test
    void leavesTheEarlierTurnInTheSessionAlone() throws Exception {
        fixture.queue("hook:a");
        RunId second = fixture.queue("hook:a");
        ClaimedRun first = fixture.claimOne();

        assertThat(cancel(second).ended()).isNotNull();

        assertThat(view(first.id()).state()).isEqualTo(RunState.RUNNING);
        assertThat(finish(first, RunState.SUCCEEDED)).isTrue();
        assertThat(fixture.runsReady()).isZero();
    }

    @Test
    void notesThatATurnIsToBeEndedAndLeavesItsRunToItsNode() throws Exception {
        fixture.queue("hook:a");
        ClaimedRun run = fixture.claimOne();

        assertThat(cancel(run.id())).isEqualTo(beingCancelled(run.id()));
        assertThat(cancel(run.id())).isEqualTo(beingCancelled(run.id()));

        assertThat(pendingCancellations()).containsExactly(new PendingCancellation(run.id(), RunState.RUNNING));
        assertThat(view(run.id()).state()).isEqualTo(RunState.RUNNING);
        assertThat(fixture.intake.pending()).isEqualTo(1);
        assertThat(finish(run, RunState.SUCCEEDED)).isTrue();
        assertThat(pendingCancellations()).isEmpty();
        assertThat(view(run.id()).state()).isEqualTo(RunState.SUCCEEDED);
    }

    @Test
    void beginsNoOtherAttemptOfARunToBeCancelled() throws Exception {
        RunId unwanted = fixture.queue("hook:a");
        RunId next = fixture.queue("hook:a");
        ClaimedRun interrupted = fixture.claimOne();
        cancel(unwanted);

        fixture.<Boolean>write(sql -> fixture.runRepository.release(sql, interrupted, null));

        ClaimedRun behind = fixture.claimOne();
        assertThat(behind.id()).isEqualTo(next);
        assertThat(pendingCancellations()).containsExactly(new PendingCancellation(unwanted, RunState.QUEUED));
        assertThat(cancel(unwanted).ended()).isNotNull();
        finish(behind, RunState.SUCCEEDED);
        assertThat(pendingCancellations()).isEmpty();
        assertThat(fixture.runsReady()).isZero();
        assertThat(fixture.intake.pending()).isZero();
    }

    @Test
    void beginsNoGivenBackRunThatIsToBeCancelled() throws Exception {
        RunId unwanted = fixture.queue("hook:a");
        ClaimedRun claimed = fixture.claimOne();
        cancel(unwanted);

        fixture.<Boolean>write(sql -> fixture.runRepository.giveBack(sql, claimed));

        assertThat(fixture.claim("node", 1)).isEmpty();
        EndedRun ended = Objects.requireNonNull(cancel(unwanted).ended());
        assertThat(ended.attempts()).isZero();
    }

    @Test
    void endsTheRunOfADeadNodeThatIsToBeEndedInsteadOfQueueingItAgain() throws Exception {
        RunId unwanted = fixture.queue("hook:a");
        RunId next = fixture.queue("hook:a");
        ClaimedRun lost = fixture.claim("dead", 1).get(0);
        cancel(unwanted);

        RecoveryResult recoveryResult = fixture.recover(5);

        assertThat(recoveryResult.ended()).singleElement().satisfies(run -> {
            assertThat(run.id()).isEqualTo(unwanted);
            assertThat(run.state()).isEqualTo(RunState.CANCELLED);
            assertThat(run.error()).isEqualTo("An operator has cancelled it.");
        });
        assertThat(view(unwanted).state()).isEqualTo(RunState.CANCELLED);
        assertThat(fixture.intake.pending()).isEqualTo(1);
        assertThat(pendingCancellations()).isEmpty();
        assertThat(finish(lost, RunState.SUCCEEDED)).isFalse();
        assertThat(fixture.claimOne().id()).isEqualTo(next);
    }

    private static CancellationResult beingCancelled(RunId run) {
        return CancellationResult.of(new OperatorResult.Done("The turn of the run ends within some seconds.", run));
    }

    private static CancellationResult hadEnded(RunState state) {
        return CancellationResult.of(new OperatorResult.Conflict("The run has already ended: " + state.wire() + "."));
    }

    private CancellationResult cancel(RunId run) throws StoreException {
        return fixture.write(sql -> fixture.runRepository.cancel(sql, run));
    }

    private List<PendingCancellation> pendingCancellations() throws StoreException {
        return fixture.store.read(fixture.runRepository::pendingCancellations);
    }

    private boolean finish(ClaimedRun run, RunState state) throws StoreException {
        return fixture.write(sql -> fixture.runRepository.finish(sql, run, state, null, null, null));
    }

    private RunView view(RunId id) {
        return fixture.intake.run(id).found().orElseThrow();
    }
}
