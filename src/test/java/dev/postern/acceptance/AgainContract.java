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
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The contract of runs that are accepted once more, on every database. */
abstract class AgainContract {

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
    void saysThatTheDatabaseIsGone() throws Exception {
        RunId run = ended("hook:a", RunState.FAILED);
        scene.store.close();

        assertThat(scene.intake.rerun(run)).isInstanceOf(OperatorResult.Unavailable.class);
    }

    @Test
    void knowsNoRunThatThereIsNot() throws Exception {
        RunId run = ended("hook:a", RunState.FAILED);
        scene.clock.advance(Duration.ofDays(31));
        scene.write(sql -> RetentionCleanup.prune(sql, scene.now(), scene.now(), 10));

        assertThat(scene.intake.rerun(run)).isEqualTo(new OperatorResult.NotFound());
        assertThat(scene.intake.rerun(new RunId("' OR 1 = 1 --"))).isEqualTo(new OperatorResult.NotFound());
    }

    @Test
    void leavesARunAloneThatHasNotEnded() throws Exception {
        RunId first = scene.queue("hook:a");
        RunId second = scene.queue("hook:a");
        scene.claimOne();

        assertThat(scene.intake.rerun(first))
                .isEqualTo(
                        new OperatorResult.Conflict("The run is still running. It can run again after it has ended."));
        assertThat(scene.intake.rerun(second))
                .isEqualTo(
                        new OperatorResult.Conflict("The run is still queued. It can run again after it has ended."));
        assertThat(scene.intake.pending()).isEqualTo(2);
    }

    @Test
    void acceptsNoMoreThanThereIsRoomFor() throws Exception {
        RunId run = ended("hook:a", RunState.SUCCEEDED);
        for (int i = 0; i < Scene.MAX_PENDING; i++) {
            scene.queue("hook:" + i);
        }

        assertThat(scene.intake.rerun(run))
                .isInstanceOfSatisfying(OperatorResult.Unavailable.class, full -> assertThat(full.sentence())
                        .contains("hooks.maxPending"));
        assertThat(scene.intake.pending()).isEqualTo(Scene.MAX_PENDING);
    }

    @Test
    void acceptsTheSameTurnAgainBehindTheQueueOfItsSession() throws Exception {
        RunId run = ended("hook:a", RunState.TIMED_OUT);
        RunQueries book = new RunQueries(scene.store);
        RunQueries.Asked asked = book.find(run).orElseThrow().asked();
        RunId queued = scene.queue("hook:a");
        scene.clock.advance(Duration.ofMinutes(1));

        RunId again = Objects.requireNonNull(((OperatorResult.Done) scene.intake.rerun(run)).run());

        assertThat(again).isNotEqualTo(run);
        RunView view = view(again);
        assertThat(view.state()).isEqualTo(RunState.QUEUED);
        assertThat(view.attempts()).isZero();
        assertThat(view.acceptedAt()).isEqualTo(scene.now());
        assertThat(view.startedAt()).isNull();
        assertThat(view.error()).isNull();
        assertThat(view.model()).isEqualTo("offline/echo");
        assertThat(book.find(again).orElseThrow().asked()).isEqualTo(asked);
        assertThat(scene.intake.pending()).isEqualTo(2);
        assertThat(finish(scene.claimOne(), RunState.SUCCEEDED)).isEqualTo(queued);
        ClaimedRun claimed = scene.claimOne();
        assertThat(claimed.id()).isEqualTo(again);
        assertThat(claimed.attempts()).isEqualTo(1);
        assertThat(claimed.turn()).isEqualTo(Scene.turn("hook:a"));
        assertThat(view(run).state()).isEqualTo(RunState.TIMED_OUT);
    }

    @Test
    void signalsDispatchToLookForWork() throws Exception {
        RunId run = ended("hook:a", RunState.CANCELLED);
        AtomicInteger told = new AtomicInteger();
        scene.intake.onAccepted(told::incrementAndGet);

        scene.intake.rerun(run);

        assertThat(told).hasValue(1);
    }

    private RunId ended(String session, RunState state) throws StoreException {
        scene.queue(session);
        return finish(scene.claimOne(), state);
    }

    private RunId finish(ClaimedRun run, RunState state) throws StoreException {
        boolean finished = scene.write(sql -> scene.runRepository.finish(sql, run, state, null, "why", null));
        assertThat(finished).isTrue();
        return run.id();
    }

    private RunView view(RunId id) {
        return scene.intake.run(id).found().orElseThrow();
    }
}
