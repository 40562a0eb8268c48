package dev.postern.dispatch;

import dev.postern.acceptance.ClaimedRun;
import dev.postern.acceptance.EndedRun;
import dev.postern.acceptance.ProviderWait;
import dev.postern.agent.TurnResult;
import dev.postern.agent.TurnResult.Down;
import dev.postern.agent.TurnResult.Paused;
import dev.postern.agent.TurnResult.ProviderDown;
import dev.postern.channel.DeliveryRepository.Added;
import dev.postern.channel.DeliveryRepository.Reply;
import dev.postern.dispatch.TakenTurn.Exchange;
import dev.postern.heartbeat.Acknowledgement;
import dev.postern.model.DeliveryState;
import dev.postern.model.RunState;
import dev.postern.model.TurnRecord;
import dev.postern.store.SqlTransaction;
import dev.postern.store.UnitOfWork;
import java.lang.System.Logger.Level;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The completions of the turns of runs. Each outcome of a turn ends its run, or puts it back to the head of its session's queue;
 * the results of a run that ends are its state, transcript, delivery, spending and reports.
 */
final class RunTurnCompletions {

    /** The time for which a session lock is kept after a turn could not begin; the obstacle may be gone then. */
    private static final Duration PAUSE_WHEN_NOT_BEGUN = Duration.ofSeconds(1);

    private final int maxAttempts;
    private final ProviderRetrySchedule retrySchedule;
    private final TurnRepositories tables;
    private final RunReporter runReporter;
    private final TurnPauses pauses;
    private final UndeliveredReplyNotice undeliveredReplyNotice;
    private final InstantSource clock;
    private final DispatchCounters dispatchCounters;
    private final Runnable delivering;

    /**
     * @param maxAttempts the most attempts at a run
     * @param delivering called when a reply was added to the outbox
     */
    RunTurnCompletions(
            int maxAttempts,
            ProviderRetrySchedule retrySchedule,
            TurnRepositories tables,
            RunReporter runReporter,
            TurnPauses pauses,
            InstantSource clock,
            DispatchCounters dispatchCounters,
            Runnable delivering) {
        this.maxAttempts = maxAttempts;
        this.retrySchedule = retrySchedule;
        this.tables = tables;
        this.runReporter = runReporter;
        this.pauses = pauses;
        this.undeliveredReplyNotice = new UndeliveredReplyNotice(tables.events());
        this.clock = clock;
        this.dispatchCounters = dispatchCounters;
        this.delivering = delivering;
    }

    /** The completion of {@code turn}, which ended in {@code outcome}. */
    TurnCompletion of(TakenTurn turn, TurnResult outcome) {
        if (outcome instanceof TurnResult.Replied replied) {
            return ended(turn, RunState.SUCCEEDED, replied.text(), null);
        }
        if (outcome instanceof TurnResult.Failed failed) {
            return failed(turn, failed.sentence());
        }
        if (outcome instanceof Down down) {
            return postponed(turn, down);
        }
        if (outcome instanceof Paused waiting) {
            return paused(turn, Objects.requireNonNull(turn.exchange(), "a turn that waits was taken"), waiting);
        }
        if (outcome instanceof TurnResult.Cancelled cancelled) {
            return ended(turn, RunState.CANCELLED, null, cancelled.sentence());
        }
        if (outcome instanceof TurnResult.Interrupted interrupted) {
            return interrupted(turn, interrupted.reason());
        }
        if (outcome instanceof TurnResult.NotStarted) {
            return new TurnCompletion(sql -> giveBack(sql, turn), () -> {}, PAUSE_WHEN_NOT_BEGUN);
        }
        Duration limit = turn.run().turn().timeout();
        return ended(turn, RunState.TIMED_OUT, null, "timed out after " + limit.toSeconds() + " s");
    }

    /** The completion that fails {@code run}, without its record, spending and reports. One of them can't be written. */
    TurnCompletion failOnly(ClaimedRun run, String error) {
        return new TurnCompletion(
                sql -> tables.runs().finish(sql, run, RunState.FAILED, null, error, null),
                () -> runReporter.notifyEnded(run.id(), RunState.FAILED));
    }

    /** The completion of {@code turn}, which will not run here. */
    TurnCompletion giveBack(TakenTurn turn) {
        return new TurnCompletion(sql -> giveBack(sql, turn), () -> {});
    }

    /** Gives back the run of a turn that has not begun, which then counts in no budget of runs. */
    private boolean giveBack(SqlTransaction sql, TakenTurn turn) throws SQLException {
        if (!tables.runs().giveBack(sql, turn.run())) {
            return false;
        }
        tables.budgets().takeBack(sql, turn.begun());
        return true;
    }

    /** Tools may have had an effect: if some were called, the attempt counts, so that they are not called forever. */
    private TurnCompletion postponed(TakenTurn turn, Down down) {
        ClaimedRun run = turn.run();
        Exchange exchange = turn.exchange();
        boolean attempted = exchange != null && exchange.recorder().hasCalledTools();
        Optional<ProviderWait> wait = retrySchedule.next(run.retries(), down);
        if (wait.isEmpty()) {
            return failed(turn, down.sentence());
        }
        if (attempted && run.attempts() >= maxAttempts) {
            return failed(
                    turn, down.sentence() + "; tools were called, and the " + maxAttempts + " attempts are used up");
        }
        @Nullable TurnRecord used = recordOf(turn);
        @Nullable TurnRecord kept = keptForLater(turn, used);
        UnitOfWork<Boolean> unit =
                sql -> tables.runs().postpone(sql, run, wait.get(), attempted, kept) && spend(sql, turn, false);
        return new TurnCompletion(unit, () -> {
            dispatchCounters.postponed();
            tell(
                    turn,
                    "to be begun again at " + wait.get().until().truncatedTo(ChronoUnit.SECONDS)
                            + (down instanceof ProviderDown
                                    ? ", because its provider is down"
                                    : ", because the tool server of an approved call is down"),
                    used);
        });
    }

    private TurnCompletion paused(TakenTurn turn, Exchange exchange, Paused waiting) {
        TurnRecord used = recordOf(exchange);
        return new TurnCompletion(
                sql -> {
                    @Nullable DeliveryState question = pauses.pause(sql, turn, waiting, exchange.journal(), used);
                    if (question == null) {
                        return false;
                    }
                    signalOutbox(sql, question == DeliveryState.PENDING);
                    runReporter.reportHeld(
                            sql,
                            turn.run(),
                            "approval",
                            waiting.questions().stream()
                                    .map(each -> each.server() + "/" + each.tool())
                                    .distinct()
                                    .collect(Collectors.joining(", ")),
                            clock.instant().plus(turn.agent().tools().approval().within()));
                    return spend(sql, turn, false);
                },
                () -> tell(turn, "paused until an operator decides about a tool call", used));
    }

    private TurnCompletion interrupted(TakenTurn turn, String reason) {
        if (turn.run().attempts() >= maxAttempts) {
            return failed(turn, "interrupted by " + reason + "; its " + maxAttempts + " attempts are used up");
        }
        @Nullable TurnRecord used = recordOf(turn);
        @Nullable TurnRecord kept = keptForLater(turn, used);
        return new TurnCompletion(
                sql -> tables.runs().release(sql, turn.run(), kept) && spend(sql, turn, false), () -> {
                    dispatchCounters.interrupted(1);
                    tell(turn, "interrupted by " + reason + ", to be begun again", used);
                });
    }

    private TurnCompletion failed(TakenTurn turn, String error) {
        return ended(turn, RunState.FAILED, null, error);
    }

    private TurnCompletion ended(TakenTurn turn, RunState state, @Nullable String reply, @Nullable String error) {
        ClaimedRun run = turn.run();
        EndedRun ended = new EndedRun(run.id(), state, run.attempts(), run.turn(), error, turn.trace());
        @Nullable TurnRecord used = recordOf(turn);
        @Nullable TurnRecord kept = kept(turn, used);
        return new TurnCompletion(sql -> write(sql, turn, ended, reply, kept), () -> {
            tellEnd(turn, state, error, used);
            runReporter.notifyEnded(run.id(), state);
        });
    }

    /** The record of what {@code turn} used, with its cost; null if the model was not asked. */
    private @Nullable TurnRecord recordOf(TakenTurn turn) {
        Exchange exchange = turn.exchange();
        return exchange == null ? null : recordOf(exchange);
    }

    private TurnRecord recordOf(Exchange exchange) {
        return exchange.recorder()
                .record()
                .withCost(tables.spending().cost(exchange.recorder().allUses()));
    }

    /**
     * The record to keep with the run of a turn that has {@code used} this; null where the run has a better one. That is so
     * after a pause, as long as what was done before it is not all played back.
     */
    private static @Nullable TurnRecord kept(TakenTurn turn, @Nullable TurnRecord used) {
        Exchange exchange = turn.exchange();
        return exchange == null || exchange.journal().isPlaying() ? null : used;
    }

    /** As {@link #kept}, for a turn that is to be taken again: one that has done nothing leaves the run's record alone. */
    private static @Nullable TurnRecord keptForLater(TakenTurn turn, @Nullable TurnRecord used) {
        boolean isIdle = used == null
                || (used.inputTokens() == null
                        && used.outputTokens() == null
                        && used.toolCalls().isEmpty());
        return isIdle ? null : kept(turn, used);
    }

    private static void tell(TakenTurn turn, String outcome, @Nullable TurnRecord used) {
        if (used != null) {
            turn.progress().ended(Level.INFO, outcome, used);
        }
    }

    private static void tellEnd(TakenTurn turn, RunState state, @Nullable String error, @Nullable TurnRecord used) {
        if (used != null && error != null && state != RunState.CANCELLED) {
            turn.progress().failed(state.wire(), error, used);
        } else {
            tell(turn, state.wire(), used);
        }
    }

    private boolean write(
            SqlTransaction sql, TakenTurn turn, EndedRun ended, @Nullable String reply, @Nullable TurnRecord kept)
            throws SQLException {
        if (!tables.runs().finish(sql, turn.run(), ended.state(), reply, ended.error(), kept)) {
            return false;
        }
        if (turn.paused() != null) {
            tables.approvals().close(sql, ended.id(), clock.instant());
        }
        @Nullable String failure = null;
        if (reply != null) {
            failure = writeReply(sql, turn, reply);
        } else {
            signalOutbox(sql, runReporter.deliverFailure(sql, ended));
        }
        spend(sql, turn, true);
        runReporter.reportEnd(sql, ended);
        runReporter.postSummary(sql, ended, reply == null ? ended.reason() : reply);
        if (failure != null) {
            undeliveredReplyNotice.onUndelivered(
                    sql, turn.agent().id(), ended.id().value(), failure);
        }
        return true;
    }

    /**
     * Adds the reply to the transcript, and its delivery.
     *
     * @return the notice for the main session when the delivery failed at once, else null
     */
    private @Nullable String writeReply(SqlTransaction sql, TakenTurn turn, String text) throws SQLException {
        Exchange exchange = Objects.requireNonNull(turn.exchange(), "a turn that has a reply was taken");
        ClaimedRun run = turn.run();
        Instant now = clock.instant();
        tables.transcript().append(sql, turn.remembered(), run.id().value(), exchange.message(), text, now);
        if (!run.turn().deliver()) {
            return null;
        }
        Reply reply = new Reply(
                run.id(), RunState.SUCCEEDED, turn.remembered(), run.turn().recipient(), text, turn.trace());
        if (Acknowledgement.is(text)) {
            tables.deliveries().suppress(sql, reply, now);
            return null;
        }
        Added added = tables.deliveries().add(sql, reply, now);
        signalOutbox(sql, added.state() == DeliveryState.PENDING);
        return added.failure();
    }

    /** Signals the outbox once a delivery that is {@code pending} is on disk. */
    private void signalOutbox(SqlTransaction sql, boolean pending) {
        if (pending) {
            sql.afterCommit(delivering);
        }
    }

    /** Records what the turn has spent; true always. */
    private boolean spend(SqlTransaction sql, TakenTurn turn, boolean ended) throws SQLException {
        Exchange exchange = turn.exchange();
        if (exchange != null) {
            tables.spending().record(sql, turn.origin(), exchange.recorder().uses(), ended);
        }
        return true;
    }
}
