package dev.postern.acceptance;

import dev.postern.model.SessionKey;
import dev.postern.store.Sql;
import java.sql.SQLException;

/**
 * Who may work in a session. A lane is held by its {@code owner} since the claim {@code epoch}; what a holder writes is
 * checked against both with the row locked, so that one who was taken for dead changes nothing when he comes back.
 */
final class Lanes {

    private static final String HELD = "SELECT epoch FROM session WHERE key = ? AND owner IS NOT NULL AND epoch = ?";

    /** A node that was struck off holds nothing that it could begin with: whoever looks first takes its lanes. */
    private static final String STILL_HELD = HELD + " AND owner IN (SELECT id FROM node)";

    /**
     * A statement of its own, after the row was locked: only then does it see every run that was queued before. In one
     * statement with the lock, PostgreSQL would count by what it saw before it waited, and a run could be left behind unseen.
     */
    private static final String FREE =
            """
            UPDATE session SET owner = NULL, used_at = ?, ready_at = (SELECT accepted_at FROM run
            WHERE session_key = session.key AND finished_at IS NULL AND state = 'queued' ORDER BY seq LIMIT 1)
            WHERE key = ?""";

    private Lanes() {}

    /** Locks the session's row; false when the claim {@code epoch} holds its lane no longer. */
    static boolean lock(Sql sql, SessionKey key, long epoch) throws SQLException {
        return sql.first(HELD + sql.dialect().forUpdate(), row -> row.number("epoch"), key.value(), epoch)
                .isPresent();
    }

    /** True while the claim {@code epoch} holds the lane, and its node is taken for alive. Locks nothing. */
    static boolean isHeld(Sql sql, SessionKey key, long epoch) throws SQLException {
        return sql.first(STILL_HELD, row -> row.number("epoch"), key.value(), epoch)
                .isPresent();
    }

    /** Lets go of a lane whose row is locked, and notes what is queued in it. */
    static void free(Sql sql, SessionKey key, long now) throws SQLException {
        sql.update(FREE, now, key.value());
    }
}
