package dev.postern.acceptance;

import dev.postern.model.SessionId;
import dev.postern.store.SqlTransaction;
import java.sql.SQLException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A heartbeat whose session lock this node holds.
 *
 * @param fencingToken the fencing token of the claim; after a later claim of the same session lock, this claim can write
 *     nothing
 * @param tail the number of the session's newest event or run at the time of the claim
 * @param askedFor false when only the schedule triggered it
 * @param lastHeartbeatAt the time of the last successful heartbeat, or null
 * @param failures the number of failed heartbeats since then
 */
public record ClaimedHeartbeat(
        String agentId,
        SessionId session,
        long fencingToken,
        long tail,
        boolean askedFor,
        @Nullable Instant lastHeartbeatAt,
        int failures) {

    /** True while this claim still holds. Checked before the turn begins. */
    public boolean isHeld(SqlTransaction sql) throws SQLException {
        return SessionLocks.isHeld(sql, session, fencingToken);
    }
}
