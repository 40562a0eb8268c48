package dev.postern.dispatch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postern.acceptance.HeartbeatState;
import dev.postern.acceptance.SessionQueries;
import dev.postern.acceptance.SkippedHeartbeat;
import dev.postern.agent.TurnResult;
import dev.postern.dispatch.NextHeartbeatForecast.Outlook;
import dev.postern.model.Recipient;
import dev.postern.model.SessionId;
import dev.postern.model.WakeMode;
import dev.postern.store.StoreException;
import java.nio.file.Files;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The contract of dispatch for heartbeats, on every database. */
abstract class HeartbeatContract {

    private static final Duration SOON = Duration.ofMillis(250);
    private static final String AT_NIGHT = "activeHours: {start: '22:00', end: '06:00', timezone: UTC}";
    private static final Duration HALF_AN_HOUR = Duration.ofMinutes(30);
    private static final String OFF = "periodic heartbeats are off; a request starts one";

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
    void keepsTheEventsOfAFailedHeartbeatAndTriesAgainLater() throws StoreException {
        fixture.backend.end("disk is full", new TurnResult.Failed("the model is away"));
        fixture.start();
        wakeNow("disk is full");
        await().until(() -> state().failures() == 1);

        assertThat(fixture.eventTexts(true)).containsExactly("disk is full");
        assertThat(fixture.transcript("main:main")).isEmpty();
        assertThat(state().askedFor()).isEqualTo(fixture.time.instant().plusSeconds(10));
        await().until(() -> fixture.dispatcher.metrics().failedHeartbeats() == 1);

        fixture.backend.answerNext("disk is full", "deleted the logs");
        fixture.time.advance(Duration.ofSeconds(10));

        await().untilAsserted(() -> assertThat(fixture.inbox()).containsExactly("deleted the logs"));
        assertThat(fixture.eventTexts(true)).isEmpty();
        assertThat(state().failures()).isZero();
    }

    @Test
    void waitsTwiceAsLongAfterEachFailure() throws StoreException {
        fixture.backend.end("disk is full", new TurnResult.Failed("the model is away"));
        fixture.start();
        wakeNow("disk is full");
        await().until(() -> state().failures() == 1);
        fixture.time.advance(Duration.ofSeconds(10));
        await().until(() -> state().failures() == 2);

        assertThat(state().askedFor()).isEqualTo(fixture.time.instant().plusSeconds(20));
    }

    @Test
    void triesAFailedHeartbeatAgainAtOnceWhenItIsAskedTo() throws StoreException {
        fixture.backend.end("disk is full", new TurnResult.Failed("the model is away"));
        fixture.start();
        wakeNow("disk is full");
        await().until(() -> state().failures() == 1);
        fixture.time.advance(Duration.ofSeconds(10));
        await().until(() -> state().failures() == 2);
        fixture.time.advance(Duration.ofSeconds(11));
        fixture.backend.answerNext("disk is full", "deleted the logs");

        wakeNow("look again");

        await().untilAsserted(() ->
                assertThat(fixture.inbox()).containsExactlyInAnyOrder("deleted the logs", "re: look again"));
    }

    @Test
    void letsAnEventThatTheModelRejectsHoldUpNoOther() throws StoreException {
        fixture.backend.end("poison", new TurnResult.Failed("the provider refused it"));
        fixture.backend.end("poison\ndisk is full", new TurnResult.Failed("the provider refused it"));
        fixture.start();
        wakeNow("poison");
        await().until(() -> state().failures() == 1);
        wakeNow("disk is full");

        for (int failures = 2; fixture.inbox().isEmpty() && failures < 10; failures++) {
            int next = failures;
            fixture.time.advance(Duration.ofMinutes(10));
            await().until(() -> state().failures() == next || !fixture.inbox().isEmpty());
        }

        assertThat(fixture.inbox()).containsExactly("re: disk is full");
        assertThat(fixture.eventTexts(true)).containsExactly("poison");
    }

    @Test
    void takesHalfOfTheEventsThatFailed() throws StoreException {
        String all = IntStream.range(0, 6).mapToObj(i -> "event " + i).collect(Collectors.joining("\n"));
        fixture.backend.end("event 0", new TurnResult.Failed("the provider refused it"));
        fixture.backend.end(all, new TurnResult.Failed("the provider refused it"));
        fixture.start();
        wakeNow("event 0");
        await().until(() -> state().failures() == 1);
        fixture.backend.answerNext("event 0", "now it is fine");
        for (int i = 1; i < 6; i++) {
            fixture.wake("event " + i, WakeMode.NEXT_HEARTBEAT);
        }

        fixture.time.advance(Duration.ofSeconds(10));

        await().untilAsserted(() -> assertThat(fixture.inbox())
                .containsExactlyInAnyOrder("re: event 0\nevent 1\nevent 2", "re: event 3\nevent 4\nevent 5"));
    }

    @Test
    void keepsTheOrderOfEventsWhileTheirProviderIsDown() throws StoreException {
        fixture.backend.end("one", new TurnResult.ProviderDown("the provider is down", Duration.ZERO));
        fixture.backend.end("one\ntwo", new TurnResult.ProviderDown("the provider is down", Duration.ZERO));
        fixture.start();
        wakeNow("one");
        await().until(() -> state().failures() == 1);
        wakeNow("two");
        for (int failures = 2; failures < 8; failures++) {
            int next = failures;
            fixture.time.advance(Duration.ofMinutes(10));
            await().until(() -> state().failures() == next);
        }

        assertThat(fixture.eventTexts(true)).containsExactly("one", "two");
    }

    @Test
    void keepsTheEventsOfAHeartbeatThatTimesOut() throws StoreException {
        fixture.backend.hold("disk is full");
        fixture.start();
        wakeNow("disk is full");
        await().until(() -> fixture.backend.running.get() == 1);

        fixture.time.advance(Duration.ofMinutes(10));

        await().until(() -> state().failures() == 1);
        assertThat(fixture.eventTexts(true)).containsExactly("disk is full");
    }

    @Test
    void keepsTheEventsOfAHeartbeatThatACrashInterrupted() throws StoreException {
        fixture.backend.hold("disk is full");
        fixture.start();
        wakeNow("disk is full");
        await().until(() -> fixture.backend.running.get() == 1);

        fixture.backend.answerNext("disk is full", "deleted the logs");
        fixture.crashAndRestart();
        await().until(() -> state().failures() == 1);
        fixture.time.advance(Duration.ofSeconds(10));

        await().untilAsserted(() -> assertThat(fixture.inbox()).containsExactly("deleted the logs"));
        assertThat(fixture.eventTexts(false)).containsExactly("disk is full");
    }

    @Test
    void pausesAfterAHeartbeatThatEndedItsNode() throws StoreException {
        fixture.backend.hold("deadly");
        fixture.start();
        wakeNow("deadly");
        await().until(() -> fixture.backend.running.get() == 1);
        fixture.crashAndRestart();
        await().until(() -> state().failures() == 1);

        assertThat(state().busy()).isFalse();
        assertThat(state().askedFor()).isEqualTo(fixture.time.instant().plusSeconds(10));
        assertThat(fixture.backend.begun).containsExactly("deadly");
        assertThat(fixture.dispatcher.metrics().failedHeartbeats()).isEqualTo(1);
        assertThat(main().missed().why()).startsWith("interrupted: the node that ran it ended, with event evt_");
    }

    @Test
    void failsAHeartbeatWhoseResultTheDatabaseRejects() throws StoreException {
        fixture.start();
        fixture.store.writeAndWait(sql -> sql.update("CREATE UNIQUE INDEX one_reply ON turn (text)"));
        wakeNow("disk is full");
        await().until(() -> fixture.eventTexts(true).isEmpty());

        wakeNow("disk is full");

        await().until(() -> state().failures() == 1);
        assertThat(main().missed().why()).startsWith("its result could not be stored, with event evt_");
        assertThat(fixture.backend.begun).containsExactly("disk is full", "disk is full");
    }

    @Test
    void endsAHeartbeatWhoseSpendingTheDatabaseRejects() throws StoreException {
        fixture.start();
        fixture.store.writeAndWait(sql -> sql.update("CREATE UNIQUE INDEX no_spending ON spending (writer)"));

        wakeNow("disk is full");

        await().until(() -> state().failures() == 1);
        assertThat(main().missed().why()).isEqualTo("its result could not be stored");
    }

    @Test
    void letsAnEventThatEndsNodesHoldUpNoOther() throws StoreException {
        fixture.backend.hold("deadly");
        fixture.start();
        wakeNow("deadly");
        await().until(() -> fixture.backend.running.get() == 1);
        fixture.wake("harmless", WakeMode.NEXT_HEARTBEAT);
        fixture.store.writeAndWait(sql -> sql.update("UPDATE session SET beat_failures = 2"));
        fixture.crashAndRestart();
        await().until(() -> state().failures() == 3);

        assertThat(fixture.eventTexts(true)).containsExactly("harmless", "deadly");
    }

    @Test
    void keepsTheEventsOfAHeartbeatThatAShutdownInterrupts() throws StoreException {
        fixture.backend.hold("disk is full");
        fixture.start();
        wakeNow("disk is full");
        await().until(() -> fixture.backend.running.get() == 1);

        fixture.dispatcher.stop(Duration.ZERO);

        assertThat(fixture.eventTexts(true)).containsExactly("disk is full");
        assertThat(state().failures()).isZero();
        assertThat(state().askedFor()).isNotNull();
        assertThat(state().busy()).isFalse();
        assertThat(main().missed())
                .isEqualTo(new SkippedHeartbeat(fixture.time.instant(), "interrupted by a shutdown"));
    }

    @Test
    void callsNoBackendWhenNothingWaitsAndNothingIsStanding() throws Exception {
        Files.createDirectories(fixture.workspace);
        Files.writeString(fixture.workspace.resolve("HEARTBEAT.md"), " \n\n");
        fixture.heartbeat("every: 30m").start();

        fixture.time.advance(Duration.ofMinutes(30));

        await().until(() -> fixture.time.instant().equals(state().lastBeatAt()));
        assertThat(fixture.backend.begun).isEmpty();
        assertThat(fixture.dispatcher.metrics().heartbeats()).isZero();
        assertThat(main().missed())
                .isEqualTo(
                        new SkippedHeartbeat(fixture.time.instant(), "nothing waited, and HEARTBEAT.md says nothing"));
    }

    @Test
    void failsWhenTheStandingInstructionsCannotBeRead() throws Exception {
        Files.createDirectories(fixture.workspace.resolve("HEARTBEAT.md"));
        fixture.start();

        wakeNow("disk is full");

        await().until(() -> state().failures() == 1);
        assertThat(fixture.eventTexts(true)).containsExactly("disk is full");
    }

    @Test
    void takesWhatCameInTogetherIntoOneTurnInOrder() throws StoreException {
        fixture.start();
        fixture.wake("one", WakeMode.NOW);
        fixture.wake("two", WakeMode.NOW);
        fixture.wake("three", WakeMode.NEXT_HEARTBEAT);

        fixture.time.advance(SOON);

        await().untilAsserted(() -> assertThat(fixture.eventTexts(false)).containsExactly("one", "two", "three"));
        assertThat(fixture.backend.begun).containsExactly("one\ntwo\nthree");
        assertThat(fixture.inbox()).containsExactly("re: one\ntwo\nthree");
        assertThat(fixture.transcript("main:main")).hasSize(2);
    }

    @Test
    void neverTakesTwoHeartbeatsOfAnAgentAtOnce() throws StoreException {
        fixture.backend.hold("first");
        fixture.start();
        wakeNow("first");
        await().until(() -> fixture.backend.running.get() == 1);
        wakeNow("second");
        wakeNow("third");

        fixture.backend.answer("first", "HEARTBEAT_OK");

        await().until(() -> fixture.backend.begun.size() == 2);
        assertThat(fixture.backend.begun).containsExactly("first", "second\nthird");
        assertThat(fixture.backend.mostAtOnce).hasValue(1);
    }

    @Test
    void leavesEventsForThePeriodicHeartbeat() throws StoreException {
        fixture.heartbeat("every: 30m").start();
        fixture.wake("no hurry", WakeMode.NEXT_HEARTBEAT);
        wakeUpIn(Duration.ofMinutes(29));
        assertThat(fixture.backend.begun).isEmpty();

        fixture.time.advance(Duration.ofMinutes(1));

        await().untilAsserted(() -> assertThat(fixture.inbox()).containsExactly("re: no hurry"));
    }

    @Test
    void keepsTheScheduleAcrossRestarts() throws StoreException {
        fixture.heartbeat("every: 30m").start();
        fixture.wake("no hurry", WakeMode.NEXT_HEARTBEAT);
        fixture.time.advance(Duration.ofMinutes(20));
        fixture.crashAndRestart();

        fixture.time.advance(Duration.ofMinutes(10));

        await().untilAsserted(() -> assertThat(fixture.inbox()).containsExactly("re: no hurry"));
    }

    @Test
    void goesOnWithTheScheduleWhenTheClockIsSetBack() throws StoreException {
        fixture.heartbeat("every: 30m").start();
        fixture.time.jump(Duration.ofDays(-10));
        wakeUpIn(Duration.ofMinutes(1));
        fixture.time.advance(HALF_AN_HOUR);
        await("the first").until(() -> fixture.time.instant().equals(state().lastBeatAt()));
        fixture.wake("no hurry", WakeMode.NEXT_HEARTBEAT);
        fixture.time.jump(Duration.ofDays(-10));
        wakeUpIn(Duration.ofMinutes(1));
        fixture.time.advance(HALF_AN_HOUR);

        await().untilAsserted(() -> assertThat(fixture.inbox()).containsExactly("re: no hurry"));
    }

    @Test
    void keepsToActiveHours() throws StoreException {
        fixture.heartbeat("every: 30m, " + AT_NIGHT).start();
        fixture.wake("no hurry", WakeMode.NEXT_HEARTBEAT);
        wakeUpIn(Duration.ofHours(9));
        assertThat(fixture.backend.begun).isEmpty();

        fixture.time.set("2026-11-21T22:00:01Z");

        await().untilAsserted(() -> assertThat(fixture.inbox()).containsExactly("re: no hurry"));
    }

    @Test
    void triesAPeriodicHeartbeatThatFailedAgainWithinActiveHoursAlone() throws StoreException {
        fixture.backend.end("no hurry", new TurnResult.Failed("the model is away"));
        fixture.heartbeat("every: 30m, " + AT_NIGHT).start();
        fixture.wake("no hurry", WakeMode.NEXT_HEARTBEAT);
        fixture.time.set("2026-11-22T05:59:55Z");
        await().until(() -> state().failures() == 1);
        wakeUpIn(Duration.ofHours(15));
        assertThat(state().failures()).isOne();

        fixture.time.set("2026-11-22T22:00:01Z");

        await().until(() -> state().failures() == 2);
    }

    @Test
    void triesAPeriodicHeartbeatThatAShutdownInterruptedAgainWithinActiveHoursAlone() throws StoreException {
        beginAtTheEndOfActiveHours();

        fixture.dispatcher.stop(Duration.ZERO);

        assertThat(state()).isEqualTo(new HeartbeatState(null, null, 0, null, false));
        fixture.backend.answerNext("no hurry", "read it");
        fixture.time.advance(Duration.ofSeconds(5));
        fixture.crashAndRestart();
        takesItAgainWhenActiveHoursBegin();
    }

    @Test
    void triesAPeriodicHeartbeatThatACrashInterruptedAgainWithinActiveHoursAlone() throws StoreException {
        beginAtTheEndOfActiveHours();

        fixture.backend.answerNext("no hurry", "read it");
        fixture.crashAndRestart();
        await().until(() -> state().failures() == 1);

        assertThat(state().askedFor()).isNull();
        takesItAgainWhenActiveHoursBegin();
    }

    @Test
    void leavesAPeriodicHeartbeatThatFoundNoThreadToTheSchedule() throws StoreException {
        fixture.threads(new ThreadPoolExecutor(1, 1, 1, TimeUnit.SECONDS, new SynchronousQueue<>()))
                .heartbeat("every: 30m, " + AT_NIGHT)
                .start();
        fixture.backend.hold("look");
        fixture.run("hook:1", "look", Duration.ofDays(2), WakeMode.NEXT_HEARTBEAT);
        await().until(() -> fixture.backend.running.get() == 1);
        fixture.wake("no hurry", WakeMode.NEXT_HEARTBEAT);
        fixture.time.set("2026-11-22T05:59:55Z");
        await().until(() -> state().busy());

        fixture.dispatcher.stop(Duration.ZERO);

        assertThat(state()).isEqualTo(new HeartbeatState(null, null, 0, null, false));
    }

    @Test
    void keepsARequestMadeDuringAPeriodicHeartbeatThatACrashInterrupted() throws StoreException {
        beginAtTheEndOfActiveHours();
        fixture.time.set("2026-11-22T09:00:00Z");
        fixture.wake("hurry", WakeMode.NOW);

        fixture.crashAndRestart();
        await().until(() -> state().failures() == 1);

        assertThat(state().askedFor()).isEqualTo(fixture.time.instant().plusSeconds(10));
        fixture.backend.answerNext("no hurry", "read it");
        fixture.time.advance(Duration.ofSeconds(10));
        await().untilAsserted(() -> assertThat(fixture.inbox()).containsExactlyInAnyOrder("read it", "re: hurry"));
    }

    private void beginAtTheEndOfActiveHours() throws StoreException {
        fixture.backend.hold("no hurry");
        fixture.heartbeat("every: 30m, " + AT_NIGHT).start();
        fixture.wake("no hurry", WakeMode.NEXT_HEARTBEAT);
        fixture.time.set("2026-11-22T05:59:55Z");
        await().until(() -> fixture.backend.running.get() == 1);
    }

    private void takesItAgainWhenActiveHoursBegin() throws StoreException {
        wakeUpIn(Duration.ofHours(15));
        assertThat(fixture.backend.begun).hasSize(1);

        fixture.time.set("2026-11-22T22:00:01Z");

        await().untilAsserted(() -> assertThat(fixture.inbox()).containsExactly("read it"));
    }

    @Test
    void waitsTwiceAsLongAfterEachFailureOfAPeriodicHeartbeat() throws StoreException {
        fixture.backend.end("no hurry", new TurnResult.Failed("the model is away"));
        fixture.heartbeat("every: 30m").start();
        fixture.wake("no hurry", WakeMode.NEXT_HEARTBEAT);
        fixture.time.advance(HALF_AN_HOUR);
        await().until(() -> state().failures() == 1);
        wakeUpIn(Duration.ofSeconds(10));
        await().until(() -> state().failures() == 2);
        wakeUpIn(Duration.ofSeconds(19));
        assertThat(state().failures()).isEqualTo(2);

        fixture.time.advance(Duration.ofSeconds(1));

        await().until(() -> state().failures() == 3);
    }

    @Test
    void waitsAsLongAsTheProviderAsksAfterAPeriodicHeartbeat() throws StoreException {
        failWithAPauseOfTenMinutes();
        wakeUpIn(Duration.ofMinutes(9));
        assertThat(state().failures()).isOne();

        fixture.time.advance(Duration.ofMinutes(1));

        await().until(() -> state().failures() == 2);
    }

    @Test
    void beginsAHeartbeatThatIsAskedForInThePauseOfAPeriodicOne() throws StoreException {
        failWithAPauseOfTenMinutes();
        wakeUpIn(Duration.ofMinutes(1));
        assertThat(state().failures()).isOne();

        wakeNow("hurry");

        await().until(() -> state().failures() == 2);
    }

    private void failWithAPauseOfTenMinutes() throws StoreException {
        fixture.backend.end("no hurry", new TurnResult.ProviderDown("the provider is down", Duration.ofMinutes(10)));
        fixture.heartbeat("every: 30m").start();
        fixture.wake("no hurry", WakeMode.NEXT_HEARTBEAT);
        fixture.time.advance(HALF_AN_HOUR);
        await().until(() -> state().failures() == 1);
    }

    @Test
    void doesNotWaitForActiveHoursWhenItIsAskedFor() throws StoreException {
        fixture.heartbeat("every: 30m, " + AT_NIGHT).start();

        wakeNow("at noon");

        await().untilAsserted(() -> assertThat(fixture.inbox()).containsExactly("re: at noon"));
    }

    @Test
    void looksAtTheStandingInstructionsInEachPeriodicHeartbeat() throws Exception {
        Files.createDirectories(fixture.workspace);
        Files.writeString(fixture.workspace.resolve("HEARTBEAT.md"), "Look whether the backups ran.");
        fixture.heartbeat("every: 30m").start();

        fixture.time.advance(Duration.ofMinutes(30));

        await().until(() -> fixture.backend.prompts.size() == 1);
        assertThat(fixture.backend.prompts.get(0).message().text()).startsWith("Look whether the backups ran.\n");
    }

    @Test
    void deliversNothingThatIsOnlyAnAcknowledgement() throws StoreException {
        fixture.backend.answer("nothing much", "HEARTBEAT_OK");
        fixture.start();

        wakeNow("nothing much");

        await().until(() -> fixture.eventTexts(false).size() == 1);
        assertThat(fixture.texts("SELECT text FROM delivery")).isEmpty();
        assertThat(fixture.transcript("main:main")).hasSize(2);
    }

    @Test
    void deliversNothingWithoutATarget() throws StoreException {
        fixture.heartbeat("every: 0, target: none").start();

        wakeNow("news");

        await().until(() -> fixture.eventTexts(false).size() == 1);
        assertThat(fixture.texts("SELECT text FROM delivery")).isEmpty();
    }

    @Test
    void looksAtTheSummaryOfARunAtOnceWhenTheRunAskedForIt() throws StoreException {
        fixture.start();
        fixture.ended(fixture.run("hook:1", "later", Duration.ofMinutes(1), WakeMode.NEXT_HEARTBEAT));
        wakeUpIn(SOON);
        assertThat(fixture.backend.begun).containsExactly("later");

        fixture.ended(fixture.run("hook:1", "now", Duration.ofMinutes(1), WakeMode.NOW));
        fixture.time.advance(SOON);

        await().until(() -> fixture.backend.begun.size() == 3);
        assertThat(fixture.backend.begun.get(2))
                .contains("Hook GitHub: re: later")
                .contains("Hook GitHub: re: now");
    }

    @Test
    void halvesBatchAfterEachFailure() throws StoreException {
        TurnResult refused = new TurnResult.Failed("the model does not take it");
        fixture.backend.end("fine\npoison", refused);
        fixture.backend.end("poison", refused);
        fixture.start();
        fixture.wake("fine", WakeMode.NEXT_HEARTBEAT);
        wakeNow("poison");
        await().until(() -> state().failures() == 1);

        fixture.time.advance(Duration.ofMinutes(10));

        await().untilAsserted(() -> assertThat(fixture.eventTexts(false)).containsExactly("fine"));
        assertThat(fixture.eventTexts(true)).containsExactly("poison");
    }

    @Test
    void remembersNoLookAtTheStandingInstructionsThatFoundNothing() throws Exception {
        Files.createDirectories(fixture.workspace);
        Files.writeString(fixture.workspace.resolve("HEARTBEAT.md"), "Look whether the backups ran.");
        fixture.backend.answer("", "HEARTBEAT_OK");
        fixture.heartbeat("every: 30m").start();

        fixture.time.advance(Duration.ofMinutes(30));

        await().until(() -> fixture.dispatcher.metrics().heartbeats() == 1);
        assertThat(fixture.transcript("main:main")).isEmpty();
    }

    @Test
    void takesManyEventsInSeveralTurns() throws StoreException {
        fixture.start();
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < 120; i++) {
            texts.add("event " + i);
            fixture.wake("event " + i, WakeMode.NOW);
        }

        fixture.time.advance(SOON);

        await().untilAsserted(() -> assertThat(fixture.eventTexts(false)).isEqualTo(texts));
        assertThat(fixture.backend.begun).hasSize(3);
    }

    @Test
    void takesEventsOfAnAgentThatIsNoLongerConfigured() throws StoreException {
        fixture.open();
        fixture.store.writeAndWait(sql -> fixture.eventRepository.post(
                sql, "retired", "still to be read", DispatchFixture.OUTSIDE, null, WakeMode.NOW));
        fixture.time.advance(SOON);
        fixture.dispatcher().start();

        await().untilAsserted(() -> assertThat(fixture.inbox()).containsExactly("re: still to be read"));
    }

    @Test
    void tellsWhyAHeartbeatFailedUntilAnotherDoes() throws StoreException {
        fixture.backend.end("disk is full", new TurnResult.Failed("the model is away"));
        fixture.start();
        assertThat(outlook()).isEqualTo(new Outlook(null, null, "last", null, OFF));
        wakeNow("disk is full");
        await().until(() -> state().failures() == 1);

        Instant failed = fixture.time.instant();
        assertThat(main().missed())
                .satisfies(missed -> assertThat(missed.why()).matches("the model is away, with event evt_\\w+"));
        assertThat(outlook().next()).isEqualTo(failed.plusSeconds(10));
        assertThat(outlook().held())
                .isEqualTo("the last heartbeat failed and is retried then; consecutive failures: 1");

        fixture.backend.answerNext("disk is full", "deleted the logs");
        fixture.time.advance(Duration.ofSeconds(10));
        await().until(() -> state().failures() == 0);

        assertThat(main().missed()).satisfies(missed -> assertThat(missed.at()).isEqualTo(failed));
        assertThat(outlook()).isEqualTo(new Outlook(null, null, "last", null, OFF));
    }

    @Test
    void tellsWhenThePeriodicHeartbeatComes() throws StoreException {
        fixture.heartbeat("every: 30m").start();
        fixture.wake("no hurry", WakeMode.NEXT_HEARTBEAT);
        Instant next = fixture.time.instant().plus(HALF_AN_HOUR);
        assertThat(outlook()).isEqualTo(new Outlook(HALF_AN_HOUR, null, "last", next, null));
        wakeUpIn(HALF_AN_HOUR.minusSeconds(1));
        assertThat(fixture.backend.begun).isEmpty();

        fixture.time.advance(Duration.ofSeconds(1));

        await().until(() -> next.equals(state().lastBeatAt()));
        assertThat(outlook().next()).isEqualTo(next.plus(HALF_AN_HOUR));
    }

    @Test
    void explainsThatAHeartbeatWaitsForActiveHoursOrARunningTurn() throws StoreException {
        fixture.heartbeat("every: 30m, " + AT_NIGHT).start();
        Instant atNight = Instant.parse("2026-11-21T22:00:00Z");
        String hours = "22:00 to 06:00 UTC";

        assertThat(outlook())
                .isEqualTo(new Outlook(
                        HALF_AN_HOUR,
                        hours,
                        "last",
                        atNight,
                        "the scheduled time is outside the active hours, which begin then"));

        fixture.backend.hold("look");
        fixture.run("main:main", "look");
        await().until(() -> fixture.backend.running.get() == 1);

        assertThat(outlook())
                .isEqualTo(new Outlook(
                        HALF_AN_HOUR,
                        hours,
                        "last",
                        atNight,
                        "a turn is running in the main session; the heartbeat follows it"));
    }

    @Test
    void explainsThatAnAgentIsNotConfigured() throws StoreException {
        fixture.start();

        assertThat(fixture.dispatcher.heartbeatForecast().of("retired", state(), null))
                .isEqualTo(new Outlook(
                        null, null, null, null, "the agent is not configured on this node; a request starts one"));
        assertThat(fixture.dispatcher.lastTarget(SessionId.mainOf("retired"))).isEqualTo(new Recipient("inbox", null));
    }

    private Outlook outlook() throws StoreException {
        SessionQueries.Line main = main();
        return fixture.dispatcher.heartbeatForecast().of("main", state(), main.oldestEvent());
    }

    private SessionQueries.Line main() throws StoreException {
        return new SessionQueries(fixture.store).mains(List.of("main")).get(0);
    }

    private HeartbeatState state() throws StoreException {
        return fixture.store.read(sql -> fixture.heartbeatRepository.state(sql, "main"));
    }

    private void wakeNow(String text) {
        fixture.wake(text, WakeMode.NOW);
        fixture.time.advance(SOON);
    }

    /** Advances the clock by {@code time}, and waits until the dispatcher has checked since. */
    private void wakeUpIn(Duration time) {
        fixture.time.advance(time);
        long before = fixture.dispatcher.metrics().claims();
        await().until(() -> fixture.dispatcher.metrics().claims() > before + 2);
    }
}
