package dev.postern.acceptance;

import dev.postern.model.SessionId;
import dev.postern.store.SqlTransaction;
import java.sql.SQLException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A heartbeat whose lane this node holds.
 *
 * @param epoch the lane's claim that this is; once the lane was claimed again, this one changes nothing any more
 * @param tail the number of the session's newest event or run when the lane was claimed
 * @param askedFor false when only the schedule had it begun
 * @param lastBeatAt when a heartbeat last succeeded, or null
 * @param failures how many have failed since
 */
public record ClaimedHeartbeat(
        String agentId,
        SessionId session,
        long epoch,
        long tail,
        boolean askedFor,
        @Nullable Instant lastBeatAt,
        int failures) {

    /** True while it is still its claimer's: to be asked before its turn begins. */
    public boolean isHeld(SqlTransaction sql) throws SQLException {
        return SessionLocks.isHeld(sql, session, epoch);
    }
}
