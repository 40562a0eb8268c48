package dev.postern.acceptance;

import dev.postern.store.ResultRow;
import dev.postern.store.SqlTransaction;
import java.sql.SQLException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A heartbeat that came to nothing; each main session keeps the last of them.
 *
 * @param why a sentence's part without payload or secret
 */
public record SkippedHeartbeat(Instant at, String why) {

    private static final String NOTE = "UPDATE session SET missed_at = ?, missed_why = ? WHERE key = ?";

    /** Notes that this became of {@code beat}, in the transaction that ends it. */
    public void note(SqlTransaction sql, ClaimedHeartbeat beat) throws SQLException {
        sql.update(NOTE, at.toEpochMilli(), why, beat.session().value());
    }

    /** What {@code row} of the table {@code session} says; null where no heartbeat came to nothing yet. */
    static @Nullable SkippedHeartbeat of(ResultRow row) throws SQLException {
        @Nullable Instant at = row.instantOrNull("missed_at");
        return at == null ? null : new SkippedHeartbeat(at, row.text("missed_why"));
    }
}
