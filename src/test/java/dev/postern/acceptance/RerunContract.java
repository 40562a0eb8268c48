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
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The contract of runs that are accepted once more, on every database. */
abstract class RerunContract {

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
    void saysThatTheDatabaseIsGone() throws Exception {
        RunId run = ended("hook:a", RunState.FAILED);
        fixture.store.close();

        assertThat(fixture.intake.rerun(run, "0")).isInstanceOf(OperatorResult.Unavailable.class);
    }

    @Test
    void knowsNoRunThatThereIsNot() throws Exception {
        RunId run = ended("hook:a", RunState.FAILED);
        fixture.clock.advance(Duration.ofDays(31));
        fixture.write(sql -> RetentionCleanup.prune(sql, fixture.now(), fixture.now(), 10));

        assertThat(fixture.intake.rerun(run, "0")).isEqualTo(new OperatorResult.NotFound());
        assertThat(fixture.intake.rerun(new RunId("' OR 1 = 1 --"), "0")).isEqualTo(new OperatorResult.NotFound());
    }

    @Test
    void leavesARunAloneThatHasNotEnded() throws Exception {
        RunId first = fixture.queue("hook:a");
        RunId second = fixture.queue("hook:a");
        fixture.claimOne();

        assertThat(fixture.intake.rerun(first, "0"))
                .isEqualTo(
                        new OperatorResult.Conflict("The run is still running. It can run again after it has ended."));
        assertThat(fixture.intake.rerun(second, "0"))
                .isEqualTo(
                        new OperatorResult.Conflict("The run is still queued. It can run again after it has ended."));
        assertThat(fixture.intake.pending()).isEqualTo(2);
    }

    @Test
    void acceptsNoMoreThanThereIsRoomFor() throws Exception {
        RunId run = ended("hook:a", RunState.SUCCEEDED);
        for (int i = 0; i < AcceptanceFixture.MAX_PENDING; i++) {
            fixture.queue("hook:" + i);
        }

        assertThat(fixture.intake.rerun(run, "0"))
                .isInstanceOfSatisfying(OperatorResult.Unavailable.class, full -> assertThat(full.sentence())
                        .contains("hooks.maxPending"));
        assertThat(fixture.intake.pending()).isEqualTo(AcceptanceFixture.MAX_PENDING);
    }

    @Test
    void acceptsTheSameTurnAgainBehindTheQueueOfItsSession() throws Exception {
        RunId run = ended("hook:a", RunState.TIMED_OUT);
        RunQueries book = new RunQueries(fixture.store);
        RunQueries.Asked asked = book.find(run).orElseThrow().asked();
        RunId queued = fixture.queue("hook:a");
        fixture.clock.advance(Duration.ofMinutes(1));

        RunId again = Objects.requireNonNull(((OperatorResult.Done) fixture.intake.rerun(run, "0")).run());

        assertThat(again).isNotEqualTo(run);
        RunView view = view(again);
        assertThat(view.state()).isEqualTo(RunState.QUEUED);
        assertThat(view.attempts()).isZero();
        assertThat(view.acceptedAt()).isEqualTo(fixture.now());
        assertThat(view.startedAt()).isNull();
        assertThat(view.error()).isNull();
        assertThat(view.model()).isEqualTo("offline/echo");
        assertThat(book.find(again).orElseThrow().asked()).isEqualTo(asked);
        assertThat(fixture.intake.pending()).isEqualTo(2);
        assertThat(finish(fixture.claimOne(), RunState.SUCCEEDED)).isEqualTo(queued);
        ClaimedRun claimed = fixture.claimOne();
        assertThat(claimed.id()).isEqualTo(again);
        assertThat(claimed.attempts()).isEqualTo(1);
        assertThat(claimed.turn()).isEqualTo(AcceptanceFixture.turn("hook:a"));
        assertThat(view(run).state()).isEqualTo(RunState.TIMED_OUT);
    }

    @Test
    void acceptsAnAttemptOnce() throws Exception {
        RunId run = ended("hook:a", RunState.FAILED);
        RunId other = ended("hook:b", RunState.FAILED);

        OperatorResult first = fixture.intake.rerun(run, "1");
        OperatorResult second = fixture.intake.rerun(run, "1");

        assertThat(second)
                .isEqualTo(new OperatorResult.Done(
                        "The run was accepted again before; nothing was done.", ((OperatorResult.Done) first).run()));
        assertThat(fixture.intake.pending()).isEqualTo(1);
        assertThat(fixture.intake.rerun(run, "2")).isInstanceOf(OperatorResult.Done.class);
        assertThat(fixture.intake.rerun(other, "1")).isInstanceOf(OperatorResult.Done.class);
        assertThat(fixture.intake.pending()).isEqualTo(3);
    }

    @Test
    void leavesTheRunToItsSender() throws Exception {
        fixture.intake.accept(
                new Submission(List.of(AcceptanceFixture.turn("hook:a")), null, 2, "00", null, null, "ci"));
        RunId run = finish(fixture.claimOne(), RunState.FAILED);

        RunId again = Objects.requireNonNull(((OperatorResult.Done) fixture.intake.rerun(run, "1")).run());

        assertThat(view(run).sender()).isEqualTo("ci");
        assertThat(view(again).sender()).isEqualTo("ci");
    }

    @Test
    void signalsDispatchToLookForWork() throws Exception {
        RunId run = ended("hook:a", RunState.CANCELLED);
        AtomicInteger told = new AtomicInteger();
        fixture.intake.onAccepted(told::incrementAndGet);

        fixture.intake.rerun(run, "0");

        assertThat(told).hasValue(1);
    }

    private RunId ended(String session, RunState state) throws StoreException {
        fixture.queue(session);
        return finish(fixture.claimOne(), state);
    }

    private RunId finish(ClaimedRun run, RunState state) throws StoreException {
        boolean finished = fixture.write(sql -> fixture.runRepository.finish(sql, run, state, null, "why", null));
        assertThat(finished).isTrue();
        return run.id();
    }

    private RunView view(RunId id) {
        return fixture.intake.run(id).found().orElseThrow();
    }
}
