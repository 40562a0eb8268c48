package dev.postern.acceptance;

import dev.postern.model.SessionId;
import dev.postern.store.SqlTransaction;
import java.sql.SQLException;

/**
 * Who may work in a session. A lane is held by its {@code owner} since the claim {@code epoch}; what a holder writes is
 * checked against both with the row locked, so that one who was taken for dead changes nothing when he comes back.
 */
final class SessionLocks {

    private static final String HELD = "SELECT epoch FROM session WHERE key = ? AND owner IS NOT NULL AND epoch = ?";

    /** A node that was struck off holds nothing that it could begin with: whoever looks first takes its lanes. */
    private static final String STILL_HELD = HELD + " AND owner IN (SELECT id FROM node)";

    /** Of a lane's runs, the one that is begun next. One that an operator wants to end is not begun any more. */
    static final String NEXT =
            " AND finished_at IS NULL AND state = 'queued' AND cancel_at IS NULL ORDER BY seq LIMIT 1";

    /** Since when something is queued in the session whose row is updated. */
    static final String READY_AT =
            "ready_at = (SELECT accepted_at FROM run WHERE session_key = session.key" + NEXT + ")";

    private static final String LOCK = "SELECT key FROM session WHERE key = ?";

    /**
     * A statement of its own, after the row was locked: only then does it see every run that was queued before. In one
     * statement with the lock, PostgreSQL would count by what it saw before it waited, and a run could be left behind unseen.
     */
    private static final String FREE = "UPDATE session SET owner = NULL, used_at = ?, " + READY_AT + " WHERE key = ?";

    private static final String NOTE = "UPDATE session SET used_at = ?, " + READY_AT + " WHERE key = ?";

    private SessionLocks() {}

    /** Locks the session's row; false when the claim {@code epoch} holds its lane no longer. */
    static boolean lock(SqlTransaction sql, SessionId key, long epoch) throws SQLException {
        return sql.first(HELD + sql.dialect().forUpdate(), row -> row.number("epoch"), key.value(), epoch)
                .isPresent();
    }

    /** Locks the session's row, whoever holds its lane. */
    static void lock(SqlTransaction sql, SessionId key) throws SQLException {
        sql.first(LOCK + sql.dialect().forUpdate(), row -> row.text("key"), key.value());
    }

    /** True while the claim {@code epoch} holds the lane, and its node is taken for alive. Locks nothing. */
    static boolean isHeld(SqlTransaction sql, SessionId key, long epoch) throws SQLException {
        return sql.first(STILL_HELD, row -> row.number("epoch"), key.value(), epoch)
                .isPresent();
    }

    /** Lets go of a lane whose row is locked, and notes what is queued in it. */
    static void free(SqlTransaction sql, SessionId key, long now) throws SQLException {
        sql.update(FREE, now, key.value());
    }

    /** Notes what is queued in a lane whose row is locked, and leaves it to who holds it. */
    static void note(SqlTransaction sql, SessionId key, long now) throws SQLException {
        sql.update(NOTE, now, key.value());
    }
}
