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
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The contract of dispatch for heartbeats, on every database. */
abstract class HeartbeatContract {

    private static final Duration SOON = Duration.ofMillis(250);
    private static final String AT_NIGHT = "activeHours: {start: '22:00', end: '06:00', timezone: UTC}";
    private static final Duration HALF_AN_HOUR = Duration.ofMinutes(30);
    private static final String OFF = "periodic heartbeats are off; a request starts one";

    private Scenario scenario;

    /** A scenario on an empty database. */
    abstract Scenario scenario() throws Exception;

    @BeforeEach
    void begin() throws Exception {
        scenario = scenario();
    }

    @AfterEach
    void end() {
        scenario.close();
    }

    @Test
    void keepsTheEventsOfAFailedHeartbeatAndTriesAgainLater() throws StoreException {
        scenario.backend.end("disk is full", new TurnResult.Failed("the model is away"));
        scenario.start();
        wakeNow("disk is full");
        await().until(() -> state().failures() == 1);

        assertThat(scenario.eventTexts(true)).containsExactly("disk is full");
        assertThat(scenario.transcript("main:main")).isEmpty();
        assertThat(state().askedFor()).isEqualTo(scenario.time.instant().plusSeconds(10));
        await().until(() -> scenario.dispatcher.metrics().failedHeartbeats() == 1);

        scenario.backend.answerNext("disk is full", "deleted the logs");
        scenario.time.advance(Duration.ofSeconds(10));

        await().untilAsserted(() -> assertThat(scenario.inbox()).containsExactly("deleted the logs"));
        assertThat(scenario.eventTexts(true)).isEmpty();
        assertThat(state().failures()).isZero();
    }

    @Test
    void waitsTwiceAsLongAfterEachFailure() throws StoreException {
        scenario.backend.end("disk is full", new TurnResult.Failed("the model is away"));
        scenario.start();
        wakeNow("disk is full");
        await().until(() -> state().failures() == 1);
        scenario.time.advance(Duration.ofSeconds(10));
        await().until(() -> state().failures() == 2);

        assertThat(state().askedFor()).isEqualTo(scenario.time.instant().plusSeconds(20));
    }

    @Test
    void triesAFailedHeartbeatAgainAtOnceWhenItIsAskedTo() throws StoreException {
        scenario.backend.end("disk is full", new TurnResult.Failed("the model is away"));
        scenario.start();
        wakeNow("disk is full");
        await().until(() -> state().failures() == 1);
        scenario.time.advance(Duration.ofSeconds(10));
        await().until(() -> state().failures() == 2);
        scenario.time.advance(Duration.ofSeconds(11));

        wakeNow("look again");

        await().untilAsserted(() -> assertThat(scenario.inbox()).containsExactly("re: disk is full\nlook again"));
    }

    @Test
    void keepsTheEventsOfAHeartbeatThatTimesOut() throws StoreException {
        scenario.backend.hold("disk is full");
        scenario.start();
        wakeNow("disk is full");
        await().until(() -> scenario.backend.running.get() == 1);

        scenario.time.advance(Duration.ofMinutes(10));

        await().until(() -> state().failures() == 1);
        assertThat(scenario.eventTexts(true)).containsExactly("disk is full");
    }

    @Test
    void keepsTheEventsOfAHeartbeatThatACrashInterrupted() throws StoreException {
        scenario.backend.hold("disk is full");
        scenario.start();
        wakeNow("disk is full");
        await().until(() -> scenario.backend.running.get() == 1);

        scenario.backend.answerNext("disk is full", "deleted the logs");
        scenario.crashAndRestart();

        await().untilAsserted(() -> assertThat(scenario.inbox()).containsExactly("deleted the logs"));
        assertThat(scenario.eventTexts(false)).containsExactly("disk is full");
    }

    @Test
    void keepsTheEventsOfAHeartbeatThatAShutdownInterrupts() throws StoreException {
        scenario.backend.hold("disk is full");
        scenario.start();
        wakeNow("disk is full");
        await().until(() -> scenario.backend.running.get() == 1);

        scenario.dispatcher.stop(Duration.ZERO);

        assertThat(scenario.eventTexts(true)).containsExactly("disk is full");
        assertThat(state().failures()).isZero();
        assertThat(state().askedFor()).isNotNull();
        assertThat(state().busy()).isFalse();
        assertThat(main().missed())
                .isEqualTo(new SkippedHeartbeat(scenario.time.instant(), "interrupted by a shutdown"));
    }

    @Test
    void callsNoBackendWhenNothingWaitsAndNothingIsStanding() throws Exception {
        Files.createDirectories(scenario.workspace);
        Files.writeString(scenario.workspace.resolve("HEARTBEAT.md"), " \n\n");
        scenario.heartbeat("every: 30m").start();

        scenario.time.advance(Duration.ofMinutes(30));

        await().until(() -> scenario.time.instant().equals(state().lastBeatAt()));
        assertThat(scenario.backend.begun).isEmpty();
        assertThat(scenario.dispatcher.metrics().heartbeats()).isZero();
        assertThat(main().missed())
                .isEqualTo(
                        new SkippedHeartbeat(scenario.time.instant(), "nothing waited, and HEARTBEAT.md says nothing"));
    }

    @Test
    void failsWhenTheStandingInstructionsCannotBeRead() throws Exception {
        Files.createDirectories(scenario.workspace.resolve("HEARTBEAT.md"));
        scenario.start();

        wakeNow("disk is full");

        await().until(() -> state().failures() == 1);
        assertThat(scenario.eventTexts(true)).containsExactly("disk is full");
    }

    @Test
    void takesWhatCameInTogetherIntoOneTurnInOrder() throws StoreException {
        scenario.start();
        scenario.wake("one", WakeMode.NOW);
        scenario.wake("two", WakeMode.NOW);
        scenario.wake("three", WakeMode.NEXT_HEARTBEAT);

        scenario.time.advance(SOON);

        await().untilAsserted(() -> assertThat(scenario.eventTexts(false)).containsExactly("one", "two", "three"));
        assertThat(scenario.backend.begun).containsExactly("one\ntwo\nthree");
        assertThat(scenario.inbox()).containsExactly("re: one\ntwo\nthree");
        assertThat(scenario.transcript("main:main")).hasSize(2);
    }

    @Test
    void neverTakesTwoHeartbeatsOfAnAgentAtOnce() throws StoreException {
        scenario.backend.hold("first");
        scenario.start();
        wakeNow("first");
        await().until(() -> scenario.backend.running.get() == 1);
        wakeNow("second");
        wakeNow("third");

        scenario.backend.answer("first", "HEARTBEAT_OK");

        await().until(() -> scenario.backend.begun.size() == 2);
        assertThat(scenario.backend.begun).containsExactly("first", "second\nthird");
        assertThat(scenario.backend.mostAtOnce).hasValue(1);
    }

    @Test
    void leavesEventsForThePeriodicHeartbeat() throws StoreException {
        scenario.heartbeat("every: 30m").start();
        scenario.wake("no hurry", WakeMode.NEXT_HEARTBEAT);
        wakeUpIn(Duration.ofMinutes(29));
        assertThat(scenario.backend.begun).isEmpty();

        scenario.time.advance(Duration.ofMinutes(1));

        await().untilAsserted(() -> assertThat(scenario.inbox()).containsExactly("re: no hurry"));
    }

    @Test
    void keepsTheScheduleAcrossRestarts() throws StoreException {
        scenario.heartbeat("every: 30m").start();
        scenario.wake("no hurry", WakeMode.NEXT_HEARTBEAT);
        scenario.time.advance(Duration.ofMinutes(20));
        scenario.crashAndRestart();

        scenario.time.advance(Duration.ofMinutes(10));

        await().untilAsserted(() -> assertThat(scenario.inbox()).containsExactly("re: no hurry"));
    }

    @Test
    void goesOnWithTheScheduleWhenTheClockIsSetBack() throws StoreException {
        scenario.heartbeat("every: 30m").start();
        scenario.time.jump(Duration.ofDays(-10));
        wakeUpIn(Duration.ofMinutes(1));
        scenario.time.advance(HALF_AN_HOUR);
        await("the first").until(() -> scenario.time.instant().equals(state().lastBeatAt()));
        scenario.wake("no hurry", WakeMode.NEXT_HEARTBEAT);
        scenario.time.jump(Duration.ofDays(-10));
        wakeUpIn(Duration.ofMinutes(1));
        scenario.time.advance(HALF_AN_HOUR);

        await().untilAsserted(() -> assertThat(scenario.inbox()).containsExactly("re: no hurry"));
    }

    @Test
    void keepsToActiveHours() throws StoreException {
        scenario.heartbeat("every: 30m, " + AT_NIGHT).start();
        scenario.wake("no hurry", WakeMode.NEXT_HEARTBEAT);
        wakeUpIn(Duration.ofHours(9));
        assertThat(scenario.backend.begun).isEmpty();

        scenario.time.set("2026-11-21T22:00:01Z");

        await().untilAsserted(() -> assertThat(scenario.inbox()).containsExactly("re: no hurry"));
    }

    @Test
    void triesAPeriodicHeartbeatThatFailedAgainWithinActiveHoursAlone() throws StoreException {
        scenario.backend.end("no hurry", new TurnResult.Failed("the model is away"));
        scenario.heartbeat("every: 30m, " + AT_NIGHT).start();
        scenario.wake("no hurry", WakeMode.NEXT_HEARTBEAT);
        scenario.time.set("2026-11-22T05:59:55Z");
        await().until(() -> state().failures() == 1);
        wakeUpIn(Duration.ofHours(15));
        assertThat(state().failures()).isOne();

        scenario.time.set("2026-11-22T22:00:01Z");

        await().until(() -> state().failures() == 2);
    }

    @Test
    void waitsTwiceAsLongAfterEachFailureOfAPeriodicHeartbeat() throws StoreException {
        scenario.backend.end("no hurry", new TurnResult.Failed("the model is away"));
        scenario.heartbeat("every: 30m").start();
        scenario.wake("no hurry", WakeMode.NEXT_HEARTBEAT);
        scenario.time.advance(HALF_AN_HOUR);
        await().until(() -> state().failures() == 1);
        wakeUpIn(Duration.ofSeconds(10));
        await().until(() -> state().failures() == 2);
        wakeUpIn(Duration.ofSeconds(19));
        assertThat(state().failures()).isEqualTo(2);

        scenario.time.advance(Duration.ofSeconds(1));

        await().until(() -> state().failures() == 3);
    }

    @Test
    void doesNotWaitForActiveHoursWhenItIsAskedFor() throws StoreException {
        scenario.heartbeat("every: 30m, " + AT_NIGHT).start();

        wakeNow("at noon");

        await().untilAsserted(() -> assertThat(scenario.inbox()).containsExactly("re: at noon"));
    }

    @Test
    void looksAtTheStandingInstructionsInEachPeriodicHeartbeat() throws Exception {
        Files.createDirectories(scenario.workspace);
        Files.writeString(scenario.workspace.resolve("HEARTBEAT.md"), "Look whether the backups ran.");
        scenario.heartbeat("every: 30m").start();

        scenario.time.advance(Duration.ofMinutes(30));

        await().until(() -> scenario.backend.prompts.size() == 1);
        assertThat(scenario.backend.prompts.get(0).message().text()).startsWith("Look whether the backups ran.\n");
    }

    @Test
    void deliversNothingThatIsOnlyAnAcknowledgement() throws StoreException {
        scenario.backend.answer("nothing much", "HEARTBEAT_OK");
        scenario.start();

        wakeNow("nothing much");

        await().until(() -> scenario.eventTexts(false).size() == 1);
        assertThat(scenario.texts("SELECT text FROM delivery")).isEmpty();
        assertThat(scenario.transcript("main:main")).hasSize(2);
    }

    @Test
    void deliversNothingWithoutATarget() throws StoreException {
        scenario.heartbeat("every: 0, target: none").start();

        wakeNow("news");

        await().until(() -> scenario.eventTexts(false).size() == 1);
        assertThat(scenario.texts("SELECT text FROM delivery")).isEmpty();
    }

    @Test
    void looksAtTheSummaryOfARunAtOnceWhenTheRunAskedForIt() throws StoreException {
        scenario.start();
        scenario.ended(scenario.run("hook:1", "later", Duration.ofMinutes(1), WakeMode.NEXT_HEARTBEAT));
        wakeUpIn(SOON);
        assertThat(scenario.backend.begun).containsExactly("later");

        scenario.ended(scenario.run("hook:1", "now", Duration.ofMinutes(1), WakeMode.NOW));
        scenario.time.advance(SOON);

        await().until(() -> scenario.backend.begun.size() == 3);
        assertThat(scenario.backend.begun.get(2))
                .contains("Hook GitHub: re: later")
                .contains("Hook GitHub: re: now");
    }

    @Test
    void halvesBatchAfterEachFailure() throws StoreException {
        TurnResult refused = new TurnResult.Failed("the model does not take it");
        scenario.backend.end("fine\npoison", refused);
        scenario.backend.end("poison", refused);
        scenario.start();
        scenario.wake("fine", WakeMode.NEXT_HEARTBEAT);
        wakeNow("poison");
        for (int i = 1; i <= 5; i++) {
            int failures = i;
            await().until(() -> state().failures() == failures);
            scenario.time.advance(Duration.ofMinutes(10));
        }

        await().untilAsserted(() -> assertThat(scenario.eventTexts(false)).containsExactly("fine"));
        assertThat(scenario.eventTexts(true)).containsExactly("poison");
    }

    @Test
    void remembersNoLookAtTheStandingInstructionsThatFoundNothing() throws Exception {
        Files.createDirectories(scenario.workspace);
        Files.writeString(scenario.workspace.resolve("HEARTBEAT.md"), "Look whether the backups ran.");
        scenario.backend.answer("", "HEARTBEAT_OK");
        scenario.heartbeat("every: 30m").start();

        scenario.time.advance(Duration.ofMinutes(30));

        await().until(() -> scenario.dispatcher.metrics().heartbeats() == 1);
        assertThat(scenario.transcript("main:main")).isEmpty();
    }

    @Test
    void takesManyEventsInSeveralTurns() throws StoreException {
        scenario.start();
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < 120; i++) {
            texts.add("event " + i);
            scenario.wake("event " + i, WakeMode.NOW);
        }

        scenario.time.advance(SOON);

        await().untilAsserted(() -> assertThat(scenario.eventTexts(false)).isEqualTo(texts));
        assertThat(scenario.backend.begun).hasSize(3);
    }

    @Test
    void takesEventsOfAnAgentThatIsNoLongerConfigured() throws StoreException {
        scenario.open();
        scenario.store.writeAndWait(sql -> scenario.eventRepository.post(
                sql, "retired", "still to be read", Scenario.OUTSIDE, null, WakeMode.NOW));
        scenario.time.advance(SOON);
        scenario.dispatcher().start();

        await().untilAsserted(() -> assertThat(scenario.inbox()).containsExactly("re: still to be read"));
    }

    @Test
    void tellsWhyAHeartbeatFailedUntilAnotherDoes() throws StoreException {
        scenario.backend.end("disk is full", new TurnResult.Failed("the model is away"));
        scenario.start();
        assertThat(outlook()).isEqualTo(new Outlook(null, null, "last", null, OFF));
        wakeNow("disk is full");
        await().until(() -> state().failures() == 1);

        Instant failed = scenario.time.instant();
        assertThat(main().missed())
                .satisfies(missed -> assertThat(missed.why()).matches("the model is away, with event evt_\\w+"));
        assertThat(outlook().next()).isEqualTo(failed.plusSeconds(10));
        assertThat(outlook().held())
                .isEqualTo("the last heartbeat failed and is retried then; consecutive failures: 1");

        scenario.backend.answerNext("disk is full", "deleted the logs");
        scenario.time.advance(Duration.ofSeconds(10));
        await().until(() -> state().failures() == 0);

        assertThat(main().missed()).satisfies(missed -> assertThat(missed.at()).isEqualTo(failed));
        assertThat(outlook()).isEqualTo(new Outlook(null, null, "last", null, OFF));
    }

    @Test
    void tellsWhenThePeriodicHeartbeatComes() throws StoreException {
        scenario.heartbeat("every: 30m").start();
        scenario.wake("no hurry", WakeMode.NEXT_HEARTBEAT);
        Instant next = scenario.time.instant().plus(HALF_AN_HOUR);
        assertThat(outlook()).isEqualTo(new Outlook(HALF_AN_HOUR, null, "last", next, null));
        wakeUpIn(HALF_AN_HOUR.minusSeconds(1));
        assertThat(scenario.backend.begun).isEmpty();

        scenario.time.advance(Duration.ofSeconds(1));

        await().until(() -> next.equals(state().lastBeatAt()));
        assertThat(outlook().next()).isEqualTo(next.plus(HALF_AN_HOUR));
    }

    @Test
    void explainsThatAHeartbeatWaitsForActiveHoursOrARunningTurn() throws StoreException {
        scenario.heartbeat("every: 30m, " + AT_NIGHT).start();
        Instant atNight = Instant.parse("2026-11-21T22:00:00Z");
        String hours = "22:00 to 06:00 UTC";

        assertThat(outlook())
                .isEqualTo(new Outlook(
                        HALF_AN_HOUR,
                        hours,
                        "last",
                        atNight,
                        "the scheduled time is outside the active hours, which begin then"));

        scenario.backend.hold("look");
        scenario.run("main:main", "look");
        await().until(() -> scenario.backend.running.get() == 1);

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
        scenario.start();

        assertThat(scenario.dispatcher.heartbeatForecast().of("retired", state(), null))
                .isEqualTo(new Outlook(
                        null, null, null, null, "the agent is not configured on this node; a request starts one"));
        assertThat(scenario.dispatcher.lastTarget(SessionId.mainOf("retired"))).isEqualTo(new Recipient("inbox", null));
    }

    private Outlook outlook() throws StoreException {
        SessionQueries.Line main = main();
        return scenario.dispatcher.heartbeatForecast().of("main", state(), main.oldestEvent());
    }

    private SessionQueries.Line main() throws StoreException {
        return new SessionQueries(scenario.store).mains(List.of("main")).get(0);
    }

    private HeartbeatState state() throws StoreException {
        return scenario.store.read(sql -> scenario.eventRepository.state(sql, "main"));
    }

    private void wakeNow(String text) {
        scenario.wake(text, WakeMode.NOW);
        scenario.time.advance(SOON);
    }

    /** Advances the clock by {@code time}, and waits until the dispatcher has checked since. */
    private void wakeUpIn(Duration time) {
        scenario.time.advance(time);
        long before = scenario.dispatcher.metrics().claims();
        await().until(() -> scenario.dispatcher.metrics().claims() > before + 2);
    }
}
