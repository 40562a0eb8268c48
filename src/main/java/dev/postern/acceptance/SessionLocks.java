package dev.postern.acceptance;

import dev.postern.model.SessionId;
import dev.postern.store.SqlTransaction;
import java.sql.SQLException;
import java.util.List;

/**
 * The session locks: the exclusive right to run a turn in a session. The {@code owner} holds a lock since the claim
 * {@code epoch}, which is its fencing token. Each write of a holder checks both with the row locked. So a node that was
 * declared dead can change nothing when it comes back.
 */
final class SessionLocks {

    private static final String HELD = "SELECT epoch FROM session WHERE key = ? AND owner IS NOT NULL AND epoch = ?";

    /**
     * The same, while the owner is in the node table. A node that was removed must not begin a turn, because any other
     * node may take its locks.
     */
    private static final String STILL_HELD = HELD + " AND owner IN (SELECT id FROM node)";

    /** Selects the next run to begin in a session. A run that an operator has cancelled does not begin any more. */
    static final String NEXT =
            " AND finished_at IS NULL AND state = 'queued' AND cancel_at IS NULL ORDER BY seq LIMIT 1";

    /**
     * Sets {@code ready_at}, the time since which a run is queued, in the session whose row is updated; or else
     * {@code retry_at}, the time until which that run waits for its provider. Sets the turn queue of that run too.
     */
    static final String READY_AT =
            "(ready_at, retry_at) = (SELECT CASE WHEN run.retry_at IS NULL THEN COALESCE(queued_at, accepted_at) END,"
                    + " run.retry_at FROM run WHERE session_key = session.key" + NEXT
                    + "), turn_queue = COALESCE((SELECT "
                    + TurnQueues.ID + " FROM run WHERE session_key = session.key" + NEXT + "), turn_queue)";

    private static final String LOCK = "SELECT key FROM session WHERE key = ?";

    /**
     * A separate statement, executed after the row was locked: only then does it see every run that was queued before.
     * In one statement with the lock, PostgreSQL would use its view from before the wait, and could miss a queued run.
     */
    private static final String FREE = "UPDATE session SET owner = NULL, used_at = ?, " + READY_AT + " WHERE key = ?";

    /** Finds the free sessions whose first run has waited for its provider until now, those that wait longest first. */
    private static final String RETRY_DUE = "SELECT key FROM session WHERE retry_at IS NOT NULL AND retry_at <= ?"
            + " AND owner IS NULL ORDER BY retry_at LIMIT ?";

    private static final String END_WAIT =
            "UPDATE session SET retry_at = NULL, ready_at = (SELECT COALESCE(queued_at, accepted_at) FROM run WHERE session_key = session.key"
                    + NEXT + ") WHERE key = ?";

    private static final String NOTE = "UPDATE session SET used_at = ?, " + READY_AT + " WHERE key = ?";

    private SessionLocks() {}

    /** Locks the session's row; false when the claim {@code epoch} no longer holds the session lock. */
    static boolean lock(SqlTransaction sql, SessionId key, long epoch) throws SQLException {
        return sql.first(HELD + sql.dialect().forUpdate(), row -> row.number("epoch"), key.value(), epoch)
                .isPresent();
    }

    /** Locks the session's row, independent of the owner of the session lock. */
    static void lock(SqlTransaction sql, SessionId key) throws SQLException {
        sql.first(LOCK + sql.dialect().forUpdate(), row -> row.text("key"), key.value());
    }

    /** True while the claim {@code epoch} holds the session lock and its node counts as alive. Locks no row. */
    static boolean isHeld(SqlTransaction sql, SessionId key, long epoch) throws SQLException {
        return sql.first(STILL_HELD, row -> row.number("epoch"), key.value(), epoch)
                .isPresent();
    }

    /** Releases the session lock and updates {@code ready_at}; the row must be locked. */
    static void free(SqlTransaction sql, SessionId key, long now) throws SQLException {
        sql.update(FREE, now, key.value());
    }

    /** Makes up to {@code max} sessions ready whose first run waited for its provider until {@code now}. */
    static int endWaits(SqlTransaction sql, long now, int max) throws SQLException {
        List<String> due = sql.query(RETRY_DUE + sql.dialect().forUpdateSkipLocked(), row -> row.text("key"), now, max);
        for (String key : due) {
            sql.update(END_WAIT, key);
        }
        return due.size();
    }

    /** Updates {@code ready_at} without a change of the owner; the row must be locked. */
    static void updateReadyAt(SqlTransaction sql, SessionId key, long now) throws SQLException {
        sql.update(NOTE, now, key.value());
    }
}
