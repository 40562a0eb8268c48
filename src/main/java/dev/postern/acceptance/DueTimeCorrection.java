package dev.postern.acceptance;

import dev.postern.store.SqlTransaction;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * A correction of the times for which runs, groups and heartbeats wait, after the clock was set back. Times in the past stay as
 * they are.
 */
public final class DueTimeCorrection {

    private static final List<String> MOVE_BACK = List.of(
            "UPDATE session SET beat_at = beat_at - ? WHERE beat_at IS NOT NULL AND beat_at > ?",
            "UPDATE session SET beat_not_before = beat_not_before - ? WHERE beat_not_before > ?",
            "UPDATE session SET retry_at = retry_at - ? WHERE retry_at IS NOT NULL AND retry_at > ?",
            "UPDATE session SET ready_at = ready_at - ? WHERE ready_at IS NOT NULL AND ready_at > ?",
            "UPDATE run SET retry_at = retry_at - ? WHERE retry_at > ? AND finished_at IS NULL",
            "UPDATE request_group SET opened_at = opened_at - ? WHERE COALESCE(delivery_due_at, due_at) > ?",
            "UPDATE request_group SET due_at = due_at - ? WHERE due_at > ? AND delivery_due_at IS NULL",
            "UPDATE request_group SET delivery_due_at = delivery_due_at - ? WHERE delivery_due_at > ?");

    private DueTimeCorrection() {}

    /**
     * Moves the times after {@code now} back.
     *
     * @param by how far the clock was set back
     */
    public static void moveBack(SqlTransaction sql, Instant now, Duration by) throws SQLException {
        for (String update : MOVE_BACK) {
            sql.update(update, by.toMillis(), now.toEpochMilli());
        }
    }
}
