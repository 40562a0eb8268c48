package dev.postern.acceptance;

import dev.postern.model.OperatorResult;
import dev.postern.model.SessionId;
import dev.postern.store.SqlTransaction;
import java.sql.SQLException;
import java.time.Instant;

/** An operator's request for a heartbeat of an agent now. */
public final class HeartbeatRequest {

    /** Finds a main session whose lock is held by a heartbeat, not by one of its runs. */
    private static final String UNDER_WAY =
            """
            SELECT 1 FROM session WHERE key = ? AND owner IS NOT NULL AND NOT EXISTS
            (SELECT 1 FROM run WHERE session_key = session.key AND finished_at IS NULL AND state = 'running')""";

    private HeartbeatRequest() {}

    /**
     * Makes a heartbeat of {@code agentId} due at {@code now}, unless one is in progress. It ignores the schedule and
     * the pause after a failed heartbeat. It begins as soon as the main session's lock is free, which a run may hold.
     * If no event waits and there are no standing instructions, it calls no model.
     */
    public static OperatorResult ask(SqlTransaction sql, String agentId, Instant now) throws SQLException {
        SessionId main = SessionId.mainOf(agentId);
        sql.update(HeartbeatRepository.CREATE_SESSION, main.value(), agentId, now.toEpochMilli());
        SessionLocks.lock(sql, main);
        if (sql.first(UNDER_WAY, row -> true, main.value()).isPresent()) {
            return new OperatorResult.Conflict("A heartbeat of " + agentId + " is running.");
        }
        sql.update(HeartbeatRepository.ASK, now.toEpochMilli(), main.value(), now.toEpochMilli());
        return new OperatorResult.Done("The heartbeat of " + agentId + " is due now.");
    }
}
