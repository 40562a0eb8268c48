package dev.postern.acceptance;

import dev.postern.model.SessionKey;
import dev.postern.store.SqlTransaction;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A batch of one transaction's changes to sessions. It writes each session's row once, however many runs and events
 * came in for it. Rows are written in the order of their keys, main sessions last, so nodes that write the same rows
 * wait for each other, and not in a circle. The end of a run locks its own session first, and then posts to its agent's
 * main session.
 *
 * <p>A row that is added gets its number in its session by position: after {@link #write} a session's {@code tail} is
 * the number of the last row added, and {@link Place#back} is the distance of a row from it.
 */
final class SessionUpdateBatch {

    /**
     * An expression for the number of an added row; the arguments are the session's key and {@link Place#back}. It is 0 for a
     * row without a place, whose session key is no session's.
     */
    static final String SEQ = "COALESCE((SELECT tail FROM session WHERE key = ?) - ?, 0)";

    /** The order in which every transaction locks the sessions of several keys, so that no two wait for each other. */
    static final Comparator<String> ORDER =
            Comparator.comparing(SessionKey::isMain).thenComparing(Comparator.naturalOrder());

    private static final String UPSERT =
            """
            INSERT INTO session (key, agent_id, tail, ready_at, turn_queue, beat_at, used_at) VALUES (?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (key) DO UPDATE SET agent_id = excluded.agent_id, tail = session.tail + excluded.tail,
            ready_at = CASE WHEN session.retry_at IS NULL THEN COALESCE(session.ready_at, excluded.ready_at) END,
            turn_queue = CASE WHEN excluded.ready_at IS NULL OR session.ready_at IS NOT NULL OR session.retry_at IS NOT NULL
            THEN session.turn_queue ELSE excluded.turn_queue END,
            used_at = excluded.used_at,
            beat_at = CASE WHEN excluded.beat_at IS NULL OR session.beat_at <= excluded.beat_at THEN session.beat_at
            WHEN session.beat_not_before > excluded.beat_at THEN session.beat_not_before ELSE excluded.beat_at END""";

    private final SortedMap<String, Change> byKey = new TreeMap<>(ORDER);

    /**
     * Reserves a place for a run that was accepted at {@code now}.
     *
     * @param turnQueue the id of its queue among {@link TurnQueues}
     */
    Place addRun(String key, String agentId, long now, String turnQueue) {
        Change change = change(key, agentId, now);
        if (change.readyAt == null) {
            change.readyAt = now;
            change.turnQueue = turnQueue;
        }
        return new Place(change, change.added++);
    }

    /**
     * Reserves a place for an event that arrived at {@code now}.
     *
     * @param beatAt the latest time for a heartbeat to handle it, in epoch milliseconds, unless one has just failed;
     *     null to leave it to the next periodic one
     */
    Place addEvent(String key, String agentId, long now, @Nullable Long beatAt) {
        Change change = change(key, agentId, now);
        if (change.beatAt == null) {
            change.beatAt = beatAt;
        }
        return new Place(change, change.added++);
    }

    void write(SqlTransaction sql) throws SQLException {
        if (byKey.isEmpty()) {
            return;
        }
        List<@Nullable Object[]> rows = new ArrayList<>(byKey.size());
        byKey.forEach((key, change) -> rows.add(new @Nullable Object[] {
            key, change.agentId, change.added, change.readyAt, change.turnQueue, change.beatAt, change.usedAt
        }));
        sql.batch(UPSERT, rows);
    }

    private Change change(String key, String agentId, long now) {
        Change change = byKey.computeIfAbsent(key, absent -> new Change(agentId));
        change.usedAt = now;
        return change;
    }

    private static final class Change {
        private final String agentId;
        private long added;
        private @Nullable Long readyAt;
        private String turnQueue = "";
        private @Nullable Long beatAt;
        private long usedAt;

        Change(String agentId) {
            this.agentId = agentId;
        }
    }

    /** The place of a row among those that are added to its session. */
    record Place(Change change, long index) {

        /** The number of rows that are added behind it; final once all were added. */
        long back() {
            return change.added - 1 - index;
        }
    }
}
