package dev.postern.acceptance;

import dev.postern.model.AllowedAction;
import dev.postern.model.RunId;
import dev.postern.model.SessionId;
import dev.postern.store.SqlTransaction;
import java.sql.SQLException;

/**
 * A run whose lane this node holds.
 *
 * @param epoch the lane's claim that this is; once the lane was claimed again, this one changes nothing any more
 * @param attempts how often a turn was begun, this one included
 */
public record ClaimedRun(RunId id, SessionId session, long epoch, int attempts, AllowedAction.Turn turn) {

    /** True while it is still its claimer's: to be asked before its turn begins. */
    public boolean isHeld(SqlTransaction sql) throws SQLException {
        return SessionLocks.isHeld(sql, session, epoch);
    }
}
