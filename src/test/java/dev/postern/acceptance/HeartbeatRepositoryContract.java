package dev.postern.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.model.EventId;
import dev.postern.model.OperatorResult;
import dev.postern.model.Provenance;
import dev.postern.model.RunId;
import dev.postern.model.SessionId;
import dev.postern.model.WakeMode;
import dev.postern.store.StoreException;
import dev.postern.store.TestDatabases;
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

/** The contract of heartbeats, which are claimed and ended, and of the events that wait for them, on every database. */
abstract class HeartbeatRepositoryContract {

    private static final Duration FLOOR = Duration.ofSeconds(10);

    @TempDir
    Path home;

    AcceptanceFixture fixture;

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
    void claimsNoHeartbeatWithoutARequest() throws Exception {
        assertThat(claim(false)).isEmpty();
        fixture.wake("later", WakeMode.NEXT_HEARTBEAT);

        assertThat(claim(false)).isEmpty();
        assertThat(nextHeartbeat()).isEmpty();
    }

    @Test
    void claimsNoHeartbeatBeforeItIsDue() throws Exception {
        fixture.wake("now", WakeMode.NOW);
        fixture.clock.advance(HeartbeatRepository.SOON.minusMillis(1));
        assertThat(claim(false)).isEmpty();
        fixture.clock.advance(Duration.ofMillis(1));

        assertThat(claim(false)).isPresent();
    }

    @Test
    void neverClaimsTwoHeartbeatsAtOnce() throws Exception {
        fixture.wake("now", WakeMode.NOW);
        fixture.clock.advance(HeartbeatRepository.SOON);
        ClaimedHeartbeat beat = claim(false).orElseThrow();
        fixture.wake("now", WakeMode.NOW);
        fixture.clock.advance(HeartbeatRepository.SOON);

        assertThat(fixture.heartbeatState().busy()).isTrue();
        assertThat(claim(true)).isEmpty();
        assertThat(claim(false)).isEmpty();
        assertThat(nextHeartbeat()).isEmpty();
        assertThat(finish(beat)).isTrue();
        assertThat(claim(false)).isPresent();
    }

    @Test
    void claimsNoHeartbeatWhileARunHoldsTheMainSession() throws Exception {
        fixture.queue("main:main");
        ClaimedRun run = fixture.claimOne();

        assertThat(claim(true)).isEmpty();
        assertThat(fixture.<Boolean>write(sql -> fixture.runRepository.release(sql, run, null)))
                .isTrue();
        assertThat(claim(true)).isPresent();
        assertThat(fixture.claim("node", 1)).isEmpty();
    }

    @Test
    void letsAHolderThatWasTakenForDeadChangeNothing() throws Exception {
        EventId id = fixture.wake("now", WakeMode.NOW);
        fixture.clock.advance(HeartbeatRepository.SOON);
        ClaimedHeartbeat lost = claim(false).orElseThrow();
        fixture.recover(1);
        ClaimedHeartbeat again = claim(false).orElseThrow();

        assertThat(finish(lost, id)).isFalse();
        assertThat(fail(lost, fixture.now())).isFalse();
        assertThat(release(lost, fixture.now())).isFalse();
        assertThat(fixture.waiting()).hasSize(1);
        assertThat(fixture.intake.pending()).isEqualTo(1);
        assertThat(fixture.heartbeatState()).isEqualTo(new HeartbeatState(null, null, 0, null, true));
        assertThat(finish(again, id)).isTrue();
        assertThat(finish(again, id)).isFalse();
        assertThat(fixture.intake.pending()).isZero();
    }

    @Test
    void continuesHeartbeatsOfAnAgentWhoseMainSessionAnotherUses() throws Exception {
        fixture.wake("now", WakeMode.NOW);
        fixture.accept(AcceptanceFixture.turnOf("other", "main:main"));
        fixture.clock.advance(HeartbeatRepository.SOON);

        assertThat(nextHeartbeat()).contains(fixture.now());
        assertThat(due()).containsExactly(AcceptanceFixture.AGENT);
        assertThat(claim(false)).isPresent();
        assertThat(nextHeartbeat()).isEmpty();
        assertThat(due()).isEmpty();
    }

    @Test
    void showsNoHeartbeatForASessionThatIsNotAMainSession() throws Exception {
        fixture.queue("hook:main");
        fixture.write(sql -> sql.update("UPDATE session SET beat_at = 1"));

        assertThat(nextHeartbeat()).isEmpty();
        assertThat(due()).isEmpty();
    }

    @Test
    void keepsItsEventsAndCountsTheFailureWhenAHeartbeatFails() throws Exception {
        fixture.wake("now", WakeMode.NOW);
        fixture.clock.advance(HeartbeatRepository.SOON);
        ClaimedHeartbeat beat = claim(false).orElseThrow();
        assertThat(beat.failures()).isZero();
        Instant retryAt = fixture.now().plusSeconds(60);

        assertThat(fail(beat, retryAt)).isTrue();
        assertThat(fixture.heartbeatState())
                .isEqualTo(new HeartbeatState(retryAt, null, 1, fixture.now().plus(FLOOR), false));
        assertThat(fixture.waiting()).hasSize(1);
        assertThat(fixture.intake.pending()).isEqualTo(1);
        fixture.wake("later", WakeMode.NEXT_HEARTBEAT);
        assertThat(nextHeartbeat()).as("the pause stays").contains(retryAt);
        fixture.clock.advance(Duration.ofSeconds(60));
        ClaimedHeartbeat second = claim(false).orElseThrow();
        assertThat(second.failures()).isEqualTo(1);
        assertThat(finish(second)).isTrue();
        assertThat(fixture.heartbeatState().failures()).isZero();
    }

    @Test
    void beginsSoonAfterAFailureWhenRequested() throws Exception {
        Instant retryAt = fixture.now().plusSeconds(600);
        assertThat(fail(claim(true).orElseThrow(), retryAt)).isTrue();
        fixture.clock.advance(FLOOR);

        fixture.wake("now", WakeMode.NOW);
        assertThat(nextHeartbeat()).contains(fixture.now().plus(HeartbeatRepository.SOON));
        fixture.clock.advance(Duration.ofSeconds(1));
        fixture.wake("now", WakeMode.NOW);
        assertThat(nextHeartbeat())
                .as("the earlier stays")
                .contains(fixture.now().minusMillis(750));
    }

    @Test
    void beginsNoHeartbeatRightAfterAFailureDespiteRequests() throws Exception {
        ClaimedHeartbeat beat = claim(true).orElseThrow();
        Instant floor = fixture.now().plus(FLOOR);
        fixture.wake("during", WakeMode.NOW);
        assertThat(fail(beat, fixture.now().plusSeconds(600))).isTrue();
        assertThat(nextHeartbeat()).contains(floor);
        fixture.wake("after", WakeMode.NOW);
        assertThat(nextHeartbeat()).contains(floor);
        fixture.clock.advance(FLOOR);

        assertThat(finish(claim(false).orElseThrow())).isTrue();
        fixture.clock.advance(FLOOR.negated());
        fixture.wake("once it works again", WakeMode.NOW);
        assertThat(nextHeartbeat()).contains(fixture.now().plus(HeartbeatRepository.SOON));
    }

    @Test
    void keepsARequestMadeDuringAScheduledHeartbeatThatFails() throws Exception {
        ClaimedHeartbeat beat = claim(true).orElseThrow();
        Instant floor = fixture.now().plus(FLOOR);
        fixture.wake("during", WakeMode.NOW);

        assertThat(fail(beat, null)).isTrue();
        assertThat(nextHeartbeat()).contains(floor);
    }

    @Test
    void countsAsRequestedWhenTheScheduleIsAheadOfTheRequest() throws Exception {
        fixture.wake("now", WakeMode.NOW);

        assertThat(claim(true).orElseThrow().askedFor()).isTrue();
    }

    @Test
    void leavesTheNextHeartbeatToTheScheduleWhenNoneWasRequested() throws Exception {
        assertThat(fail(claim(true).orElseThrow(), null)).isTrue();

        assertThat(nextHeartbeat()).isEmpty();
    }

    @Test
    void releasesAHeartbeatWithoutCountingAFailure() throws Exception {
        fixture.wake("now", WakeMode.NOW);
        fixture.clock.advance(HeartbeatRepository.SOON);
        ClaimedHeartbeat beat = claim(false).orElseThrow();
        Instant again = fixture.now().plusSeconds(9);

        assertThat(release(beat, again)).isTrue();
        assertThat(fixture.heartbeatState()).isEqualTo(new HeartbeatState(again, null, 0, null, false));
        assertThat(fixture.waiting()).hasSize(1);
    }

    @Test
    void releasesAHeartbeatAndKeepsRequestsMadeMeanwhile() throws Exception {
        ClaimedHeartbeat beat = claim(true).orElseThrow();
        fixture.wake("now", WakeMode.NOW);

        assertThat(release(beat, fixture.now().plusSeconds(9))).isTrue();
        assertThat(nextHeartbeat()).contains(fixture.now().plus(HeartbeatRepository.SOON));
    }

    @Test
    void keepsEventsInTheOrderInWhichTheyCame() throws Exception {
        fixture.accept(
                AcceptanceFixture.wakeOf("1", WakeMode.NEXT_HEARTBEAT),
                AcceptanceFixture.wakeOf("2", WakeMode.NEXT_HEARTBEAT));
        post("3", WakeMode.NEXT_HEARTBEAT);
        fixture.wake("4", WakeMode.NOW);
        fixture.clock.advance(Duration.ofSeconds(-5));
        fixture.wake("5", WakeMode.NOW);

        assertThat(fixture.waiting()).extracting(WaitingEvent::text).containsExactly("1", "2", "3", "4", "5");
        assertThat(fixture.<List<WaitingEvent>>write(
                        sql -> fixture.eventRepository.waiting(sql, AcceptanceFixture.AGENT, 2)))
                .extracting(WaitingEvent::text)
                .containsExactly("1", "2");
        assertThat(fixture.<List<WaitingEvent>>write(sql -> fixture.eventRepository.waiting(sql, "other", 2)))
                .isEmpty();
    }

    @Test
    void handsOutAnEventWithItsOrigin() throws Exception {
        EventId wake = fixture.wake("look", WakeMode.NOW);
        RunId run = new RunId("run_1");
        EventId summary = fixture.write(sql -> fixture.eventRepository.post(
                sql, AcceptanceFixture.AGENT, "done", new Provenance("agent", true), run, WakeMode.NEXT_HEARTBEAT));

        assertThat(fixture.waiting())
                .containsExactly(
                        new WaitingEvent(wake, "look", new Provenance("wake", false), null, fixture.now()),
                        new WaitingEvent(summary, "done", new Provenance("agent", true), run, fixture.now()));
    }

    @Test
    void mergesHeartbeatsRequestedTogether() throws Exception {
        fixture.wake("a", WakeMode.NOW);
        Instant due = fixture.now().plus(HeartbeatRepository.SOON);
        fixture.clock.advance(Duration.ofMillis(200));
        fixture.wake("b", WakeMode.NOW);
        post("c", WakeMode.NOW);

        assertThat(nextHeartbeat()).contains(due);
        fixture.clock.advance(Duration.ofMillis(50));
        ClaimedHeartbeat beat = claim(false).orElseThrow();
        assertThat(beat.session()).isEqualTo(SessionId.mainOf(AcceptanceFixture.AGENT));
        assertThat(beat.agentId()).isEqualTo(AcceptanceFixture.AGENT);
        assertThat(finish(beat)).isTrue();
        assertThat(nextHeartbeat()).isEmpty();
        assertThat(claim(false)).isEmpty();
    }

    @Test
    void requestsAHeartbeatOnlyForTheModeNow() throws Exception {
        post("later", WakeMode.NEXT_HEARTBEAT);
        assertThat(nextHeartbeat()).isEmpty();
        fixture.accept(
                AcceptanceFixture.wakeOf("later", WakeMode.NEXT_HEARTBEAT),
                AcceptanceFixture.wakeOf("now", WakeMode.NOW));
        assertThat(nextHeartbeat()).contains(fixture.now().plus(HeartbeatRepository.SOON));
    }

    @Test
    void handlesEventsThatArriveMeanwhileInAnotherHeartbeat() throws Exception {
        fixture.wake("a", WakeMode.NOW);
        fixture.clock.advance(HeartbeatRepository.SOON);
        ClaimedHeartbeat beat = claim(false).orElseThrow();
        List<WaitingEvent> seen = fixture.waiting();
        fixture.wake("b", WakeMode.NOW);
        Instant due = fixture.now().plus(HeartbeatRepository.SOON);

        assertThat(finish(beat, seen.get(0).id())).isTrue();
        assertThat(nextHeartbeat()).contains(due);
        assertThat(fixture.waiting()).extracting(WaitingEvent::text).containsExactly("b");
    }

    @Test
    void handlesLeftOverEventsInAnotherHeartbeatAtOnce() throws Exception {
        EventId first = fixture.wake("a", WakeMode.NEXT_HEARTBEAT);
        fixture.wake("b", WakeMode.NEXT_HEARTBEAT);
        ClaimedHeartbeat beat = claim(true).orElseThrow();

        assertThat(finish(beat, first)).isTrue();
        assertThat(nextHeartbeat()).contains(fixture.now());
    }

    @Test
    void letsALaterEventWaitForTheNextHeartbeatAsItAskedFor() throws Exception {
        EventId first = fixture.wake("a", WakeMode.NEXT_HEARTBEAT);
        ClaimedHeartbeat beat = claim(true).orElseThrow();
        fixture.wake("b", WakeMode.NEXT_HEARTBEAT);

        assertThat(finish(beat, first)).isTrue();
        assertThat(nextHeartbeat()).isEmpty();
        assertThat(fixture.waiting()).extracting(WaitingEvent::text).containsExactly("b");
    }

    @Test
    void doesNotLoopWhenAHeartbeatTakesNothing() throws Exception {
        fixture.wake("a", WakeMode.NEXT_HEARTBEAT);
        ClaimedHeartbeat beat = claim(true).orElseThrow();

        assertThat(finish(beat)).isTrue();
        assertThat(nextHeartbeat()).isEmpty();
    }

    @Test
    void takesAnEventOnce() throws Exception {
        EventId wake = fixture.wake("a", WakeMode.NEXT_HEARTBEAT);
        EventId summary = post("s", WakeMode.NEXT_HEARTBEAT);
        fixture.wake("b", WakeMode.NEXT_HEARTBEAT);
        assertThat(fixture.intake.pending()).isEqualTo(2);

        assertThat(finish(claim(true).orElseThrow(), wake, summary, new EventId("evt_none"), wake))
                .isTrue();
        assertThat(fixture.intake.pending()).isEqualTo(1);
        assertThat(finish(claim(true).orElseThrow(), wake)).isTrue();
        assertThat(fixture.intake.pending()).isEqualTo(1);
        assertThat(fixture.waiting()).extracting(WaitingEvent::text).containsExactly("b");
    }

    @Test
    void discardsAWaitingEventOnce() throws Exception {
        EventId wake = fixture.wake("poison", WakeMode.NOW);
        EventId summary = post("s", WakeMode.NEXT_HEARTBEAT);
        fixture.wake("b", WakeMode.NOW);

        assertThat(discard(wake.value())).isInstanceOf(OperatorResult.Done.class);
        assertThat(discard(summary.value())).isInstanceOf(OperatorResult.Done.class);

        assertThat(fixture.waiting()).extracting(WaitingEvent::text).containsExactly("b");
        assertThat(fixture.intake.pending()).isEqualTo(1);
        assertThat(discard(wake.value())).isInstanceOf(OperatorResult.Conflict.class);
        assertThat(discard("evt_none")).isInstanceOf(OperatorResult.NotFound.class);
        assertThat(fixture.intake.pending()).isEqualTo(1);
        assertThat(new SessionQueries(fixture.store).event(wake.value()))
                .contains(new SessionQueries.EventTimes(fixture.now(), fixture.now(), true));
    }

    @Test
    void endsAHeartbeatWhoseEventWasDiscardedMeanwhile() throws Exception {
        EventId wake = fixture.wake("poison", WakeMode.NOW);
        fixture.clock.advance(HeartbeatRepository.SOON);
        ClaimedHeartbeat beat = claim(false).orElseThrow();
        discard(wake.value());

        assertThat(finish(beat, wake)).isTrue();

        assertThat(fixture.intake.pending()).isZero();
        assertThat(new SessionQueries(fixture.store)
                        .event(wake.value())
                        .orElseThrow()
                        .discarded())
                .isTrue();
    }

    @Test
    void dropsTheOldestOfTooManySummariesAndNeverAWake() throws Exception {
        fixture.wake("a wake", WakeMode.NEXT_HEARTBEAT);
        fill(SummaryLimit.MOST - 1);
        fixture.write(sql -> fixture.eventRepository.post(
                sql, "other", "of another", Provenance.untrusted("agent"), null, WakeMode.NEXT_HEARTBEAT));
        post("the last that fits", WakeMode.NEXT_HEARTBEAT);
        assertThat(summaries()).isEqualTo(SummaryLimit.MOST);

        post("one too many", WakeMode.NEXT_HEARTBEAT);

        assertThat(summaries()).isEqualTo(SummaryLimit.MOST + 1 - SummaryLimit.PIECE);
        assertThat(fixture.waiting().subList(0, 2))
                .extracting(WaitingEvent::text)
                .containsExactly("a wake", "summary " + SummaryLimit.PIECE);
        assertThat(fixture.intake.pending()).isEqualTo(1);
        assertThat(fixture.<List<WaitingEvent>>write(sql -> fixture.eventRepository.waiting(sql, "other", 2)))
                .hasSize(1);
    }

    @Test
    void takesNoEventOfAnotherAgent() throws Exception {
        EventId mine = fixture.wake("mine", WakeMode.NEXT_HEARTBEAT);
        ClaimedHeartbeat other = fixture.write(
                        sql -> fixture.heartbeatRepository.claim(sql, "node", "other", fixture.now(), true))
                .orElseThrow();

        assertThat(finish(other, mine)).isTrue();
        assertThat(fixture.waiting()).hasSize(1);
    }

    @Test
    void remembersWhenAHeartbeatLastSucceeded() throws Exception {
        assertThat(fixture.heartbeatState()).isEqualTo(new HeartbeatState(null, null, 0, null, false));
        ClaimedHeartbeat first = claim(true).orElseThrow();
        assertThat(first.lastHeartbeatAt()).isNull();
        assertThat(finish(first)).isTrue();
        Instant at = fixture.now();
        fixture.clock.advance(Duration.ofMinutes(30));

        ClaimedHeartbeat second = claim(true).orElseThrow();
        assertThat(second.lastHeartbeatAt()).isEqualTo(at);
        assertThat(second.fencingToken()).isGreaterThan(first.fencingToken());
        assertThat(fail(second, fixture.now())).isTrue();
        assertThat(fixture.heartbeatState().lastBeatAt()).isEqualTo(at);
    }

    @Test
    void movesAHeartbeatEarlierButNeverLater() throws Exception {
        ask(fixture.now().plusSeconds(5));
        assertThat(nextHeartbeat()).as("there is no session yet").isEmpty();
        fixture.wake("a", WakeMode.NEXT_HEARTBEAT);
        ask(fixture.now().plusSeconds(5));
        assertThat(nextHeartbeat()).contains(fixture.now().plusSeconds(5));
        ask(fixture.now().plusSeconds(6));
        assertThat(nextHeartbeat()).contains(fixture.now().plusSeconds(5));
        ask(fixture.now().plusSeconds(4));
        assertThat(nextHeartbeat()).contains(fixture.now().plusSeconds(4));
    }

    @Test
    void tellsWhatHasWaitedLongestInWhicheverSession() throws Exception {
        assertThat(fixture.store.read(EventRepository::oldestWaiting)).isEmpty();
        Instant first = fixture.now();
        EventId oldest = fixture.wake("first", WakeMode.NEXT_HEARTBEAT);
        fixture.clock.advance(Duration.ofSeconds(3));
        Instant second = fixture.now();
        fixture.<EventId>write(sql -> fixture.eventRepository.post(
                sql, "other", "second", Provenance.untrusted("agent"), null, WakeMode.NEXT_HEARTBEAT));
        fixture.clock.advance(Duration.ofSeconds(3));
        fixture.wake("third", WakeMode.NEXT_HEARTBEAT);

        assertThat(fixture.store.read(EventRepository::oldestWaiting)).contains(first);
        assertThat(fixture.intake.oldestWaitingEvent()).isEqualTo(Duration.ofSeconds(6));
        assertThat(finish(claim(true).orElseThrow(), oldest)).isTrue();
        assertThat(fixture.store.read(EventRepository::oldestWaiting)).contains(second);
    }

    private void ask(Instant at) throws StoreException {
        fixture.write(sql -> {
            fixture.heartbeatRepository.ask(sql, AcceptanceFixture.AGENT, at);
            return 1;
        });
    }

    private EventId post(String text, WakeMode mode) throws StoreException {
        return fixture.write(sql -> fixture.eventRepository.post(
                sql, AcceptanceFixture.AGENT, text, Provenance.untrusted("agent"), null, mode));
    }

    private Optional<ClaimedHeartbeat> claim(boolean periodicDue) throws StoreException {
        return fixture.write(sql ->
                fixture.heartbeatRepository.claim(sql, "node", AcceptanceFixture.AGENT, fixture.now(), periodicDue));
    }

    private OperatorResult discard(String id) throws StoreException {
        return fixture.write(sql -> fixture.eventRepository.discard(sql, id));
    }

    private boolean finish(ClaimedHeartbeat beat, EventId... taken) throws StoreException {
        return fixture.write(sql -> fixture.heartbeatRepository.finish(sql, beat, List.of(taken), fixture.now()));
    }

    private boolean fail(ClaimedHeartbeat beat, @Nullable Instant retryAt) throws StoreException {
        return fixture.write(sql -> fixture.heartbeatRepository.fail(
                sql, beat, retryAt, fixture.now().plus(FLOOR)));
    }

    private boolean release(ClaimedHeartbeat beat, Instant again) throws StoreException {
        return fixture.write(sql -> fixture.heartbeatRepository.release(sql, beat, again));
    }

    /** Adds {@code count} waiting summaries, numbered from 0. */
    private void fill(int count) throws StoreException {
        fixture.write(sql -> {
            for (int i = 0; i < count; i++) {
                fixture.eventRepository.post(
                        sql,
                        AcceptanceFixture.AGENT,
                        "summary " + i,
                        Provenance.untrusted("agent"),
                        null,
                        WakeMode.NEXT_HEARTBEAT);
            }
            return count;
        });
    }

    private long summaries() throws StoreException {
        return fixture.store.read(sql -> sql.first(
                        "SELECT count(*) AS n FROM event WHERE kind = 'summary' AND session_key = 'main:main'",
                        row -> row.number("n"))
                .orElseThrow());
    }

    private List<String> due() throws StoreException {
        return fixture.store.read(sql -> fixture.heartbeatRepository.due(sql, fixture.now(), 10));
    }

    private Optional<Instant> nextHeartbeat() throws StoreException {
        return fixture.store.read(fixture.heartbeatRepository::next);
    }
}
