package dev.postern.dispatch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.postern.channel.Channel.Outcome;
import dev.postern.channel.ChannelRegistry;
import dev.postern.channel.StubChannel;
import dev.postern.model.AllowedAction;
import dev.postern.model.DeliveryState;
import dev.postern.model.OperatorInstructions;
import dev.postern.model.OperatorResult;
import dev.postern.model.Recipient;
import dev.postern.model.RunId;
import dev.postern.model.RunState;
import dev.postern.model.RunView;
import dev.postern.model.SessionKey;
import dev.postern.model.WakeMode;
import dev.postern.store.StoreException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The contract of the operator commands, on every database. */
abstract class OperatorCommandsContract {

    private static final String AT_NIGHT = "activeHours: {start: '22:00', end: '06:00', timezone: UTC}";
    private static final String CANCELLED = "An operator has cancelled it.";
    private static final String BEING_CANCELLED = "The turn of the run ends within some seconds.";

    private DispatchFixture fixture;

    /** A scenario on an empty database. */
    abstract DispatchFixture scenario() throws Exception;

    @BeforeEach
    void begin() throws Exception {
        fixture = scenario();
    }

    @AfterEach
    void end() {
        fixture.close();
    }

    @Test
    void saysThatTheDatabaseIsGone() throws StoreException {
        OperatorCommands operatorCommands = fixture.start().dispatcher.operatorCommands();
        fixture.store.close();

        assertThatThrownBy(() -> operatorCommands.cancel(new RunId("run_1"))).isInstanceOf(StoreException.class);
        assertThatThrownBy(() -> operatorCommands.requestHeartbeat("main")).isInstanceOf(StoreException.class);
        assertThatThrownBy(() -> operatorCommands.tryAgain("dlv_1")).isInstanceOf(StoreException.class);
        assertThatThrownBy(() -> operatorCommands.giveUp("dlv_1")).isInstanceOf(StoreException.class);
    }

    @Test
    void changesNothingOfWhatIsNotThereOrHasEnded() throws StoreException {
        OperatorCommands operatorCommands = fixture.start().dispatcher.operatorCommands();
        RunView run = fixture.ended(fixture.run("hook:1", "hello"));

        assertThat(operatorCommands.cancel(new RunId("run_1"))).isEqualTo(new OperatorResult.NotFound());
        assertThat(operatorCommands.cancel(run.id()))
                .isEqualTo(new OperatorResult.Conflict("The run has already ended: succeeded."));
        assertThat(operatorCommands.tryAgain("dlv_1")).isEqualTo(new OperatorResult.NotFound());
        assertThat(operatorCommands.giveUp("dlv_1")).isEqualTo(new OperatorResult.NotFound());
        assertThat(fixture.view(run.id())).isEqualTo(run);
    }

    @Test
    void endsAQueuedRunAndNotifiesItsWaiters() throws Exception {
        List<String> sent = new CopyOnWriteArrayList<>();
        fixture.channels(new ChannelRegistry(Map.of("ops", waitingForEnds(sent))))
                .maxConcurrent(0)
                .start();
        RunId run = fixture.run(to("ops"));
        CompletableFuture<RunId> ended = fixture.runEndWaiters.ended(run, Duration.ofMinutes(2));

        assertThat(fixture.dispatcher.operatorCommands().cancel(run))
                .isEqualTo(new OperatorResult.Done("The run is cancelled.", run));

        assertThat(ended.get(10, TimeUnit.SECONDS)).isEqualTo(run);
        RunView view = fixture.view(run);
        assertThat(view.state()).isEqualTo(RunState.CANCELLED);
        assertThat(view.error()).isEqualTo(CANCELLED);
        assertThat(fixture.eventTexts(true))
                .containsExactly("Hook GitHub (cancelled): " + CANCELLED + " [" + run + "]");
        await().untilAsserted(() -> assertThat(sent).containsExactly("CANCELLED " + CANCELLED));
        assertThat(fixture.dispatcher.metrics().ended()).containsEntry(RunState.CANCELLED, 1L);
        assertThat(fixture.intake.pending()).isZero();
        assertThat(fixture.dispatcher.operatorCommands().cancel(run))
                .isEqualTo(new OperatorResult.Conflict("The run has already ended: cancelled."));
    }

    @Test
    void endsATurnThatIsUnderWayAndGoesOnWithTheNext() throws StoreException {
        fixture.backend.hold("slow");
        fixture.start();
        RunId slow = fixture.run("hook:1", "slow");
        RunId next = fixture.run("hook:1", "next");
        await().until(() -> fixture.backend.begun.contains("slow"));

        assertThat(fixture.dispatcher.operatorCommands().cancel(slow).sentence())
                .isEqualTo(BEING_CANCELLED);

        RunView run = fixture.ended(slow);
        assertThat(run.state()).isEqualTo(RunState.CANCELLED);
        assertThat(run.error()).isEqualTo(CANCELLED);
        assertThat(run.attempts()).isEqualTo(1);
        assertThat(run.delivery()).isEqualTo(DeliveryState.NONE);
        assertThat(fixture.ended(next).state()).isEqualTo(RunState.SUCCEEDED);
        assertThat(fixture.eventTexts(true))
                .containsExactly(
                        "Hook GitHub (cancelled): " + CANCELLED + " [" + slow + "]",
                        "Hook GitHub: re: next [" + next + "]");
        assertThat(fixture.transcript("hook:1")).containsExactly("next", "re: next");
    }

    @Test
    void neverBeginsARunThatWasClaimedAndFoundNoThread() throws StoreException {
        fixture.threads(new ThreadPoolExecutor(1, 1, 1, TimeUnit.SECONDS, new SynchronousQueue<>()));
        fixture.backend.hold("busy");
        fixture.start();
        RunId busy = fixture.run("hook:1", "busy");
        await().until(() -> fixture.backend.begun.contains("busy"));
        RunId waiting = fixture.run("hook:2", "waiting");
        await().until(() -> fixture.view(waiting).state() == RunState.RUNNING);

        assertThat(fixture.dispatcher.operatorCommands().cancel(waiting).sentence())
                .isEqualTo(BEING_CANCELLED);
        fixture.backend.answer("busy", "done");

        assertThat(fixture.ended(busy).state()).isEqualTo(RunState.SUCCEEDED);
        assertThat(fixture.ended(waiting).state()).isEqualTo(RunState.CANCELLED);
        assertThat(fixture.view(waiting).attempts()).isZero();
        assertThat(fixture.backend.begun).containsExactly("busy");
    }

    @Test
    void endsARunAfterACrashInsteadOfBeginningItAgain() throws StoreException {
        fixture.maxAttempts(5).backend.hold("slow");
        fixture.start();
        RunId slow = fixture.run("hook:1", "slow");
        await().until(() -> fixture.backend.begun.contains("slow"));
        fixture.store.writeAndWait(sql -> fixture.runRepository.cancel(sql, slow));

        fixture.crashAndRestart();

        assertThat(fixture.ended(slow).state()).isEqualTo(RunState.CANCELLED);
        assertThat(fixture.backend.begun).containsExactly("slow");
        await().untilAsserted(() -> assertThat(fixture.eventTexts(true))
                .containsExactly("Hook GitHub (cancelled): " + CANCELLED + " [" + slow + "]"));
    }

    @Test
    void requestsNoHeartbeatOfAnUnknownAgent() throws StoreException {
        OperatorCommands operatorCommands = fixture.start().dispatcher.operatorCommands();

        assertThat(operatorCommands.requestHeartbeat("nobody")).isEqualTo(new OperatorResult.NotFound());
        assertThat(operatorCommands.requestHeartbeat("' OR 1 = 1 --")).isEqualTo(new OperatorResult.NotFound());
        assertThat(fixture.texts("SELECT key AS text FROM session")).isEmpty();
    }

    @Test
    void requestsAHeartbeatOutsideActiveHoursWithoutWaitingEvents() throws Exception {
        Files.createDirectories(fixture.workspace);
        Files.writeString(fixture.workspace.resolve("HEARTBEAT.md"), "look around");
        fixture.heartbeat(AT_NIGHT).start();

        assertThat(fixture.dispatcher.operatorCommands().requestHeartbeat("main"))
                .isInstanceOf(OperatorResult.Done.class);

        await().until(() -> fixture.dispatcher.metrics().heartbeats() == 1);
        assertThat(fixture.backend.prompts)
                .singleElement()
                .satisfies(prompt -> assertThat(prompt.message().text()).contains("look around"));
    }

    @Test
    void requestsNoHeartbeatWhileOneIsRunning() throws StoreException {
        fixture.backend.hold("disk is full");
        fixture.start();
        fixture.wake("disk is full", WakeMode.NEXT_HEARTBEAT);
        OperatorCommands operatorCommands = fixture.dispatcher.operatorCommands();
        assertThat(operatorCommands.requestHeartbeat("main")).isInstanceOf(OperatorResult.Done.class);
        await().until(() -> fixture.backend.running.get() == 1);

        assertThat(operatorCommands.requestHeartbeat("main")).isInstanceOf(OperatorResult.Conflict.class);

        fixture.backend.answer("disk is full", "deleted the logs");
        await().untilAsserted(() -> assertThat(fixture.inbox()).containsExactly("deleted the logs"));
        assertThat(fixture.eventTexts(true)).isEmpty();
    }

    @Test
    void sendsOrGivesUpADeliveryByHand() throws StoreException {
        AtomicReference<Outcome> outcome =
                new AtomicReference<>(new Outcome.Later(Duration.ofHours(1), "too many requests"));
        StubChannel channel = message -> outcome.get();
        fixture.channels(new ChannelRegistry(Map.of("ops", channel))).start();
        RunId run = fixture.run(to("ops"));
        await().until(() -> fixture.texts("SELECT reason AS text FROM delivery WHERE sender IS NULL AND failures = 1")
                .contains("too many requests"));
        String delivery = fixture.texts("SELECT id AS text FROM delivery").get(0);
        OperatorCommands operatorCommands = fixture.dispatcher.operatorCommands();

        assertThat(operatorCommands.giveUp(delivery)).isInstanceOf(OperatorResult.Done.class);

        assertThat(fixture.view(run).delivery()).isEqualTo(DeliveryState.FAILED);
        assertThat(fixture.eventTexts(true)).contains("Delivery to ops (C1) failed: An operator has given it up.");

        outcome.set(new Outcome.Sent(null));
        assertThat(operatorCommands.tryAgain(delivery)).isInstanceOf(OperatorResult.Done.class);
        await().until(() -> fixture.view(run).delivery() == DeliveryState.DELIVERED);
    }

    private static StubChannel waitingForEnds(List<String> sent) {
        return new StubChannel() {

            @Override
            public boolean tellsFailures() {
                return true;
            }

            @Override
            public Outcome send(Message message) {
                sent.add(message.outcome() + " " + message.text());
                return new Outcome.Sent(null);
            }
        };
    }

    private static AllowedAction.Turn to(String channel) {
        return new AllowedAction.Turn(
                /* agentId= */ "main",
                /* sessionKey= */ new SessionKey("hook:1"),
                /* message= */ "hello",
                /* name= */ "GitHub",
                /* wakeMode= */ WakeMode.NEXT_HEARTBEAT,
                /* deliver= */ true,
                /* recipient= */ new Recipient(channel, "C1"),
                /* model= */ "test/model",
                /* thinking= */ null,
                /* timeout= */ Duration.ofMinutes(10),
                /* provenance= */ DispatchFixture.OUTSIDE,
                /* operatorInstructions= */ OperatorInstructions.NONE);
    }
}
