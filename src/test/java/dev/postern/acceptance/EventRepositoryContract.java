package dev.postern.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.model.EventId;
import dev.postern.model.Provenance;
import dev.postern.model.RunId;
import dev.postern.model.SessionId;
import dev.postern.model.WakeMode;
import dev.postern.store.Databases;
import dev.postern.store.StoreException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The contract of waiting events, and of heartbeats that are claimed and ended, on every database. */
abstract class EventRepositoryContract {

    private static final Duration FLOOR = Duration.ofSeconds(10);

    @TempDir
    Path home;

    Scene scene;

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
    void claimsNoHeartbeatWithoutARequest() throws Exception {
        assertThat(claim(false)).isEmpty();
        scene.wake("later", WakeMode.NEXT_HEARTBEAT);

        assertThat(claim(false)).isEmpty();
        assertThat(nextBeat()).isEmpty();
    }

    @Test
    void claimsNoHeartbeatBeforeItIsDue() throws Exception {
        scene.wake("now", WakeMode.NOW);
        scene.clock.advance(EventRepository.SOON.minusMillis(1));
        assertThat(claim(false)).isEmpty();
        scene.clock.advance(Duration.ofMillis(1));

        assertThat(claim(false)).isPresent();
    }

    @Test
    void neverClaimsTwoHeartbeatsAtOnce() throws Exception {
        scene.wake("now", WakeMode.NOW);
        scene.clock.advance(EventRepository.SOON);
        ClaimedHeartbeat beat = claim(false).orElseThrow();
        scene.wake("now", WakeMode.NOW);
        scene.clock.advance(EventRepository.SOON);

        assertThat(scene.beatState().busy()).isTrue();
        assertThat(claim(true)).isEmpty();
        assertThat(claim(false)).isEmpty();
        assertThat(nextBeat()).isEmpty();
        assertThat(finish(beat)).isTrue();
        assertThat(claim(false)).isPresent();
    }

    @Test
    void claimsNoHeartbeatWhileARunHoldsTheMainSession() throws Exception {
        scene.queue("main:main");
        ClaimedRun run = scene.claimOne();

        assertThat(claim(true)).isEmpty();
        assertThat(scene.<Boolean>write(sql -> scene.runRepository.release(sql, run)))
                .isTrue();
        assertThat(claim(true)).isPresent();
        assertThat(scene.claim("node", 1)).isEmpty();
    }

    @Test
    void letsAHolderThatWasTakenForDeadChangeNothing() throws Exception {
        EventId id = scene.wake("now", WakeMode.NOW);
        scene.clock.advance(EventRepository.SOON);
        ClaimedHeartbeat lost = claim(false).orElseThrow();
        scene.write(sql -> scene.runRepository.recover(sql, 1));
        ClaimedHeartbeat again = claim(false).orElseThrow();

        assertThat(finish(lost, id)).isFalse();
        assertThat(fail(lost, scene.now())).isFalse();
        assertThat(release(lost, scene.now())).isFalse();
        assertThat(scene.waiting()).hasSize(1);
        assertThat(scene.intake.pending()).isEqualTo(1);
        assertThat(scene.beatState()).isEqualTo(new HeartbeatState(null, null, 0, null, true));
        assertThat(finish(again, id)).isTrue();
        assertThat(finish(again, id)).isFalse();
        assertThat(scene.intake.pending()).isZero();
    }

    @Test
    void continuesHeartbeatsOfAnAgentWhoseMainSessionAnotherUses() throws Exception {
        scene.wake("now", WakeMode.NOW);
        scene.accept(Scene.turnOf("other", "main:main"));
        scene.clock.advance(EventRepository.SOON);

        assertThat(nextBeat()).contains(scene.now());
        assertThat(due()).containsExactly(Scene.AGENT);
        assertThat(claim(false)).isPresent();
        assertThat(nextBeat()).isEmpty();
        assertThat(due()).isEmpty();
    }

    @Test
    void showsNoHeartbeatForASessionThatIsNotAMainSession() throws Exception {
        scene.queue("hook:main");
        scene.write(sql -> sql.update("UPDATE session SET beat_at = 1"));

        assertThat(nextBeat()).isEmpty();
        assertThat(due()).isEmpty();
    }

    @Test
    void keepsItsEventsAndCountsTheFailureWhenAHeartbeatFails() throws Exception {
        scene.wake("now", WakeMode.NOW);
        scene.clock.advance(EventRepository.SOON);
        ClaimedHeartbeat beat = claim(false).orElseThrow();
        assertThat(beat.failures()).isZero();
        Instant retryAt = scene.now().plusSeconds(60);

        assertThat(fail(beat, retryAt)).isTrue();
        assertThat(scene.beatState())
                .isEqualTo(new HeartbeatState(retryAt, null, 1, scene.now().plus(FLOOR), false));
        assertThat(scene.waiting()).hasSize(1);
        assertThat(scene.intake.pending()).isEqualTo(1);
        scene.wake("later", WakeMode.NEXT_HEARTBEAT);
        assertThat(nextBeat()).as("the pause stays").contains(retryAt);
        scene.clock.advance(Duration.ofSeconds(60));
        ClaimedHeartbeat second = claim(false).orElseThrow();
        assertThat(second.failures()).isEqualTo(1);
        assertThat(finish(second)).isTrue();
        assertThat(scene.beatState().failures()).isZero();
    }

    @Test
    void beginsSoonAfterAFailureWhenRequested() throws Exception {
        Instant retryAt = scene.now().plusSeconds(600);
        assertThat(fail(claim(true).orElseThrow(), retryAt)).isTrue();
        scene.clock.advance(FLOOR);

        scene.wake("now", WakeMode.NOW);
        assertThat(nextBeat()).contains(scene.now().plus(EventRepository.SOON));
        scene.clock.advance(Duration.ofSeconds(1));
        scene.wake("now", WakeMode.NOW);
        assertThat(nextBeat()).as("the earlier stays").contains(scene.now().minusMillis(750));
    }

    @Test
    void beginsNoHeartbeatRightAfterAFailureDespiteRequests() throws Exception {
        ClaimedHeartbeat beat = claim(true).orElseThrow();
        Instant floor = scene.now().plus(FLOOR);
        scene.wake("during", WakeMode.NOW);
        assertThat(fail(beat, scene.now().plusSeconds(600))).isTrue();
        assertThat(nextBeat()).contains(floor);
        scene.wake("after", WakeMode.NOW);
        assertThat(nextBeat()).contains(floor);
        scene.clock.advance(FLOOR);

        assertThat(finish(claim(false).orElseThrow())).isTrue();
        scene.clock.advance(FLOOR.negated());
        scene.wake("once it works again", WakeMode.NOW);
        assertThat(nextBeat()).contains(scene.now().plus(EventRepository.SOON));
    }

    @Test
    void keepsARequestMadeDuringAScheduledHeartbeatThatFails() throws Exception {
        ClaimedHeartbeat beat = claim(true).orElseThrow();
        Instant floor = scene.now().plus(FLOOR);
        scene.wake("during", WakeMode.NOW);

        assertThat(fail(beat, null)).isTrue();
        assertThat(nextBeat()).contains(floor);
    }

    @Test
    void leavesTheNextHeartbeatToTheScheduleWhenNoneWasRequested() throws Exception {
        assertThat(fail(claim(true).orElseThrow(), null)).isTrue();

        assertThat(nextBeat()).isEmpty();
    }

    @Test
    void releasesAHeartbeatWithoutCountingAFailure() throws Exception {
        scene.wake("now", WakeMode.NOW);
        scene.clock.advance(EventRepository.SOON);
        ClaimedHeartbeat beat = claim(false).orElseThrow();
        Instant again = scene.now().plusSeconds(9);

        assertThat(release(beat, again)).isTrue();
        assertThat(scene.beatState()).isEqualTo(new HeartbeatState(again, null, 0, null, false));
        assertThat(scene.waiting()).hasSize(1);
    }

    @Test
    void releasesAHeartbeatAndKeepsRequestsMadeMeanwhile() throws Exception {
        ClaimedHeartbeat beat = claim(true).orElseThrow();
        scene.wake("now", WakeMode.NOW);

        assertThat(release(beat, scene.now().plusSeconds(9))).isTrue();
        assertThat(nextBeat()).contains(scene.now().plus(EventRepository.SOON));
    }

    @Test
    void keepsEventsInTheOrderInWhichTheyCame() throws Exception {
        scene.accept(Scene.wakeOf("1", WakeMode.NEXT_HEARTBEAT), Scene.wakeOf("2", WakeMode.NEXT_HEARTBEAT));
        post("3", WakeMode.NEXT_HEARTBEAT);
        scene.wake("4", WakeMode.NOW);
        scene.clock.advance(Duration.ofSeconds(-5));
        scene.wake("5", WakeMode.NOW);

        assertThat(scene.waiting()).extracting(WaitingEvent::text).containsExactly("1", "2", "3", "4", "5");
        assertThat(scene.<List<WaitingEvent>>write(sql -> scene.eventRepository.waiting(sql, Scene.AGENT, 2)))
                .extracting(WaitingEvent::text)
                .containsExactly("1", "2");
        assertThat(scene.<List<WaitingEvent>>write(sql -> scene.eventRepository.waiting(sql, "other", 2)))
                .isEmpty();
    }

    @Test
    void handsOutAnEventWithItsOrigin() throws Exception {
        EventId wake = scene.wake("look", WakeMode.NOW);
        RunId run = new RunId("run_1");
        EventId summary = scene.write(sql -> scene.eventRepository.post(
                sql, Scene.AGENT, "done", new Provenance("agent", true), run, WakeMode.NEXT_HEARTBEAT));

        assertThat(scene.waiting())
                .containsExactly(
                        new WaitingEvent(wake, "look", new Provenance("wake", false), null, scene.now()),
                        new WaitingEvent(summary, "done", new Provenance("agent", true), run, scene.now()));
    }

    @Test
    void mergesHeartbeatsRequestedTogether() throws Exception {
        scene.wake("a", WakeMode.NOW);
        Instant due = scene.now().plus(EventRepository.SOON);
        scene.clock.advance(Duration.ofMillis(200));
        scene.wake("b", WakeMode.NOW);
        post("c", WakeMode.NOW);

        assertThat(nextBeat()).contains(due);
        scene.clock.advance(Duration.ofMillis(50));
        ClaimedHeartbeat beat = claim(false).orElseThrow();
        assertThat(beat.session()).isEqualTo(SessionId.mainOf(Scene.AGENT));
        assertThat(beat.agentId()).isEqualTo(Scene.AGENT);
        assertThat(finish(beat)).isTrue();
        assertThat(nextBeat()).isEmpty();
        assertThat(claim(false)).isEmpty();
    }

    @Test
    void requestsAHeartbeatOnlyForTheModeNow() throws Exception {
        post("later", WakeMode.NEXT_HEARTBEAT);
        assertThat(nextBeat()).isEmpty();
        scene.accept(Scene.wakeOf("later", WakeMode.NEXT_HEARTBEAT), Scene.wakeOf("now", WakeMode.NOW));
        assertThat(nextBeat()).contains(scene.now().plus(EventRepository.SOON));
    }

    @Test
    void handlesEventsThatArriveMeanwhileInAnotherHeartbeat() throws Exception {
        scene.wake("a", WakeMode.NOW);
        scene.clock.advance(EventRepository.SOON);
        ClaimedHeartbeat beat = claim(false).orElseThrow();
        List<WaitingEvent> seen = scene.waiting();
        scene.wake("b", WakeMode.NOW);
        Instant due = scene.now().plus(EventRepository.SOON);

        assertThat(finish(beat, seen.get(0).id())).isTrue();
        assertThat(nextBeat()).contains(due);
        assertThat(scene.waiting()).extracting(WaitingEvent::text).containsExactly("b");
    }

    @Test
    void handlesLeftOverEventsInAnotherHeartbeatAtOnce() throws Exception {
        EventId first = scene.wake("a", WakeMode.NEXT_HEARTBEAT);
        scene.wake("b", WakeMode.NEXT_HEARTBEAT);
        ClaimedHeartbeat beat = claim(true).orElseThrow();

        assertThat(finish(beat, first)).isTrue();
        assertThat(nextBeat()).contains(scene.now());
    }

    @Test
    void letsALaterEventWaitForTheNextHeartbeatAsItAskedFor() throws Exception {
        EventId first = scene.wake("a", WakeMode.NEXT_HEARTBEAT);
        ClaimedHeartbeat beat = claim(true).orElseThrow();
        scene.wake("b", WakeMode.NEXT_HEARTBEAT);

        assertThat(finish(beat, first)).isTrue();
        assertThat(nextBeat()).isEmpty();
        assertThat(scene.waiting()).extracting(WaitingEvent::text).containsExactly("b");
    }

    @Test
    void doesNotLoopWhenAHeartbeatTakesNothing() throws Exception {
        scene.wake("a", WakeMode.NEXT_HEARTBEAT);
        ClaimedHeartbeat beat = claim(true).orElseThrow();

        assertThat(finish(beat)).isTrue();
        assertThat(nextBeat()).isEmpty();
    }

    @Test
    void takesAnEventOnce() throws Exception {
        EventId wake = scene.wake("a", WakeMode.NEXT_HEARTBEAT);
        EventId summary = post("s", WakeMode.NEXT_HEARTBEAT);
        scene.wake("b", WakeMode.NEXT_HEARTBEAT);
        assertThat(scene.intake.pending()).isEqualTo(2);

        assertThat(finish(claim(true).orElseThrow(), wake, summary, new EventId("evt_none"), wake))
                .isTrue();
        assertThat(scene.intake.pending()).isEqualTo(1);
        assertThat(finish(claim(true).orElseThrow(), wake)).isTrue();
        assertThat(scene.intake.pending()).isEqualTo(1);
        assertThat(scene.waiting()).extracting(WaitingEvent::text).containsExactly("b");
    }

    @Test
    void dropsTheOldestOfTooManySummariesAndNeverAWake() throws Exception {
        scene.wake("a wake", WakeMode.NEXT_HEARTBEAT);
        fill(SummaryLimit.MOST - 1);
        scene.write(sql -> scene.eventRepository.post(
                sql, "other", "of another", Provenance.untrusted("agent"), null, WakeMode.NEXT_HEARTBEAT));
        post("the last that fits", WakeMode.NEXT_HEARTBEAT);
        assertThat(summaries()).isEqualTo(SummaryLimit.MOST);

        post("one too many", WakeMode.NEXT_HEARTBEAT);

        assertThat(summaries()).isEqualTo(SummaryLimit.MOST + 1 - SummaryLimit.PIECE);
        assertThat(scene.waiting().subList(0, 2))
                .extracting(WaitingEvent::text)
                .containsExactly("a wake", "summary " + SummaryLimit.PIECE);
        assertThat(scene.intake.pending()).isEqualTo(1);
        assertThat(scene.<List<WaitingEvent>>write(sql -> scene.eventRepository.waiting(sql, "other", 2)))
                .hasSize(1);
    }

    @Test
    void takesNoEventOfAnotherAgent() throws Exception {
        EventId mine = scene.wake("mine", WakeMode.NEXT_HEARTBEAT);
        ClaimedHeartbeat other = scene.write(
                        sql -> scene.eventRepository.claimHeartbeat(sql, "node", "other", scene.now(), true))
                .orElseThrow();

        assertThat(finish(other, mine)).isTrue();
        assertThat(scene.waiting()).hasSize(1);
    }

    @Test
    void remembersWhenAHeartbeatLastSucceeded() throws Exception {
        assertThat(scene.beatState()).isEqualTo(new HeartbeatState(null, null, 0, null, false));
        ClaimedHeartbeat first = claim(true).orElseThrow();
        assertThat(first.lastHeartbeatAt()).isNull();
        assertThat(finish(first)).isTrue();
        Instant at = scene.now();
        scene.clock.advance(Duration.ofMinutes(30));

        ClaimedHeartbeat second = claim(true).orElseThrow();
        assertThat(second.lastHeartbeatAt()).isEqualTo(at);
        assertThat(second.fencingToken()).isGreaterThan(first.fencingToken());
        assertThat(fail(second, scene.now())).isTrue();
        assertThat(scene.beatState().lastBeatAt()).isEqualTo(at);
    }

    @Test
    void movesAHeartbeatEarlierButNeverLater() throws Exception {
        ask(scene.now().plusSeconds(5));
        assertThat(nextBeat()).as("there is no session yet").isEmpty();
        scene.wake("a", WakeMode.NEXT_HEARTBEAT);
        ask(scene.now().plusSeconds(5));
        assertThat(nextBeat()).contains(scene.now().plusSeconds(5));
        ask(scene.now().plusSeconds(6));
        assertThat(nextBeat()).contains(scene.now().plusSeconds(5));
        ask(scene.now().plusSeconds(4));
        assertThat(nextBeat()).contains(scene.now().plusSeconds(4));
    }

    @Test
    void tellsWhatHasWaitedLongestInWhicheverSession() throws Exception {
        assertThat(scene.store.read(EventRepository::oldestWaiting)).isEmpty();
        Instant first = scene.now();
        EventId oldest = scene.wake("first", WakeMode.NEXT_HEARTBEAT);
        scene.clock.advance(Duration.ofSeconds(3));
        Instant second = scene.now();
        scene.<EventId>write(sql -> scene.eventRepository.post(
                sql, "other", "second", Provenance.untrusted("agent"), null, WakeMode.NEXT_HEARTBEAT));
        scene.clock.advance(Duration.ofSeconds(3));
        scene.wake("third", WakeMode.NEXT_HEARTBEAT);

        assertThat(scene.store.read(EventRepository::oldestWaiting)).contains(first);
        assertThat(scene.intake.oldestWaitingEvent()).isEqualTo(Duration.ofSeconds(6));
        assertThat(finish(claim(true).orElseThrow(), oldest)).isTrue();
        assertThat(scene.store.read(EventRepository::oldestWaiting)).contains(second);
    }

    private void ask(Instant at) throws StoreException {
        scene.write(sql -> {
            scene.eventRepository.ask(sql, Scene.AGENT, at);
            return 1;
        });
    }

    private EventId post(String text, WakeMode mode) throws StoreException {
        return scene.write(
                sql -> scene.eventRepository.post(sql, Scene.AGENT, text, Provenance.untrusted("agent"), null, mode));
    }

    private Optional<ClaimedHeartbeat> claim(boolean periodicDue) throws StoreException {
        return scene.write(
                sql -> scene.eventRepository.claimHeartbeat(sql, "node", Scene.AGENT, scene.now(), periodicDue));
    }

    private boolean finish(ClaimedHeartbeat beat, EventId... taken) throws StoreException {
        return scene.write(sql -> scene.eventRepository.finishHeartbeat(sql, beat, List.of(taken), scene.now()));
    }

    private boolean fail(ClaimedHeartbeat beat, @Nullable Instant retryAt) throws StoreException {
        return scene.write(sql -> scene.eventRepository.failHeartbeat(
                sql, beat, retryAt, scene.now().plus(FLOOR)));
    }

    private boolean release(ClaimedHeartbeat beat, Instant again) throws StoreException {
        return scene.write(sql -> scene.eventRepository.releaseHeartbeat(sql, beat, again));
    }

    /** Adds {@code count} waiting summaries, numbered from 0. */
    private void fill(int count) throws StoreException {
        scene.write(sql -> {
            for (int i = 0; i < count; i++) {
                scene.eventRepository.post(
                        sql, Scene.AGENT, "summary " + i, Provenance.untrusted("agent"), null, WakeMode.NEXT_HEARTBEAT);
            }
            return count;
        });
    }

    private long summaries() throws StoreException {
        return scene.store.read(sql -> sql.first(
                        "SELECT count(*) AS n FROM event WHERE kind = 'summary' AND session_key = 'main:main'",
                        row -> row.number("n"))
                .orElseThrow());
    }

    private List<String> due() throws StoreException {
        return scene.store.read(sql -> scene.eventRepository.due(sql, scene.now(), 10));
    }

    private Optional<Instant> nextBeat() throws StoreException {
        return scene.store.read(scene.eventRepository::nextHeartbeat);
    }
}
