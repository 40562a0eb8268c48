package dev.postern.acceptance;

import dev.postern.model.AllowedAction;
import dev.postern.model.RunId;
import dev.postern.model.SessionId;
import dev.postern.model.TraceContext;
import dev.postern.store.SqlTransaction;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A run whose session lock this node holds.
 *
 * @param fencingToken the fencing token of the claim; after a later claim of the same session lock, this claim can write
 *     nothing
 * @param attempts the number of attempts so far, including this one
 * @param retries the times at which its provider was down
 * @param sender the sender whose own token admitted its request; null for any other credential
 * @param items the number of requests that became the run
 * @param isPaused whether its turn was paused, so that it goes on
 * @param trace the trace context that its attempts continue; null for none
 */
public record ClaimedRun(
        RunId id,
        SessionId session,
        long fencingToken,
        int attempts,
        Retries retries,
        @Nullable String sender,
        AllowedAction.Turn turn,
        int items,
        boolean isPaused,
        @Nullable TraceContext trace) {

    /**
     * The times at which a run's provider was down.
     *
     * @param count how often it was down so far
     * @param since when it was down for the first time; null if it never was
     */
    public record Retries(int count, @Nullable Instant since) {}

    /** The texts of these requests that are kept, in order; none if it is one request's. */
    public List<RequestItem> readItems(SqlTransaction sql) throws SQLException {
        return items == 1 ? List.of() : RequestItemTable.find(sql, id.value());
    }

    /** True while this claim still holds. Checked before the turn begins. */
    public boolean isHeld(SqlTransaction sql) throws SQLException {
        return SessionLocks.isHeld(sql, session, fencingToken);
    }
}
