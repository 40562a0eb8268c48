package dev.postern.dispatch;

import dev.postern.acceptance.ClaimedHeartbeat;
import dev.postern.acceptance.ClaimedRun;
import dev.postern.acceptance.EventRepository;
import dev.postern.acceptance.RunRepository;
import dev.postern.store.SqlTransaction;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** A claimer of turns: heartbeats first, because each agent has one at most, then the runs that wait longest. */
final class TurnClaimer {

    private static final Logger LOG = System.getLogger(TurnClaimer.class.getName());

    private final NodeLease lease;
    private final RunRepository runRepository;
    private final EventRepository eventRepository;
    private final HeartbeatClaimer heartbeatClaimer;
    private final RunExecutor runExecutor;
    private final HeartbeatExecutor heartbeatExecutor;

    /**
     * @param lease the lease of this node
     */
    TurnClaimer(
            NodeLease lease,
            RunRepository runRepository,
            EventRepository eventRepository,
            HeartbeatClaimer heartbeatClaimer,
            RunExecutor runExecutor,
            HeartbeatExecutor heartbeatExecutor) {
        this.lease = lease;
        this.runRepository = runRepository;
        this.eventRepository = eventRepository;
        this.heartbeatClaimer = heartbeatClaimer;
        this.runExecutor = runExecutor;
        this.heartbeatExecutor = heartbeatExecutor;
    }

    /**
     * The result of one claim.
     *
     * @param work the claimed turns
     * @param nextHeartbeat the time of the next requested heartbeat
     */
    record Claimed(List<ClaimedTurn> work, Optional<Instant> nextHeartbeat) {}

    /**
     * Claims up to {@code max} turns in the transaction of {@code sql}. Claims none while other nodes have declared
     * this node dead, because they would take the session locks at once.
     */
    Claimed claim(SqlTransaction sql, int max) throws SQLException {
        if (!lease.isEntered(sql)) {
            return new Claimed(List.of(), Optional.empty());
        }
        List<ClaimedTurn> work = new ArrayList<>();
        for (ClaimedHeartbeat beat : heartbeatClaimer.claim(sql, lease.id(), max)) {
            work.add(heartbeatExecutor.of(beat));
        }
        if (work.size() < max) {
            for (ClaimedRun run : runRepository.claim(sql, lease.id(), max - work.size())) {
                work.add(runExecutor.of(run));
            }
        }
        return new Claimed(work, eventRepository.nextHeartbeat(sql));
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
