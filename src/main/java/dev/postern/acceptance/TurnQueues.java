package dev.postern.acceptance;

import dev.postern.model.AllowedAction;
import dev.postern.model.TurnPriority;
import dev.postern.store.ResultRow;
import dev.postern.store.SqlTransaction;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/*
 * This is start-time fair queueing. Each turn of a queue has a start tag and a finish tag, which is the start tag plus the stride
 * of its priority. The queue with the smallest start tag gets the next turn. A queue that was empty starts at the tag of the turn
 * that was given last, so that it neither saves up turns nor waits behind those that others have saved.
 */
/**
 * The turn queues: the sessions that are ready, by the priority and the hook of their first queued run. A mapping that takes
 * requests on any path has queues of its own in place of those hooks, so a sender gets no further turns with further paths.
 * Queues take turns, each as often as its priority allows, so that a hook with many ready sessions does not stand before the
 * others. Within a queue the session that has waited longest is first. Only the thread that runs transactions uses it.
 */
final class TurnQueues {

    /**
     * Finds the queues, each by one step along the index session_turn_queue, however many sessions it holds. There are at most
     * three for each path and each mapping of the configuration.
     */
    private static final String WAITING =
            """
            WITH RECURSIVE queue(id) AS (
            SELECT MIN(turn_queue) FROM session WHERE ready_at IS NOT NULL
            UNION ALL
            SELECT (SELECT MIN(turn_queue) FROM session WHERE ready_at IS NOT NULL AND turn_queue > queue.id)
            FROM queue WHERE queue.id IS NOT NULL)
            SELECT id, (SELECT MIN(ready_at) FROM session WHERE ready_at IS NOT NULL AND turn_queue = queue.id) AS since
            FROM queue WHERE id IS NOT NULL""";

    /** The text before a mapping's id in the id of its queue. No hook begins with it, because no path holds a space. */
    private static final String MAPPING = " ";

    /** An expression for the id of the queue of a row of {@code run}. */
    static final String ID = "CAST(priority AS text) || COALESCE('" + MAPPING + "' || mapping_queue, hook)";

    private static final String READY = "SELECT key FROM session WHERE turn_queue = ? AND ready_at IS NOT NULL"
            + " AND owner IS NULL ORDER BY ready_at LIMIT ?";

    private final Map<String, Long> finishTags = new HashMap<>();
    private long lastStartTag;

    /**
     * A queue with sessions that are ready, or whose turn is running and that have another.
     *
     * @param since the time since which the first of them has waited
     */
    private record Waiting(String id, long since) {

        static Waiting of(ResultRow row) throws SQLException {
            return new Waiting(row.text("id"), row.number("since"));
        }
    }

    /** The id of the queue of a run of {@code turn}. */
    static String id(AllowedAction.Turn turn) {
        @Nullable String mapping = turn.operatorInstructions().mappingQueue();
        String place = mapping == null ? turn.provenance().hook() : MAPPING + mapping;
        return turn.operatorInstructions().priority().rank() + place;
    }

    /** The stride of the queue {@code id}; that of a program before this schema has no priority. */
    private static int stride(String id) {
        return TurnPriority.ofRank(id.isEmpty() ? -1 : id.charAt(0) - '0').stride();
    }

    /** The time since which the session that waits longest is ready; empty if none is. */
    static Optional<Instant> oldest(SqlTransaction sql) throws SQLException {
        return sql.query(WAITING, Waiting::of).stream()
                .map(queue -> Instant.ofEpochMilli(queue.since()))
                .min(Comparator.naturalOrder());
    }

    /** A step that begins the first run of a session whose row is locked; false if the session has none after all. */
    @FunctionalInterface
    interface Start {

        boolean begin(String session) throws SQLException;
    }

    /** Begins up to {@code max} runs, of free sessions that are ready. */
    void serve(SqlTransaction sql, int max, Start start) throws SQLException {
        List<Waiting> queues = new ArrayList<>(sql.query(WAITING, Waiting::of));
        finishTags.keySet().retainAll(queues.stream().map(Waiting::id).toList());
        int left = max;
        while (left > 0 && !queues.isEmpty()) {
            for (Map.Entry<Waiting, Integer> share : shares(queues, left).entrySet()) {
                Waiting queue = share.getKey();
                List<String> sessions = sql.query(
                        READY + sql.dialect().forUpdateSkipLocked(),
                        row -> row.text("key"),
                        queue.id(),
                        share.getValue());
                for (String session : sessions) {
                    if (start.begin(session)) {
                        lastStartTag = startTag(queue, finishTags);
                        finishTags.put(queue.id(), lastStartTag + stride(queue.id()));
                        left--;
                    }
                }
                if (sessions.size() < share.getValue()) {
                    queues.remove(queue);
                }
            }
        }
    }

    /** The next {@code turns} turns, as the number of each queue that gets any. */
    private Map<Waiting, Integer> shares(List<Waiting> queues, int turns) {
        Map<String, Long> tags = new HashMap<>(finishTags);
        Map<Waiting, Integer> shares = new LinkedHashMap<>();
        for (int i = 0; i < turns; i++) {
            Waiting next = Collections.min(
                    queues,
                    Comparator.comparingLong((Waiting queue) -> startTag(queue, tags))
                            .thenComparingInt(queue -> stride(queue.id()))
                            .thenComparingLong(Waiting::since));
            tags.put(next.id(), startTag(next, tags) + stride(next.id()));
            shares.merge(next, 1, Integer::sum);
        }
        return shares;
    }

    /** The start tag of the next turn of {@code queue}, whose last one has its finish tag in {@code tags}. */
    private long startTag(Waiting queue, Map<String, Long> tags) {
        return Math.max(lastStartTag, tags.getOrDefault(queue.id(), 0L));
    }
}
