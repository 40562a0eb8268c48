package dev.postern.acceptance;

import dev.postern.store.ResultRow;
import dev.postern.store.SqlTransaction;
import java.sql.SQLException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A heartbeat that had no effect; each main session keeps the last of them.
 *
 * @param why the reason, as part of a sentence, without payload or secret
 */
public record SkippedHeartbeat(Instant at, String why) {

    private static final String NOTE = "UPDATE session SET missed_at = ?, missed_why = ? WHERE key = ?";

    /** Stores this as the last skipped heartbeat of {@code beat}'s session, in the transaction that ends it. */
    public void note(SqlTransaction sql, ClaimedHeartbeat beat) throws SQLException {
        sql.update(NOTE, at.toEpochMilli(), why, beat.session().value());
    }

    /** The skipped heartbeat in {@code row} of the table {@code session}; null where there is none. */
    static @Nullable SkippedHeartbeat of(ResultRow row) throws SQLException {
        @Nullable Instant at = row.instantOrNull("missed_at");
        return at == null ? null : new SkippedHeartbeat(at, row.text("missed_why"));
    }
}
