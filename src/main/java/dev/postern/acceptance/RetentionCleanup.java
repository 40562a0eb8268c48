package dev.postern.acceptance;

import dev.postern.store.ResultRow;
import dev.postern.store.SqlTransaction;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/** A cleanup that deletes expired rows in bounded batches, so that requests never wait long behind it. */
public final class RetentionCleanup {

    private static final String RUNS =
            """
            DELETE FROM run WHERE id IN (SELECT id FROM run WHERE finished_at IS NOT NULL AND finished_at < ?
            ORDER BY finished_at LIMIT ?) RETURNING session_key""";

    private static final String EVENTS =
            """
            DELETE FROM event WHERE id IN (SELECT id FROM event WHERE taken_at IS NOT NULL AND taken_at < ?
            ORDER BY taken_at LIMIT ?) RETURNING session_key""";

    private static final String KEYS =
            """
            DELETE FROM idempotency WHERE key IN (SELECT key FROM idempotency WHERE created_at < ?
            ORDER BY created_at LIMIT ?)""";

    /**
     * Every use of a session renews {@code used_at}, so a session that was idle for that long has no younger run or
     * event.
     */
    private static final String SESSION =
            """
            DELETE FROM session WHERE key = ? AND used_at < ? AND owner IS NULL AND ready_at IS NULL
            AND retry_at IS NULL AND beat_at IS NULL AND NOT EXISTS
            (SELECT 1 FROM event WHERE event.session_key = session.key AND event.taken_at IS NULL)""";

    private RetentionCleanup() {}

    /**
     * Deletes runs that finished and events that were taken before {@code endedBefore}, with their sessions if those
     * were idle since. Deletes idempotency keys first used before {@code keysBefore}.
     *
     * @param max the most rows of each kind
     * @return true when there may be more to delete
     */
    public static boolean prune(SqlTransaction sql, Instant endedBefore, Instant keysBefore, int max)
            throws SQLException {
        long ended = endedBefore.toEpochMilli();
        List<String> ofRuns = sql.query(RUNS, RetentionCleanup::sessionKey, ended, max);
        List<String> ofEvents = sql.query(EVENTS, RetentionCleanup::sessionKey, ended, max);
        int keys = sql.update(KEYS, keysBefore.toEpochMilli(), max);
        SortedSet<String> sessions = new TreeSet<>(ofRuns);
        sessions.addAll(ofEvents);
        for (String key : sessions) {
            sql.update(SESSION, key, ended);
        }
        return ofRuns.size() == max || ofEvents.size() == max || keys == max;
    }

    private static String sessionKey(ResultRow row) throws SQLException {
        return row.text("session_key");
    }
}
