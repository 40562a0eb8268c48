package dev.postern.acceptance;

import dev.postern.model.HookResult;
import dev.postern.store.SqlTransaction;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A counter of the pending actions of each sender that may have only so many. It keeps an upper bound, which grows with each
 * accepted action and falls only when it is counted again. That happens once in a batch at most: when the bound leaves no
 * room, and each second while requests come in, where other nodes may have accepted some. Only the thread that runs
 * transactions uses it.
 */
final class SenderPendingCounter {

    /** The time for which a count holds where several nodes share the database. */
    static final Duration FRESH = Duration.ofSeconds(1);

    /** The indexes run_sender_pending and event_sender_pending find them. Summaries don't count. */
    private static final String COUNT =
            """
            SELECT (SELECT count(*) FROM (SELECT 1 AS one FROM run
            WHERE sender = ? AND finished_at IS NULL LIMIT ?) AS runs)
            + (SELECT count(*) FROM (SELECT 1 AS one FROM event
            WHERE sender = ? AND taken_at IS NULL AND kind = 'wake' LIMIT ?) AS wakes) AS pending""";

    private static final long UNKNOWN = Long.MAX_VALUE / 2;

    private final Map<String, Bound> bounds = new HashMap<>();
    private final Duration retryAfter;
    private final LongSupplier nanos;

    /**
     * @param max the most pending actions of each sender that has a maximum, by its id
     * @param retryAfter the time after which a refused sender may try again
     * @param nanos as {@link System#nanoTime}
     */
    SenderPendingCounter(Map<String, Integer> max, Duration retryAfter, LongSupplier nanos) {
        this.retryAfter = retryAfter;
        this.nanos = nanos;
        max.forEach((sender, most) -> bounds.put(sender, new Bound(sender, most)));
    }

    /** Begins a batch: nothing that it accepts is in the database yet. */
    void begin() {
        bounds.values().forEach(Bound::begin);
    }

    /**
     * The result for {@code offers} of one sender if they were all new and had no room together; null if they have room.
     */
    @Nullable
    HookResult refusal(SqlTransaction sql, Collection<PreparedSubmission> offers) throws SQLException {
        Map<String, Integer> actions = new HashMap<>();
        for (PreparedSubmission offer : offers) {
            @Nullable String sender = offer.submission().sender();
            if (sender != null && bounds.containsKey(sender)) {
                actions.merge(sender, offer.size(), Integer::sum);
            }
        }
        for (Map.Entry<String, Integer> each : actions.entrySet()) {
            @Nullable HookResult refusal = refusal(sql, each.getKey(), each.getValue());
            if (refusal != null) {
                return refusal;
            }
        }
        return null;
    }

    /** The result for {@code actions} more actions of {@code sender} if they have no room; null if they have. */
    @Nullable
    HookResult refusal(SqlTransaction sql, @Nullable String sender, int actions) throws SQLException {
        @Nullable Bound bound = sender == null ? null : bounds.get(sender);
        return bound == null || bound.hasRoom(sql, actions) ? null : bound.refusal;
    }

    /** Adds {@code actions} accepted actions of {@code sender}, unless the transaction is rolled back. */
    void add(SqlTransaction sql, @Nullable String sender, int actions) {
        @Nullable Bound bound = sender == null ? null : bounds.get(sender);
        if (bound != null) {
            bound.pending += actions;
            bound.inBatch += actions;
            sql.afterRollback(() -> bound.pending = UNKNOWN);
        }
    }

    private final class Bound {

        private final String sender;
        private final int max;
        private final HookResult refusal;
        private long pending = UNKNOWN;
        private long inBatch;
        private boolean isCounted;
        private long countedAt;

        Bound(String sender, int max) {
            this.sender = sender;
            this.max = max;
            this.refusal = new HookResult.Overloaded(retryAfter, "senders." + sender + ".maxPending");
        }

        void begin() {
            inBatch = 0;
            isCounted = false;
        }

        boolean hasRoom(SqlTransaction sql, int actions) throws SQLException {
            boolean isStale = sql.dialect().shared() && nanos.getAsLong() - countedAt >= FRESH.toNanos();
            if (!isCounted && (isStale || pending + actions > max)) {
                pending = inBatch
                        + sql.first(COUNT, row -> row.number("pending"), sender, max, sender, max)
                                .orElseThrow();
                isCounted = true;
                countedAt = nanos.getAsLong();
            }
            return pending + actions <= max;
        }
    }
}
