package dev.postern.dispatch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;
import static org.awaitility.Awaitility.await;

import dev.postern.agent.Backend;
import dev.postern.agent.PromptText;
import dev.postern.agent.TurnResult;
import dev.postern.channel.Channel;
import dev.postern.channel.ChannelRegistry;
import dev.postern.channel.StubChannel;
import dev.postern.model.AllowedAction;
import dev.postern.model.DeliveryState;
import dev.postern.model.OperatorInstructions;
import dev.postern.model.Provenance;
import dev.postern.model.Recipient;
import dev.postern.model.RunId;
import dev.postern.model.RunState;
import dev.postern.model.RunView;
import dev.postern.model.SessionKey;
import dev.postern.model.TurnPriority;
import dev.postern.model.WakeMode;
import dev.postern.observe.PackageLogCapture;
import dev.postern.store.StoreException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Level;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The contract of dispatch for runs, on every database. */
abstract class DispatchContract {

    private static final Duration TEN_MINUTES = Duration.ofMinutes(10);

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
    void failsARunWhoseProviderIsNotConfiguredAndSaysSo() throws StoreException {
        fixture.start();

        RunView run = fixture.ended(fixture.run(turn("hook:1", "hello", "openai/gpt")));

        assertThat(run.state()).isEqualTo(RunState.FAILED);
        assertThat(run.error()).startsWith("providers.openai is not configured: ");
        assertThat(run.delivery()).isEqualTo(DeliveryState.NONE);
        assertThat(fixture.eventTexts(true))
                .containsExactly("Hook GitHub (failed): " + run.error() + " [" + run.id() + "]");
        assertThat(fixture.transcript("hook:1")).isEmpty();
    }

    @Test
    void failsARunWhoseBackendBreaksWithoutRepeatingItsWords() throws StoreException {
        Backend broken = (prompt, turnCancellation) -> {
            throw new IllegalStateException("private: " + prompt.message().text());
        };
        fixture.provider("broken", broken).start();

        RunView run = fixture.ended(fixture.run(turn("hook:1", "secret", "broken/model")));

        assertThat(run.error()).isEqualTo("the backend of model broken/model broke: IllegalStateException");
    }

    @Test
    void warnsWithTheReasonOfAFailedRun() throws StoreException {
        fixture.provider(
                "test",
                (prompt, turnCancellation) ->
                        new TurnResult.Failed("the provider answered 401: check providers.test.apiKey"));
        try (PackageLogCapture log = new PackageLogCapture("dev.postern.dispatch")) {
            RunId run = fixture.start().run("hook:1", "secret");
            fixture.ended(run);

            await().untilAsserted(() -> assertThat(log.lines(Level.WARNING))
                    .singleElement(STRING)
                    .startsWith("Turn " + run + " of hook agent, agent main, model test/model: failed: the provider"
                            + " answered 401: check providers.test.apiKey ("));
        }
    }

    /** The request has chosen the model, and its name is in the reason. */
    @Test
    void warnsOfAFailedRunWithoutTextOfItsRequest() throws StoreException {
        fixture.start();
        try (PackageLogCapture log = new PackageLogCapture("dev.postern.dispatch")) {
            RunId run = fixture.run(turn("hook:1", "hello", "secret/words"));
            fixture.ended(run);

            await().untilAsserted(() -> assertThat(log.lines(Level.WARNING))
                    .singleElement(STRING)
                    .startsWith("Turn " + run + " of hook agent, agent main, model of the request's choice: failed,"
                            + " for the reason in the run ("));
        }
    }

    @Test
    void warnsOfARunThatTimedOut() throws StoreException {
        fixture.backend.hold("slow");
        fixture.start();
        try (PackageLogCapture log = new PackageLogCapture("dev.postern.dispatch")) {
            RunId slow = fixture.run("hook:1", "slow", Duration.ofSeconds(90), WakeMode.NEXT_HEARTBEAT);
            await().until(() -> fixture.backend.begun.contains("slow"));
            fixture.time.advance(Duration.ofSeconds(90));
            fixture.ended(slow);

            await().untilAsserted(() -> assertThat(log.lines(Level.WARNING))
                    .singleElement(STRING)
                    .contains(": timed_out: timed out after 90 s ("));
        }
    }

    @Test
    void releasesTheSessionLockOfATurnThatFailsWithAnError() throws StoreException {
        Backend broken = (prompt, turnCancellation) -> {
            throw new StackOverflowError("private");
        };
        fixture.provider("broken", broken).start();

        RunView first = fixture.ended(fixture.run(turn("hook:1", "one", "broken/model")));
        RunView second = fixture.ended(fixture.run("hook:1", "two"));

        assertThat(first.error()).isEqualTo("the turn broke: StackOverflowError");
        assertThat(second.state()).isEqualTo(RunState.SUCCEEDED);
    }

    @Test
    void timesOutARunAtItsDeadline() throws StoreException {
        fixture.backend.hold("slow");
        fixture.start();
        RunId slow = fixture.run("hook:1", "slow", Duration.ofSeconds(90), WakeMode.NEXT_HEARTBEAT);
        await().until(() -> fixture.backend.begun.contains("slow"));

        fixture.time.advance(Duration.ofSeconds(90));

        RunView run = fixture.ended(slow);
        assertThat(run.state()).isEqualTo(RunState.TIMED_OUT);
        assertThat(run.error()).isEqualTo("timed out after 90 s");
        assertThat(fixture.eventTexts(true))
                .containsExactly("Hook GitHub (timed_out): timed out after 90 s [" + slow + "]");
    }

    @Test
    void timesOutARunAtADeadlineOfASecond() throws StoreException {
        fixture.backend.hold("slow");
        fixture.start();
        RunId slow = fixture.run("hook:1", "slow", Duration.ofSeconds(1), WakeMode.NEXT_HEARTBEAT);
        await().until(() -> fixture.backend.begun.contains("slow"));

        fixture.time.advance(Duration.ofSeconds(1));

        assertThat(fixture.ended(slow).error()).isEqualTo("timed out after 1 s");
    }

    @Test
    void timesNoRunOutWhenTheClockIsSet() throws StoreException {
        fixture.backend.hold("slow");
        fixture.start();
        RunId slow = fixture.run("hook:1", "slow", Duration.ofSeconds(90), WakeMode.NEXT_HEARTBEAT);
        await().until(() -> fixture.backend.begun.contains("slow"));
        fixture.time.jump(Duration.ofDays(1));
        long before = fixture.dispatcher.metrics().claims();
        await().until(() -> fixture.dispatcher.metrics().claims() > before + 2);

        assertThat(fixture.view(slow).state()).isEqualTo(RunState.RUNNING);
        fixture.time.jump(Duration.ofDays(-2));
        fixture.time.advance(Duration.ofSeconds(90));
        assertThat(fixture.ended(slow).state()).isEqualTo(RunState.TIMED_OUT);
    }

    @Test
    void finishesARunInOneTransaction() throws StoreException {
        fixture.start();

        RunView run = fixture.ended(fixture.run("hook:1", "hello"));

        assertThat(run.state()).isEqualTo(RunState.SUCCEEDED);
        assertThat(run.reply()).isEqualTo("re: hello");
        assertThat(run.attempts()).isEqualTo(1);
        assertThat(run.delivery()).isEqualTo(DeliveryState.DELIVERED);
        assertThat(fixture.inbox()).containsExactly("re: hello");
        assertThat(fixture.transcript("hook:1")).containsExactly("hello", "re: hello");
        assertThat(fixture.eventTexts(true)).containsExactly("Hook GitHub: re: hello [" + run.id() + "]");
    }

    @Test
    void continuesTheConversationOfASession() throws StoreException {
        fixture.start();
        fixture.ended(fixture.run("hook:1", "one"));
        fixture.ended(fixture.run("hook:2", "elsewhere"));
        fixture.ended(fixture.run("hook:1", "two"));

        assertThat(fixture.backend.prompts.get(2).history())
                .extracting(line -> line.text())
                .satisfiesExactly(
                        said -> assertThat(said).contains("\none\n<<<END_EXTERNAL_UNTRUSTED_CONTENT"),
                        reply -> assertThat(reply).isEqualTo("re: one"));
    }

    @Test
    void holdsBackAReplyThatIsOnlyAnAcknowledgement() throws StoreException {
        fixture.backend.answer("anything new?", "HEARTBEAT_OK nothing");
        fixture.start();

        RunView run = fixture.ended(fixture.run("hook:1", "anything new?"));

        assertThat(run.delivery()).isEqualTo(DeliveryState.SUPPRESSED);
        assertThat(fixture.inbox()).isEmpty();
    }

    @Test
    void saysWhatToConfigureWhenTheChannelIsNot() throws StoreException {
        fixture.start();

        RunView run = fixture.ended(fixture.run(new AllowedAction.Turn(
                /* agentId= */ "main",
                /* sessionKey= */ new SessionKey("hook:1"),
                /* message= */ "hello",
                /* name= */ "Hook",
                /* wakeMode= */ WakeMode.NEXT_HEARTBEAT,
                /* deliver= */ true,
                /* recipient= */ new Recipient("slack", "C1"),
                /* model= */ "test/model",
                /* thinking= */ null,
                /* timeout= */ TEN_MINUTES,
                /* provenance= */ DispatchFixture.OUTSIDE,
                /* operatorInstructions= */ OperatorInstructions.NONE)));

        assertThat(run.state()).isEqualTo(RunState.SUCCEEDED);
        assertThat(run.delivery()).isEqualTo(DeliveryState.FAILED);
        assertThat(run.deliveries().get(0).reason())
                .isEqualTo("channel slack is not configured: set channels.slack.botToken");
    }

    private static AllowedAction.Turn hello(Provenance provenance, OperatorInstructions operatorInstructions) {
        return new AllowedAction.Turn(
                /* agentId= */ "main",
                /* sessionKey= */ new SessionKey("hook:1"),
                /* message= */ "hello",
                /* name= */ "Hook",
                /* wakeMode= */ WakeMode.NEXT_HEARTBEAT,
                /* deliver= */ false,
                /* recipient= */ Recipient.last(),
                /* model= */ "test/model",
                /* thinking= */ null,
                /* timeout= */ TEN_MINUTES,
                provenance,
                operatorInstructions);
    }

    @Test
    void treatsTheSummaryOfATrustedHookAsUntrusted() throws StoreException {
        fixture.start();

        fixture.ended(fixture.run(hello(new Provenance("nightly", true), OperatorInstructions.NONE)));

        assertThat(fixture.texts("SELECT text FROM event WHERE kind = 'summary' AND trusted = 0"))
                .hasSize(1);
    }

    @Test
    void putsAMappingsInstructionsBeforeUntrustedContent() throws StoreException {
        fixture.start();

        fixture.ended(fixture.run(hello(
                DispatchFixture.OUTSIDE,
                new OperatorInstructions(
                        "Answer in one word.",
                        Optional.empty(),
                        List.of(),
                        Optional.empty(),
                        TurnPriority.NORMAL,
                        null))));

        PromptText message = fixture.backend.prompts.get(0).message();
        assertThat(message.text())
                .startsWith("Answer in one word.\n")
                .containsPattern(
                        "(?s)<<<EXTERNAL_UNTRUSTED_CONTENT id=.*---\nhello\n<<<END_EXTERNAL_UNTRUSTED_CONTENT id=");
        assertThat(message.fromOutside()).isEqualTo("hello");
    }

    @Test
    void sendsTheFailureToChannelsThatWaitForTheEnd() throws StoreException {
        List<String> sent = new ArrayList<>();
        StubChannel waiting = new StubChannel() {

            @Override
            public boolean tellsFailures() {
                return true;
            }

            @Override
            public Outcome send(Message message) {
                sent.add(message.turnId() + " " + message.outcome() + " " + message.text());
                return new Outcome.Sent(null);
            }
        };
        fixture.backend.end("hello", new TurnResult.Failed("the model is away"));
        fixture.channels(new ChannelRegistry(Map.of("ops", waiting))).to("ops").start();

        RunId run = fixture.run("hook:1", "hello");

        await().until(() -> fixture.view(run).delivery() == DeliveryState.DELIVERED);
        assertThat(sent).containsExactly(run + " FAILED the model is away");
    }

    @Test
    void sendsNoFailureToOtherChannels() throws StoreException {
        fixture.backend.end("hello", new TurnResult.Failed("the model is away"));
        fixture.channels(new ChannelRegistry(Map.of("ops", (StubChannel) message -> new Channel.Outcome.Sent(null))))
                .to("ops")
                .start();

        RunId run = fixture.run("hook:1", "hello");

        await().until(() -> fixture.view(run).state() == RunState.FAILED);
        assertThat(fixture.view(run).delivery()).isEqualTo(DeliveryState.NONE);
    }

    @Test
    void sendsAReplyThroughItsChannel() throws StoreException {
        List<String> sent = new ArrayList<>();
        fixture.channels(new ChannelRegistry(Map.of("ops", (StubChannel) message -> {
                    sent.add(message.turnId() + " " + message.text());
                    return new Channel.Outcome.Sent(null);
                })))
                .to("ops")
                .start();

        RunId run = fixture.run("hook:1", "hello");

        await().until(() -> fixture.view(run).delivery() == DeliveryState.DELIVERED);
        assertThat(sent).containsExactly(run + " re: hello");
    }

    @Test
    void keepsTheOrderOfASessionAndNeverOverlapsIt() throws StoreException {
        fixture.start();
        List<RunId> runs = new ArrayList<>();
        List<String> messages = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            messages.add("m" + i);
            runs.add(fixture.run("hook:same", "m" + i));
        }

        runs.forEach(fixture::ended);

        assertThat(fixture.backend.begun).containsExactlyElementsOf(messages);
        assertThat(fixture.backend.mostAtOnce).hasValue(1);
    }

    @Test
    void runsSessionsSideBySideUpToTheLimit() throws StoreException {
        fixture.maxConcurrent(3).start();
        List<RunId> runs = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            fixture.backend.hold("m" + i);
            runs.add(fixture.run("hook:" + i, "m" + i));
        }

        await().until(() -> fixture.backend.running.get() == 3);
        assertThat(fixture.dispatcher.metrics().running()).isEqualTo(3);
        for (int i = 0; i < 6; i++) {
            fixture.backend.answer("m" + i, "done");
        }
        runs.forEach(fixture::ended);

        assertThat(fixture.backend.mostAtOnce).hasValue(3);
        assertThat(fixture.backend.begun.subList(0, 3)).containsExactlyInAnyOrder("m0", "m1", "m2");
    }

    @Test
    void tellsTheOperatorItsTurns() throws StoreException {
        fixture.maxConcurrent(3).start();
        fixture.backend.hold("busy");
        RunId run = fixture.run("hook:1", "busy");
        await().until(() -> fixture.backend.running.get() == 1);

        assertThat(new NodeQueries(fixture.store).all(10)).singleElement().satisfies(node -> {
            assertThat(node.id()).isEqualTo(fixture.dispatcher.node());
            assertThat(node.version()).isEqualTo("1.0");
            assertThat(node.turns()).isEqualTo(1);
            assertThat(node.mostTurns()).isEqualTo(3);
        });

        fixture.backend.answer("busy", "done");
        fixture.ended(run);
        assertThat(new NodeQueries(fixture.store).all(10))
                .extracting(NodeQueries.Line::turns)
                .containsExactly(0L);
    }

    @Test
    void waitsForAThreadWhenTheExecutorHasNone() throws StoreException {
        fixture.threads(new ThreadPoolExecutor(1, 1, 1, TimeUnit.SECONDS, new SynchronousQueue<>()))
                .start();
        fixture.backend.hold("first");
        RunId first = fixture.run("hook:1", "first");
        await().until(() -> fixture.backend.begun.contains("first"));
        RunId second = fixture.run("hook:2", "second");
        await().until(() -> fixture.dispatcher.metrics().running() == 2);

        fixture.backend.answer("first", "done");

        assertThat(fixture.ended(first).state()).isEqualTo(RunState.SUCCEEDED);
        assertThat(fixture.ended(second).attempts()).isEqualTo(1);
    }

    @Test
    void goesOnOnceTheSystemGivesThreadsAgain() throws StoreException {
        AtomicBoolean none = new AtomicBoolean();
        List<String> sent = new CopyOnWriteArrayList<>();
        StubChannel ops = message -> {
            sent.add(message.text());
            return new Channel.Outcome.Sent(null);
        };
        fixture.threads(new ThreadPoolExecutor(0, 8, 1, TimeUnit.SECONDS, new SynchronousQueue<>()) {
                    @Override
                    public void execute(Runnable task) {
                        if (none.get()) {
                            throw new OutOfMemoryError("unable to create native thread");
                        }
                        super.execute(task);
                    }
                })
                .channels(new ChannelRegistry(Map.of("ops", ops)))
                .to("ops")
                .start();
        none.set(true);
        RunId first = fixture.run("hook:1", "first");
        await().until(() -> fixture.dispatcher.metrics().running() == 1);
        RunId second = fixture.run("hook:2", "second");
        await().until(() -> fixture.dispatcher.metrics().running() == 2);
        assertThat(fixture.backend.begun).isEmpty();

        none.set(false);

        assertThat(fixture.ended(first).attempts()).isEqualTo(1);
        assertThat(fixture.ended(second).attempts()).isEqualTo(1);
        await().untilAsserted(() -> assertThat(sent).containsExactlyInAnyOrder("re: first", "re: second"));
    }

    @Test
    void claimsOnceTheClockThreadHasMemoryAgain() throws StoreException {
        fixture.start();
        fixture.noMemory = true;
        await().until(() -> fixture.unscheduled.get() > 1);
        fixture.noMemory = false;

        assertThat(fixture.ended(fixture.run("hook:1", "hello")).reply()).isEqualTo("re: hello");
    }

    @Test
    void renewsItsLeaseOnceTheClockThreadHasMemoryAgain() throws StoreException {
        fixture.start();
        fixture.noMemory = true;
        await().until(() -> fixture.unscheduled.get() > 1);
        fixture.noMemory = false;
        List<String> seen = fixture.texts("SELECT CAST(seen_at AS text) AS text FROM node");

        await().until(() ->
                !fixture.texts("SELECT CAST(seen_at AS text) AS text FROM node").equals(seen));
    }

    @Test
    void runsAgainWhatACrashInterrupted() throws StoreException {
        fixture.backend.hold("job");
        fixture.start();
        RunId job = fixture.run("hook:1", "job");
        RunId next = fixture.run("hook:1", "next");
        await().until(() -> fixture.backend.begun.contains("job"));

        fixture.backend.answerNext("job", "done at last");
        fixture.crashAndRestart();

        RunView run = fixture.ended(job);
        fixture.ended(next);
        assertThat(run.attempts()).isEqualTo(2);
        assertThat(fixture.dispatcher.metrics().interrupted()).isEqualTo(1);
        assertThat(run.reply()).isEqualTo("done at last");
        assertThat(fixture.backend.begun).containsExactly("job", "job", "next");
        assertThat(fixture.eventTexts(true).get(0))
                .isEqualTo("Hook GitHub: done at last [" + job + ", attempt 2 after an interruption]");
    }

    @Test
    void failsARunThatUsedUpItsAttemptsInCrashes() throws StoreException {
        fixture.backend.hold("deadly");
        fixture.start();
        RunId deadly = fixture.run("hook:1", "deadly");
        await().until(() -> fixture.backend.begun.size() == 1);
        fixture.crashAndRestart();
        await().until(() -> fixture.backend.begun.size() == 2);
        fixture.crashAndRestart();

        RunView run = fixture.ended(deadly);

        assertThat(run.state()).isEqualTo(RunState.FAILED);
        assertThat(run.error()).contains("no attempt is left");
        assertThat(fixture.eventTexts(true).get(0))
                .startsWith("Hook GitHub (failed): interrupted")
                .endsWith("[" + deadly + ", attempt 2 after an interruption]");
    }

    @Test
    void writesNothingOfATurnThatAnotherNodeTookOver() throws StoreException {
        fixture.backend.hold("job");
        fixture.start();
        RunId job = fixture.run("hook:1", "job");
        await().until(() -> fixture.backend.begun.size() == 1);
        fixture.store.writeAndWait(sql -> sql.update("UPDATE session SET epoch = epoch + 1"));

        fixture.backend.answer("job", "from the first");
        fixture.backend.answerNext("job", "from the second");
        RunView run = fixture.ended(job);
        fixture.dispatcher.stop(Duration.ZERO);

        assertThat(run.reply()).isEqualTo("from the second");
        assertThat(fixture.transcript("hook:1")).containsExactly("job", "from the second");
        assertThat(fixture.inbox()).containsExactly("from the second");
        assertThat(fixture.eventTexts(true)).hasSize(1);
    }

    @Test
    void waitsForTheEarlierTurnOfASessionThatItLostAndReclaimed() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        AtomicInteger begun = new AtomicInteger();
        Backend stubborn = (prompt, turnCancellation) -> {
            if (begun.incrementAndGet() > 1) {
                return new TurnResult.Replied("from the second");
            }
            awaitUninterruptibly(release);
            return new TurnResult.Replied("from the first");
        };
        fixture.provider("stubborn", stubborn).start();
        RunId job = fixture.run(turn("hook:1", "job", "stubborn/model"));
        await().until(() -> begun.get() == 1);
        fixture.store.writeAndWait(sql -> {
            sql.update("DELETE FROM node");
            return fixture.runRepository.recover(sql, 2, (each, beat) -> {});
        });
        await().until(() -> fixture.dispatcher.metrics().running() == 2);
        assertThat(begun).hasValue(1);

        release.countDown();

        assertThat(fixture.ended(job).reply()).isEqualTo("from the second");
        assertThat(fixture.transcript("hook:1")).containsExactly("job", "from the second");
    }

    @Test
    void givesBackWhatAClaimTookWhoseCommitWasNeverConfirmed() throws StoreException {
        fixture.maxConcurrent(0).start();
        RunId job = fixture.run("hook:1", "job");
        fixture.wake("look", WakeMode.NOW);
        fixture.time.advance(Duration.ofSeconds(1));
        claimAsItsNode();
        assertThat(held()).containsExactlyInAnyOrder("hook:1", "main:main");

        await().untilAsserted(() -> assertThat(held()).isEmpty());
        assertThat(fixture.view(job).state()).isEqualTo(RunState.QUEUED);
        assertThat(fixture.view(job).attempts()).isZero();
        assertThat(fixture.texts("SELECT key AS text FROM session WHERE beat_at IS NOT NULL"))
                .containsExactly("main:main");
    }

    @Test
    void holdsNothingMoreOnceItHasStopped() throws StoreException {
        fixture.maxConcurrent(0).start();
        RunId job = fixture.run("hook:1", "job");
        claimAsItsNode();

        fixture.dispatcher.stop(Duration.ZERO);

        assertThat(held()).isEmpty();
        assertThat(fixture.view(job).state()).isEqualTo(RunState.QUEUED);
        assertThat(fixture.view(job).attempts()).isZero();
        assertThat(fixture.texts("SELECT id AS text FROM node")).isEmpty();
    }

    @Test
    void givesBackAtAShutdownWhatItHasNotBegun() throws Exception {
        fixture.threads(new ThreadPoolExecutor(1, 1, 1, TimeUnit.SECONDS, new SynchronousQueue<>()))
                .start();
        fixture.backend.hold("first");
        RunId first = fixture.run("hook:1", "first");
        await().until(() -> fixture.backend.begun.contains("first"));
        RunId second = fixture.run("hook:2", "second");
        await().until(() -> fixture.dispatcher.metrics().running() == 2);

        CompletableFuture<Void> stopped =
                CompletableFuture.runAsync(() -> fixture.dispatcher.stop(Duration.ofSeconds(20)));
        await().until(() -> fixture.dispatcher.metrics().claims() > 0);
        fixture.backend.answer("first", "in time");
        stopped.get(20, TimeUnit.SECONDS);

        assertThat(fixture.view(first).state()).isEqualTo(RunState.SUCCEEDED);
        assertThat(fixture.view(second).state()).isEqualTo(RunState.QUEUED);
        assertThat(fixture.view(second).attempts()).isZero();
        assertThat(fixture.backend.begun).containsExactly("first");
    }

    @Test
    void writesTheEndOfATurnOnceTheDatabaseTakesItAgain() throws StoreException {
        fixture.backend.hold("job");
        fixture.start();
        RunId job = fixture.run("hook:1", "job");
        await().until(() -> fixture.backend.begun.size() == 1);
        fixture.store.writeAndWait(sql -> sql.update("ALTER TABLE turn RENAME TO gone"));

        fixture.backend.answer("job", "not lost");
        await().until(() -> fixture.backend.running.get() == 0);
        fixture.store.writeAndWait(sql -> sql.update("ALTER TABLE gone RENAME TO turn"));

        assertThat(fixture.ended(job).reply()).isEqualTo("not lost");
        assertThat(fixture.backend.begun).containsExactly("job");
    }

    @Test
    void countsNoAttemptWhileATurnCannotBegin() throws StoreException {
        fixture.maxAttempts(1).start();
        fixture.store.writeAndWait(sql -> sql.update("ALTER TABLE turn RENAME TO gone"));
        RunId job = fixture.run("hook:1", "job");
        await("that it is given back and claimed again")
                .until(() -> !fixture.texts("SELECT key AS text FROM session WHERE epoch > 1")
                        .isEmpty());

        fixture.store.writeAndWait(sql -> sql.update("ALTER TABLE gone RENAME TO turn"));

        assertThat(fixture.ended(job).reply()).isEqualTo("re: job");
        assertThat(fixture.view(job).attempts()).isEqualTo(1);
        assertThat(fixture.backend.begun).containsExactly("job");
    }

    @Test
    void claimsNothingMoreOnceItStops() throws StoreException {
        fixture.start();
        fixture.dispatcher.stop(Duration.ZERO);

        RunId late = fixture.run("hook:1", "late");

        assertThat(fixture.view(late).state()).isEqualTo(RunState.QUEUED);
        assertThat(fixture.texts("SELECT id AS text FROM node")).isEmpty();
    }

    @Test
    void letsRunningTurnsEndBeforeItStops() throws Exception {
        fixture.backend.hold("job");
        fixture.start();
        RunId job = fixture.run("hook:1", "job");
        await().until(() -> fixture.backend.begun.size() == 1);

        CompletableFuture<Void> stopped =
                CompletableFuture.runAsync(() -> fixture.dispatcher.stop(Duration.ofSeconds(20)));
        fixture.backend.answer("job", "in time");
        stopped.get(10, TimeUnit.SECONDS);

        assertThat(fixture.view(job).state()).isEqualTo(RunState.SUCCEEDED);
    }

    @Test
    void putsBackWhatDoesNotEndWithinTheGrace() throws StoreException {
        fixture.backend.hold("job");
        fixture.start();
        RunId job = fixture.run("hook:1", "job");
        await().until(() -> fixture.backend.begun.size() == 1);

        fixture.dispatcher.stop(Duration.ofMillis(50));

        assertThat(fixture.view(job).state()).isEqualTo(RunState.QUEUED);
        assertThat(fixture.view(job).attempts()).isEqualTo(1);
        assertThat(fixture.eventTexts(true)).isEmpty();
    }

    @Test
    void failsAtTheGraceWhatHasNoAttemptLeft() throws StoreException {
        fixture.backend.hold("job");
        fixture.maxAttempts(1).start();
        RunId job = fixture.run("hook:1", "job");
        await().until(() -> fixture.backend.begun.size() == 1);

        fixture.dispatcher.stop(Duration.ZERO);

        assertThat(fixture.view(job).state()).isEqualTo(RunState.FAILED);
        assertThat(fixture.view(job).error()).isEqualTo("interrupted by a shutdown; its 1 attempts are used up");
    }

    @Test
    void notifiesWaitersAsSoonAsTheRunHasEnded() throws Exception {
        fixture.backend.hold("job");
        fixture.start();
        RunId job = fixture.run("hook:1", "job");
        CompletableFuture<RunId> ended = fixture.runEndWaiters.ended(job, Duration.ofMinutes(2));

        fixture.backend.answer("job", "done");

        assertThat(ended.get(10, TimeUnit.SECONDS)).isEqualTo(job);
        assertThat(fixture.view(job).state()).isEqualTo(RunState.SUCCEEDED);
    }

    @Test
    void letsThoseGoWhoHaveWaitedLongEnough() throws Exception {
        fixture.backend.hold("job");
        fixture.start();
        CompletableFuture<RunId> ended =
                fixture.runEndWaiters.ended(fixture.run("hook:1", "job"), Duration.ofSeconds(30));
        assertThat(ended).isNotDone();

        fixture.time.advance(Duration.ofSeconds(30));

        assertThat(ended.get(10, TimeUnit.SECONDS)).isNotNull();
    }

    @Test
    void isHardlyBusyHoweverOftenItIsWoken() throws StoreException {
        fixture.start();
        long before = fixture.dispatcher.metrics().claims();
        long begun = System.nanoTime();
        for (int i = 0; i < 1_000_000; i++) {
            fixture.dispatcher.notifyWork();
        }
        Duration took = Duration.ofNanos(System.nanoTime() - begun);

        assertThat(fixture.dispatcher.metrics().claims() - before).isLessThan(took.toMillis() + 100);
        assertThat(fixture.ended(fixture.run("hook:1", "still there")).state()).isEqualTo(RunState.SUCCEEDED);
    }

    @Test
    void failsTurnWhoseInstructionsAreNoFile() throws Exception {
        fixture.start();
        Path instructions = fixture.workspace.resolve("AGENTS.md");
        Files.createDirectories(fixture.workspace);
        assertThat(new ProcessBuilder("mkfifo", instructions.toString()).start().waitFor())
                .isZero();

        RunView run = fixture.ended(fixture.run("hook:1", "hello"));

        assertThat(run.state()).isEqualTo(RunState.FAILED);
        assertThat(run.error()).isEqualTo("AGENTS.md in the workspace of agent main cannot be read");
    }

    @Test
    void takesATurnOnceWhoseResultBreaksItsEnd() throws StoreException {
        fixture.start();
        fixture.backend.end("hello", new TurnResult.ProviderDown("down", ChronoUnit.FOREVER.getDuration()));

        RunView run = fixture.ended(fixture.run("hook:1", "hello"));

        assertThat(run.state()).isEqualTo(RunState.FAILED);
        assertThat(run.error()).isEqualTo("the turn broke: ArithmeticException");
        assertThat(fixture.backend.begun).containsExactly("hello");
    }

    @Test
    void failsATurnWhoseCostCannotBeCounted() throws StoreException {
        Backend greedy = (prompt, turnCancellation) -> {
            fixture.backend.takeTurn(prompt, turnCancellation);
            IntStream.range(0, 5_000).forEach(i -> prompt.recorder().addTokens(Integer.MAX_VALUE, 0));
            return new TurnResult.Replied("done");
        };
        fixture.provider("test", greedy)
                .prices("model: {input: 999999, output: 1}")
                .start();

        RunView run = fixture.ended(fixture.run("hook:1", "hello"));

        assertThat(run.error()).isEqualTo("the turn broke: ArithmeticException");
        assertThat(fixture.backend.begun).containsExactly("hello");
    }

    @Test
    void failsARunWhoseResultTheDatabaseRejects() throws StoreException {
        fixture.start();
        fixture.store.writeAndWait(sql -> sql.update("CREATE UNIQUE INDEX one_reply ON turn (text)"));
        fixture.ended(fixture.run("hook:1", "hello"));

        RunView run = fixture.ended(fixture.run("hook:2", "hello"));

        assertThat(run.state()).isEqualTo(RunState.FAILED);
        assertThat(run.error()).isEqualTo("its result could not be stored");
        assertThat(fixture.eventTexts(true))
                .contains("Hook GitHub (failed): its result could not be stored [" + run.id() + "]");
        assertThat(fixture.backend.begun).containsExactly("hello", "hello");
    }

    @Test
    void releasesTheSessionOfARunWhoseReportsTheDatabaseRejects() throws StoreException {
        fixture.maxConcurrent(1).start();
        fixture.store.writeAndWait(sql -> sql.update("CREATE UNIQUE INDEX one_event ON event (session_key)"));
        fixture.ended(fixture.run("hook:1", "one"));

        RunView run = fixture.ended(fixture.run("hook:1", "two"));

        assertThat(run.error()).isEqualTo("its result could not be stored");
        fixture.store.writeAndWait(sql -> sql.update("DROP INDEX one_event"));
        assertThat(fixture.ended(fixture.run("hook:1", "three")).reply()).isEqualTo("re: three");
    }

    @Test
    void failsWhatATurnOfABrokenAgentsFileAsksFor() throws Exception {
        Files.createDirectories(fixture.workspace.resolve("AGENTS.md"));
        fixture.start();

        RunView run = fixture.ended(fixture.run("hook:1", "hello"));

        assertThat(run.error()).isEqualTo("AGENTS.md in the workspace of agent main cannot be read");
    }

    @Test
    void takesATurnAsFailedOnlyWhenTheBackendSaysSo() throws StoreException {
        fixture.backend.end("no", new TurnResult.Failed("the model refused"));
        fixture.start();

        assertThat(fixture.ended(fixture.run("hook:1", "no")).error()).isEqualTo("the model refused");
        await().untilAsserted(
                        () -> assertThat(fixture.dispatcher.metrics().ended()).containsEntry(RunState.FAILED, 1L));
    }

    /** Claims all ready runs for the dispatcher's node, as a claim whose commit was never confirmed to it. */
    private void claimAsItsNode() throws StoreException {
        String node = fixture.texts("SELECT id AS text FROM node").get(0);
        fixture.store.writeAndWait(sql -> {
            fixture.heartbeatRepository.claim(sql, node, "main", fixture.time.instant(), false);
            return fixture.runRepository.claim(sql, node, 10);
        });
    }

    private List<String> held() throws StoreException {
        return fixture.texts("SELECT key AS text FROM session WHERE owner IS NOT NULL");
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static AllowedAction.Turn turn(String session, String message, String model) {
        return new AllowedAction.Turn(
                /* agentId= */ "main",
                /* sessionKey= */ new SessionKey(session),
                message,
                /* name= */ "GitHub",
                /* wakeMode= */ WakeMode.NEXT_HEARTBEAT,
                /* deliver= */ true,
                /* recipient= */ Recipient.last(),
                model,
                /* thinking= */ null,
                /* timeout= */ TEN_MINUTES,
                /* provenance= */ DispatchFixture.OUTSIDE,
                /* operatorInstructions= */ OperatorInstructions.NONE);
    }
}
