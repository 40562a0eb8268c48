package dev.postern.dispatch;

import dev.postern.acceptance.ClaimedHeartbeat;
import dev.postern.acceptance.SkippedHeartbeat;
import dev.postern.acceptance.WaitingEvent;
import dev.postern.agent.TurnResult;
import dev.postern.budget.BudgetDecision;
import dev.postern.budget.TurnOrigin;
import dev.postern.channel.DeliveryRepository.Added;
import dev.postern.channel.DeliveryRepository.Reply;
import dev.postern.heartbeat.Acknowledgement;
import dev.postern.heartbeat.HeartbeatPrompt;
import dev.postern.heartbeat.HeartbeatRetryRule;
import dev.postern.model.DeliveryState;
import dev.postern.model.EventId;
import dev.postern.model.Recipient;
import dev.postern.model.RunState;
import dev.postern.model.TurnRecord;
import dev.postern.store.SqlTransaction;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The completions of the turns of heartbeats. After a successful turn its events are marked as taken, together with its
 * transcript and its delivery. A failed heartbeat is retried as {@link HeartbeatRetryRule} says, or when another is requested. A
 * retry of a scheduled heartbeat respects the active hours. An event that fails alone goes behind the others, which it would hold
 * up for ever if a model can't take it. The reason of each heartbeat without effect is stored.
 */
final class HeartbeatTurnCompletions {

    private static final Logger LOG = System.getLogger(HeartbeatTurnCompletions.class.getName());
    /** The longest time until a heartbeat that waits for a budget looks again. */
    private static final Duration LONGEST_HOLD = Duration.ofMinutes(10);

    private static final Duration PAUSE_WHEN_INTERRUPTED = Duration.ofSeconds(1);

    /** The failures in a row from which on an event that failed alone waits behind the others. */
    private static final int MOST_FAILURES_IN_FRONT = 3;

    private final TurnRepositories tables;
    private final UndeliveredReplyNotice undeliveredReplyNotice;
    private final InstantSource clock;
    private final DispatchCounters dispatchCounters;
    private final HeartbeatClaimer heartbeatClaimer;
    private final Duration timeout;
    private final Runnable delivering;

    /**
     * @param timeout the time limit of a turn
     * @param delivering called when a reply was added to the outbox
     */
    HeartbeatTurnCompletions(
            TurnRepositories tables,
            InstantSource clock,
            DispatchCounters dispatchCounters,
            HeartbeatClaimer heartbeatClaimer,
            Duration timeout,
            Runnable delivering) {
        this.tables = tables;
        this.undeliveredReplyNotice = new UndeliveredReplyNotice(tables.events());
        this.clock = clock;
        this.dispatchCounters = dispatchCounters;
        this.heartbeatClaimer = heartbeatClaimer;
        this.timeout = timeout;
        this.delivering = delivering;
    }

    /** The completion of {@code turn}, which ended in {@code outcome}. */
    TurnCompletion of(TakenHeartbeat turn, TurnResult outcome) {
        if (outcome instanceof TurnResult.Interrupted interrupted) {
            String why = "interrupted by " + interrupted.reason();
            TurnRecord used = turn.recorder().record();
            return released(turn, why, () -> turn.progress().ended(turn.level(), why + "; will be run again", used));
        }
        if (outcome instanceof TurnResult.NotStarted notStarted) {
            String why = "not begun because of " + notStarted.reason();
            LOG.log(Level.DEBUG, "Heartbeat of {0}: {1}", turn.beat().agentId(), why);
            return notBegun(turn, why);
        }
        if (outcome instanceof TurnResult.Failed failed) {
            return failed(turn, failed.sentence(), Duration.ZERO, true);
        }
        if (outcome instanceof TurnResult.ProviderDown down) {
            return failed(turn, down.sentence(), down.pause(), false);
        }
        if (!(outcome instanceof TurnResult.Replied replied)) {
            return failed(turn, "timed out after " + timeout.toSeconds() + " s", Duration.ZERO, true);
        }
        HeartbeatPrompt prompt = turn.prompt();
        return prompt == null
                ? new TurnCompletion(sql -> finishEmpty(sql, turn.beat()), () -> {})
                : replied(turn, prompt, replied.text());
    }

    /** The completion that fails {@code beat}, without its spending, which may be what can't be written. */
    TurnCompletion failOnly(ClaimedHeartbeat beat, String reason) {
        Duration pause = HeartbeatRetryRule.pause(beat.failures(), Duration.ZERO);
        return new TurnCompletion(
                sql -> fail(sql, beat, beat.askedFor() ? pause : null, reason),
                () -> dispatchCounters.heartbeatEnded(false));
    }

    /** The completion of the turn of {@code beat} that will not run here. */
    TurnCompletion giveBack(ClaimedHeartbeat beat) {
        return new TurnCompletion(
                sql -> tables.heartbeats().release(sql, beat, beat.askedFor() ? clock.instant() : null), () -> {});
    }

    /** The completion of the turn of {@code beat}, which may not begin because a budget is {@code spent}. */
    TurnCompletion held(ClaimedHeartbeat beat, BudgetDecision.Spent spent) {
        return new TurnCompletion(
                sql -> {
                    Instant now = clock.instant();
                    Instant until = Collections.min(List.of(spent.until(), now.plus(LONGEST_HOLD)));
                    return postpone(sql, beat, now, until)
                            && note(
                                    sql,
                                    beat,
                                    now,
                                    "held by the budget " + spent.budget().id());
                },
                () -> {});
    }

    /** Ends a heartbeat that has nothing to ask; false if the claim no longer holds. */
    private boolean finishEmpty(SqlTransaction sql, ClaimedHeartbeat beat) throws SQLException {
        Instant now = clock.instant();
        return tables.heartbeats().finish(sql, beat, List.of(), now)
                && note(sql, beat, now, "nothing waited, and HEARTBEAT.md says nothing");
    }

    private TurnCompletion released(TakenHeartbeat turn, String why, Runnable afterwards) {
        return new TurnCompletion(
                sql -> {
                    Instant now = clock.instant();
                    return postpone(sql, turn.beat(), now, now.plus(PAUSE_WHEN_INTERRUPTED))
                            && note(sql, turn.beat(), now, why)
                            && spend(sql, turn, false);
                },
                afterwards);
    }

    /** Releases {@code beat} until {@code until}. The schedule retries one that was not requested, no earlier. */
    private boolean postpone(SqlTransaction sql, ClaimedHeartbeat beat, Instant now, Instant until)
            throws SQLException {
        if (!tables.heartbeats().release(sql, beat, beat.askedFor() ? until : null)) {
            return false;
        }
        if (!beat.askedFor()) {
            heartbeatClaimer.hold(beat.agentId(), Duration.between(now, until));
        }
        return true;
    }

    /** A heartbeat that was not begun counts in no budget of runs. */
    private TurnCompletion notBegun(TakenHeartbeat turn, String why) {
        TurnCompletion released = released(turn, why, () -> {});
        return new TurnCompletion(
                sql -> {
                    if (!released.unit().run(sql)) {
                        return false;
                    }
                    tables.budgets().takeBack(sql, turn.begun());
                    return true;
                },
                released.afterwards());
    }

    /**
     * @param asked the time for which the provider is not to be asked again
     * @param ended false if the turn could not be taken because its provider is down
     */
    private TurnCompletion failed(TakenHeartbeat turn, String reason, Duration asked, boolean ended) {
        ClaimedHeartbeat beat = turn.beat();
        Duration pause = HeartbeatRetryRule.pause(beat.failures(), asked);
        Optional<EventId> alone = turn.onlyEvent();
        String why = reason(reason, alone);
        TurnRecord used = turn.recorder().record();
        return new TurnCompletion(
                sql -> {
                    if (!fail(sql, beat, beat.askedFor() ? pause : null, why)) {
                        return false;
                    }
                    if (!beat.askedFor() && !asked.isZero()) {
                        heartbeatClaimer.hold(beat.agentId(), pause);
                    }
                    if (ended && alone.isPresent()) {
                        moveBack(sql, beat, alone.get());
                    }
                    return spend(sql, turn, ended);
                },
                () -> {
                    dispatchCounters.heartbeatEnded(false);
                    turn.progress().ended(Level.WARNING, why + "; retry in " + pause.toSeconds() + " s", used);
                });
    }

    /**
     * Ends {@code beat}, whose node ended during its turn, as failed: the turn may be the reason, and would end one node after the
     * other.
     */
    void endWithItsNode(SqlTransaction sql, ClaimedHeartbeat beat) throws SQLException {
        List<WaitingEvent> taken = HeartbeatPrompt.firstAfter(
                beat.failures(), tables.events().waiting(sql, beat.agentId(), HeartbeatPrompt.MAX_EVENTS));
        Optional<EventId> alone = taken.size() == 1 ? Optional.of(taken.get(0).id()) : Optional.empty();
        Duration pause = HeartbeatRetryRule.pause(beat.failures(), Duration.ZERO);
        fail(sql, beat, beat.askedFor() ? pause : null, reason("interrupted: the node that ran it ended", alone));
        if (alone.isPresent()) {
            moveBack(sql, beat, alone.get());
        }
        sql.afterCommit(() -> dispatchCounters.heartbeatEnded(false));
    }

    /** If an event fails alone, time and again, the operator should look at it. */
    private static String reason(String reason, Optional<EventId> alone) {
        return reason + alone.map(event -> ", with event " + event.value()).orElse("");
    }

    /**
     * @param pause the time until the next one; null to leave it to the schedule
     */
    private boolean fail(SqlTransaction sql, ClaimedHeartbeat beat, @Nullable Duration pause, String why)
            throws SQLException {
        Instant now = clock.instant();
        @Nullable Instant retryAt = pause == null ? null : now.plus(pause);
        return tables.heartbeats().fail(sql, beat, retryAt, now.plus(HeartbeatRetryRule.SHORTEST))
                && note(sql, beat, now, why);
    }

    /** Moves the event with which {@code beat} has failed behind the others, if it has failed often. */
    private void moveBack(SqlTransaction sql, ClaimedHeartbeat beat, EventId alone) throws SQLException {
        if (beat.failures() + 1 >= MOST_FAILURES_IN_FRONT) {
            tables.events().moveToEnd(sql, beat, alone);
        }
    }

    /** Stores the reason of a heartbeat without effect; true always. */
    private static boolean note(SqlTransaction sql, ClaimedHeartbeat beat, Instant at, String why) throws SQLException {
        new SkippedHeartbeat(at, why).note(sql, beat);
        return true;
    }

    private TurnCompletion replied(TakenHeartbeat turn, HeartbeatPrompt prompt, String reply) {
        AtomicReference<@Nullable Added> added = new AtomicReference<>();
        TurnRecord used = turn.recorder().record();
        return new TurnCompletion(
                sql -> {
                    Instant now = clock.instant();
                    if (!tables.heartbeats().finish(sql, turn.beat(), prompt.events(), now)) {
                        return false;
                    }
                    if (!prompt.events().isEmpty() || !Acknowledgement.is(reply)) {
                        tables.transcript().append(sql, turn.remembered(), turn.id(), prompt.text(), reply, now);
                    }
                    added.set(deliver(sql, turn, reply, now));
                    return spend(sql, turn, true);
                },
                () -> {
                    dispatchCounters.heartbeatEnded(true);
                    tellReply(turn, added.get(), used);
                });
    }

    private @Nullable Added deliver(SqlTransaction sql, TakenHeartbeat turn, String text, Instant now)
            throws SQLException {
        Optional<Recipient> recipient = turn.agent().heartbeat().recipient();
        if (recipient.isEmpty() || Acknowledgement.is(text)) {
            return null;
        }
        ClaimedHeartbeat beat = turn.beat();
        Reply reply = new Reply(null, RunState.SUCCEEDED, beat.session(), recipient.get(), text, turn.trace());
        Added added = tables.deliveries().add(sql, reply, now);
        if (added.failure() != null) {
            undeliveredReplyNotice.onUndelivered(sql, beat.agentId(), null, added.failure());
        }
        return added;
    }

    private void tellReply(TakenHeartbeat turn, @Nullable Added reply, TurnRecord used) {
        String whereTo = reply == null
                ? "nobody"
                : reply.channel() + " (" + reply.state().wire() + ")";
        turn.progress().ended(turn.level(), "answered, reply to " + whereTo, used);
        if (reply != null && reply.state() == DeliveryState.PENDING) {
            delivering.run();
        }
    }

    /** Records what the turn has spent; true always. */
    private boolean spend(SqlTransaction sql, TakenHeartbeat turn, boolean ended) throws SQLException {
        TurnOrigin origin = TurnOrigin.heartbeat(turn.agent().id());
        tables.spending().record(sql, origin, turn.recorder().uses(), ended);
        return true;
    }
}
