package dev.postern.acceptance;

import dev.postern.model.OperatorResult;
import dev.postern.model.SessionId;
import dev.postern.store.SqlTransaction;
import java.sql.SQLException;
import java.time.Instant;

/** An operator's wish that an agent should have a heartbeat now. */
public final class HeartbeatRequest {

    /** A heartbeat holds the lane, where it isn't one of its runs that does. */
    private static final String UNDER_WAY =
            """
            SELECT 1 FROM session WHERE key = ? AND owner IS NOT NULL AND NOT EXISTS
            (SELECT 1 FROM run WHERE session_key = session.key AND finished_at IS NULL AND state = 'running')""";

    private HeartbeatRequest() {}

    /**
     * Has a heartbeat of {@code agentId} due at {@code now}, unless one is under way. It is due whatever the schedule says, also
     * just after one that has failed, and begins as soon as the main session's lane is free, which a run may hold. Where
     * nothing waits and nothing is standing, it calls no model.
     */
    public static OperatorResult ask(SqlTransaction sql, String agentId, Instant now) throws SQLException {
        SessionId main = SessionId.mainOf(agentId);
        sql.update(EventRepository.MAKE_LANE, main.value(), agentId, now.toEpochMilli());
        SessionLocks.lock(sql, main);
        if (sql.first(UNDER_WAY, row -> true, main.value()).isPresent()) {
            return new OperatorResult.Conflict("A heartbeat of " + agentId + " is under way.");
        }
        sql.update(EventRepository.ASK, now.toEpochMilli(), main.value(), now.toEpochMilli());
        return new OperatorResult.Done("The heartbeat of " + agentId + " is due now.");
    }
}
