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

/** Claims what is ready: heartbeats first, since each agent has one at most, then the runs that wait longest. */
final class TurnClaimer {

    private static final Logger LOG = System.getLogger(TurnClaimer.class.getName());

    private final NodeLease lease;
    private final RunRepository runRepository;
    private final EventRepository eventRepository;
    private final HeartbeatClaimer heartbeatClaimer;
    private final RunExecutor runExecutor;
    private final HeartbeatExecutor heartbeatExecutor;

    /**
     * @param lease the node's that claims
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
     * What one claim has brought.
     *
     * @param nextBeat when the next heartbeat is due that was asked for
     */
    record Claimed(List<ClaimedTurn> work, Optional<Instant> nextBeat) {}

    /**
     * Claims up to {@code max} turns, in the transaction of {@code sql}; none while others take this node for dead, for
     * they would take the lanes away at once.
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
        return new Claimed(work, eventRepository.nextBeat(sql));
    }

    /**
     * Gives back what this node holds without knowing it.
     *
     * @param held the ids of the sessions that it does work in
     */
    void settle(SqlTransaction sql, Set<String> held) throws SQLException {
        int strays = runRepository.giveBackAllBut(sql, lease.id(), held);
        if (strays > 0) {
            sql.afterCommit(() ->
                    LOG.log(Level.WARNING, "Claimed turns that this node never heard of, and gives back: {0}", strays));
        }
    }
}
