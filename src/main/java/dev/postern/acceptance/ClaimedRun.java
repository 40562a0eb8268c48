package dev.postern.acceptance;

import dev.postern.model.AllowedAction;
import dev.postern.model.RunId;
import dev.postern.model.SessionId;
import dev.postern.store.SqlTransaction;
import java.sql.SQLException;

/**
 * A run whose session lock this node holds.
 *
 * @param fencingToken the fencing token of the claim; after a later claim of the same session lock, this claim can write
 *     nothing
 * @param attempts the number of attempts so far, including this one
 */
public record ClaimedRun(RunId id, SessionId session, long fencingToken, int attempts, AllowedAction.Turn turn) {

    /** True while this claim still holds. Checked before the turn begins. */
    public boolean isHeld(SqlTransaction sql) throws SQLException {
        return SessionLocks.isHeld(sql, session, fencingToken);
    }
}
