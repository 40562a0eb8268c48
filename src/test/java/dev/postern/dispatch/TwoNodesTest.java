package dev.postern.dispatch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postern.acceptance.RunEndWaiters;
import dev.postern.model.OperatorResult;
import dev.postern.model.RunId;
import dev.postern.model.RunState;
import dev.postern.model.RunView;
import dev.postern.model.WakeMode;
import dev.postern.store.TestDatabases;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A test of two nodes on one PostgreSQL. */
@Tag("long")
class TwoNodesTest {

    @TempDir
    Path home;

    private DispatchFixture one;
    private DispatchFixture two;

    @BeforeEach
    void begin() throws Exception {
        TestDatabases.Opener database = TestDatabases.postgres(home);
        one = new DispatchFixture(home, database).maxConcurrent(2).start();
        two = new DispatchFixture(home, database).maxConcurrent(2).start();
    }

    @AfterEach
    void end() {
        one.close();
        two.close();
    }

    @Test
    void areListedForTheOperator() throws Exception {
        assertThat(new NodeQueries(one.store).all(10))
                .extracting(NodeQueries.Line::id)
                .containsExactlyInAnyOrder(one.dispatcher.node(), two.dispatcher.node());
        assertThat(new NodeQueries(one.store).all(1)).hasSize(1);
    }

    @Test
    void runWhatEitherAcceptedInOrderAndNothingTwice() throws Exception {
        List<RunId> runs = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            runs.add((i % 2 == 0 ? one : two).run("hook:" + i % 5, "m" + i));
        }
        runs.forEach(one::ended);

        List<String> begun = new ArrayList<>(one.backend.begun);
        begun.addAll(two.backend.begun);
        assertThat(begun).hasSize(100).doesNotHaveDuplicates();
        for (int session = 0; session < 5; session++) {
            List<String> said = one
                    .texts("SELECT text FROM turn WHERE role = 'user' AND session_key = 'hook:" + session
                            + "' ORDER BY seq")
                    .stream()
                    .map(DispatchFixture::withoutBoundary)
                    .toList();
            List<String> accepted = new ArrayList<>();
            for (int i = session; i < 100; i += 5) {
                accepted.add("m" + i);
            }
            assertThat(said).isEqualTo(accepted);
        }
    }

    @Test
    void tellThoseWhoWaitOnTheOther() throws Exception {
        one.dispatcher.stop(Duration.ZERO);
        one.runEndWaiters = new RunEndWaiters(10_000, one.time::nanos);
        two.backend.hold("job");
        RunId job = two.run("hook:1", "job");
        await().until(() -> two.backend.running.get() == 1);
        Dispatcher idle = one.dispatcher();
        idle.start();
        for (int i = 0; i < 2_500; i++) {
            var unused = one.runEndWaiters.ended(new RunId("run_" + i), Duration.ofMinutes(2));
        }
        CompletableFuture<RunId> ended = one.runEndWaiters.ended(job, Duration.ofMinutes(2));

        two.backend.answer("job", "done");

        assertThat(ended.get(10, TimeUnit.SECONDS)).isEqualTo(job);
        assertThat(one.view(job).state()).isEqualTo(RunState.SUCCEEDED);
    }

    @Test
    void endATurnThatIsCancelledOnTheOther() throws Exception {
        one.dispatcher.stop(Duration.ZERO);
        two.backend.hold("job");
        RunId job = two.run("hook:1", "job");
        await().until(() -> two.backend.running.get() == 1);
        Dispatcher other = one.dispatcher();
        other.start();

        assertThat(other.operatorCommands().cancel(job)).isInstanceOf(OperatorResult.Done.class);

        RunView run = one.ended(job);
        assertThat(run.state()).isEqualTo(RunState.CANCELLED);
        assertThat(run.error()).isEqualTo("An operator has cancelled it.");
        assertThat(one.backend.begun).isEmpty();
        await().until(() -> two.backend.running.get() == 0);
    }

    @Test
    void endARunThatIsCancelledWhileItsNodeIsFrozen() throws Exception {
        one.dispatcher.stop(Duration.ZERO);
        two.backend.hold("job");
        RunId job = two.run("hook:1", "job");
        await().until(() -> two.backend.running.get() == 1);
        CountDownLatch thaw = new CountDownLatch(1);
        two.freeze(thaw);
        Dispatcher other = one.dispatcher();
        other.start();

        assertThat(other.operatorCommands().cancel(job)).isInstanceOf(OperatorResult.Done.class);

        RunView run = one.ended(job);
        assertThat(run.state()).isEqualTo(RunState.CANCELLED);
        assertThat(run.attempts()).isEqualTo(1);
        thaw.countDown();
        await().until(() -> two.dispatcher.metrics().running() == 0);
        assertThat(one.view(job)).isEqualTo(run);
        assertThat(one.backend.begun).isEmpty();
        assertThat(two.backend.begun).containsExactly("job");
    }

    @Test
    void takeOneHeartbeatBetweenThem() throws Exception {
        for (int i = 0; i < 20; i++) {
            (i % 2 == 0 ? one : two).wake("event " + i, WakeMode.NOW);
        }
        one.time.advance(Duration.ofMillis(250));
        two.time.advance(Duration.ofMillis(250));

        await().until(() -> one.eventTexts(true).isEmpty());
        List<String> begun = new ArrayList<>(one.backend.begun);
        begun.addAll(two.backend.begun);
        assertThat(String.join("\n", begun).lines()).hasSize(20).doesNotHaveDuplicates();
    }

    @Test
    void keepToTheHeartbeatScheduleWithClocksAMinuteApart() throws Exception {
        for (DispatchFixture node : List.of(one, two)) {
            node.dispatcher.stop(Duration.ZERO);
            node.heartbeat("every: 1s").sharedTime();
        }
        Files.createDirectories(one.workspace);
        Files.writeString(one.workspace.resolve("HEARTBEAT.md"), "look around");
        two.time.jump(Duration.ofMinutes(1));
        Instant began = Instant.now();
        one.start();
        two.start();

        await().until(() -> one.backend.begun.size() + two.backend.begun.size() >= 4);

        // The first may have come due while the nodes started.
        assertThat(Duration.between(began, Instant.now())).isGreaterThan(Duration.ofMillis(2_900));
    }

    @Test
    void interruptTurnsInALongOutageAndDeclareNoNodeDead() throws Exception {
        two.dispatcher.stop(Duration.ZERO);
        two.threads(new ThreadPoolExecutor(1, 1, 1, TimeUnit.SECONDS, new SynchronousQueue<>()));
        two.dispatcher().start();
        one.dispatcher.stop(Duration.ZERO);
        two.backend.hold("job");
        RunId job = two.run("hook:1", "job");
        await().until(() -> two.backend.running.get() == 1);
        one.dispatcher().start();
        one.store.writeAndWait(sql -> sql.update("UPDATE node SET started_at = 1"));

        one.store.writeAndWait(sql -> sql.update("ALTER TABLE node RENAME TO away"));
        await("the end of the lease").until(() -> two.backend.running.get() == 0);
        one.backend.answerNext("job", "again");
        two.backend.answerNext("job", "again");
        one.store.writeAndWait(sql -> sql.update("ALTER TABLE away RENAME TO node"));

        assertThat(two.ended(job).reply()).isEqualTo("again");
        assertThat(two.view(job).attempts()).isEqualTo(2);
        assertThat(one.texts("SELECT id AS text FROM node WHERE started_at = 1"))
                .as("nodes that no other node has removed")
                .hasSize(2);
    }

    @Test
    void beginNoTurnThatTheOtherTookOverWhileTheyWereFrozen() throws Exception {
        AtomicBoolean freezing = new AtomicBoolean();
        List<Runnable> notBegun = new CopyOnWriteArrayList<>();
        two.dispatcher.stop(Duration.ZERO);
        two.threads(new ThreadPoolExecutor(4, 4, 1, TimeUnit.SECONDS, new LinkedBlockingQueue<>()) {
            @Override
            public void execute(Runnable task) {
                if (freezing.get()) {
                    notBegun.add(task);
                } else {
                    super.execute(task);
                }
            }
        });
        two.dispatcher().start();
        one.dispatcher.stop(Duration.ZERO);
        freezing.set(true);
        RunId job = two.run("hook:1", "job");
        await().until(() -> !notBegun.isEmpty());
        CountDownLatch thaw = new CountDownLatch(1);
        two.freeze(thaw);

        one.dispatcher().start();
        assertThat(one.ended(job).attempts()).isEqualTo(2);
        List.copyOf(notBegun).forEach(Runnable::run);
        freezing.set(false);
        thaw.countDown();

        assertThat(two.backend.begun).isEmpty();
        assertThat(one.backend.begun).containsExactly("job");
    }

    @Test
    void letNoTurnGoOnThatWasFrozenWithItsNode() throws Exception {
        one.dispatcher.stop(Duration.ZERO);
        two.backend.hold("job");
        RunId job = two.run("hook:1", "job");
        await().until(() -> two.backend.running.get() == 1);
        CountDownLatch thaw = new CountDownLatch(1);
        two.freeze(thaw);

        one.dispatcher().start();
        assertThat(one.ended(job).attempts()).isEqualTo(2);

        assertThat(two.backend.cancellations).singleElement().satisfies(turn -> {
            assertThat(turn.outcome()).isNotDone();
            assertThat(turn.isRequested()).isTrue();
        });
        thaw.countDown();
        await().until(() -> two.backend.running.get() == 0);
    }

    @Test
    void giveUpTheTurnsThatTheOtherTookOver() throws Exception {
        one.dispatcher.stop(Duration.ZERO);
        two.backend.hold("job");
        RunId job = two.run("hook:1", "job");
        await().until(() -> two.backend.running.get() == 1);

        List<String> nodes = one.texts("SELECT id AS text FROM node");
        one.backend.answerNext("job", "again");
        two.backend.answerNext("job", "again");
        two.store.writeAndWait(sql -> {
            sql.update("DELETE FROM node");
            return two.runRepository.recover(sql, 2, (each, beat) -> {});
        });

        assertThat(two.ended(job).reply()).isEqualTo("again");
        await().until(() -> two.dispatcher.metrics().running() == 0);
        assertThat(two.texts("SELECT id AS text FROM node")).isEqualTo(nodes);
    }
}
