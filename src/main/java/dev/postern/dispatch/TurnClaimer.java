package dev.postern.dispatch;

import dev.postern.acceptance.ClaimedHeartbeat;
import dev.postern.acceptance.ClaimedRun;
import dev.postern.acceptance.HeartbeatRepository;
import dev.postern.acceptance.ProviderWait;
import dev.postern.acceptance.RunRepository;
import dev.postern.store.SqlTransaction;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;

/** A claimer of turns: heartbeats first, because each agent has one at most, then the runs that wait longest. */
final class TurnClaimer {

    private static final Logger LOG = System.getLogger(TurnClaimer.class.getName());

    private final NodeLease lease;
    private final Duration pause;
    private final LongSupplier nanos;
    private final RunRepository runRepository;
    private final HeartbeatRepository heartbeatRepository;
    private final HeartbeatClaimer heartbeatClaimer;
    private final RunExecutor runExecutor;
    private final HeartbeatTurn.Dependencies heartbeatTurns;
    private long looked;

    /**
     * @param lease the lease of this node
     * @param pause between two looks for runs that have waited long enough for their provider
     * @param nanos as {@link System#nanoTime}
     */
    TurnClaimer(
            NodeLease lease,
            Duration pause,
            LongSupplier nanos,
            RunRepository runRepository,
            HeartbeatRepository heartbeatRepository,
            HeartbeatClaimer heartbeatClaimer,
            RunExecutor runExecutor,
            HeartbeatTurn.Dependencies heartbeatTurns) {
        this.lease = lease;
        this.pause = pause;
        this.nanos = nanos;
        this.looked = nanos.getAsLong() - pause.toNanos();
        this.runRepository = runRepository;
        this.heartbeatRepository = heartbeatRepository;
        this.heartbeatClaimer = heartbeatClaimer;
        this.runExecutor = runExecutor;
        this.heartbeatTurns = heartbeatTurns;
    }

    /**
     * The result of one claim.
     *
     * @param work the claimed turns
     * @param isMoreReady whether the next claim may find more, although this one claimed less than it might
     * @param nextHeartbeat the time of the next requested heartbeat
     */
    record Claimed(List<ClaimedTurn> work, boolean isMoreReady, Optional<Instant> nextHeartbeat) {}

    /**
     * Claims up to {@code max} turns in the transaction of {@code sql}. Claims none while other nodes have declared
     * this node dead, because they would take the session locks at once.
     */
    Claimed claim(SqlTransaction sql, int max) throws SQLException {
        if (!lease.isEntered(sql)) {
            return new Claimed(List.of(), false, Optional.empty());
        }
        List<ClaimedTurn> work = new ArrayList<>();
        for (ClaimedHeartbeat beat : heartbeatClaimer.claim(sql, lease.id(), max)) {
            work.add(heartbeatTurns.turnOf(beat));
        }
        boolean isMoreReady = work.size() < max && claimRuns(sql, max - work.size(), work);
        return new Claimed(work, isMoreReady, heartbeatRepository.next(sql));
    }

    /**
     * Adds runs to {@code work}, and lets those wait whose provider is known to be down or whose budget is spent. They cost no
     * worker.
     *
     * @return whether some were left waiting, so that others may be found in their place
     */
    private boolean claimRuns(SqlTransaction sql, int max, List<ClaimedTurn> work) throws SQLException {
        boolean isMoreDue = endWaits(sql, max);
        int waiting = 0;
        for (ClaimedRun run : runRepository.claim(sql, lease.id(), max)) {
            Optional<ProviderWait> wait = runExecutor.waitOf(run);
            if (wait.isPresent()) {
                runRepository.postpone(sql, run, wait.get(), false, null);
                waiting++;
                continue;
            }
            Optional<ClaimedTurn> turn = runExecutor.begin(sql, run);
            turn.ifPresent(work::add);
            waiting += turn.isPresent() ? 0 : 1;
        }
        return isMoreDue || waiting > 0;
    }

    /** Makes up to {@code max} runs ready that have waited for their provider; returns whether there may be more. */
    private boolean endWaits(SqlTransaction sql, int max) throws SQLException {
        long now = nanos.getAsLong();
        if (now - looked < pause.toNanos()) {
            return false;
        }
        boolean isMoreDue = runRepository.endWaits(sql, max) == max;
        looked = isMoreDue ? looked : now;
        return isMoreDue;
    }

    /**
     * Gives back the session locks that this node holds without knowing it.
     *
     * @param held the ids of the sessions in which it runs turns
     */
    void settle(SqlTransaction sql, Set<String> held) throws SQLException {
        int strays = runRepository.giveBackAllExcept(sql, lease.id(), held);
        if (strays > 0) {
            sql.afterCommit(
                    () -> LOG.log(Level.WARNING, "Gave back {0} turn(s) whose claim was never confirmed", strays));
        }
    }
}
