package dev.postern.acceptance;

import dev.postern.model.HookResult;
import dev.postern.store.SqlTransaction;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A counter of the pending actions of each sender, or of each mapping, whose number is limited. It keeps an upper bound,
 * which grows with each accepted action and falls only when it is counted again. That happens once in a batch at most: when
 * the bound leaves no room, and each second while requests come in, where other nodes may have accepted some. Only the thread
 * that runs transactions uses it.
 */
final class LimitedPendingCounter {

    /** The owner of the pending actions that are counted together. */
    enum Owner {
        /** The indexes run_sender_pending, event_sender_pending and delivery_sender_pending find the actions of one. */
        SENDER("sender", "hook_sender", "senders.%s.maxPending"),
        /** The indexes run_mapping_pending, event_mapping_pending and delivery_mapping_pending find the actions of one. */
        MAPPING("limited_mapping", "limited_mapping", "maxPending of the mapping %s");

        private final String column;
        private final String ofDeliveries;
        private final String setting;

        Owner(String column, String ofDeliveries, String setting) {
            this.column = column;
            this.ofDeliveries = ofDeliveries;
            this.setting = setting;
        }

        private @Nullable String idOf(PreparedSubmission preparedSubmission) {
            return this == SENDER
                    ? preparedSubmission.submission().sender()
                    : preparedSubmission.submission().mapping();
        }
    }

    /** The time for which a count holds where several nodes share the database. */
    static final Duration FRESH = Duration.ofSeconds(1);

    /** Summaries don't count. */
    private static final String COUNT =
            """
            SELECT (SELECT count(*) FROM (SELECT 1 AS one FROM run
            WHERE %1$s = ? AND finished_at IS NULL LIMIT ?) AS runs)
            + (SELECT count(*) FROM (SELECT 1 AS one FROM event
            WHERE %1$s = ? AND taken_at IS NULL AND kind = 'wake' LIMIT ?) AS wakes)
            + (SELECT count(*) FROM (SELECT 1 AS one FROM delivery
            WHERE %2$s = ? AND finished_at IS NULL LIMIT ?) AS deliveries) AS pending""";

    private static final long UNKNOWN = Long.MAX_VALUE / 2;

    private final Owner owner;
    private final String count;
    private final Map<String, Bound> bounds = new HashMap<>();
    private final Duration retryAfter;
    private final LongSupplier nanos;

    /**
     * @param max the most pending actions of each owner that has a maximum, by its id
     * @param retryAfter the time after which a refused request may be tried again
     * @param nanos as {@link System#nanoTime}
     */
    LimitedPendingCounter(Owner owner, Map<String, Integer> max, Duration retryAfter, LongSupplier nanos) {
        this.owner = owner;
        this.count = COUNT.formatted(owner.column, owner.ofDeliveries);
        this.retryAfter = retryAfter;
        this.nanos = nanos;
        max.forEach((id, most) -> bounds.put(id, new Bound(id, most)));
    }

    /** Begins a batch: nothing that it accepts is in the database yet. */
    void begin() {
        bounds.values().forEach(Bound::begin);
    }

    /** The result for {@code offers} of one owner if they were all new and had no room together; null if they have room. */
    @Nullable
    HookResult refusal(SqlTransaction sql, Collection<PreparedSubmission> offers) throws SQLException {
        Map<String, Integer> actions = new HashMap<>();
        for (PreparedSubmission offer : offers) {
            @Nullable String id = owner.idOf(offer);
            if (id != null && bounds.containsKey(id)) {
                actions.merge(id, offer.size(), Integer::sum);
            }
        }
        for (Map.Entry<String, Integer> each : actions.entrySet()) {
            Bound bound = Objects.requireNonNull(bounds.get(each.getKey()));
            if (!bound.hasRoom(sql, each.getValue())) {
                return bound.refusal;
            }
        }
        return null;
    }

    /** The result for {@code offer} if its actions have no room; null if they have. */
    @Nullable
    HookResult refusal(SqlTransaction sql, PreparedSubmission offer) throws SQLException {
        @Nullable Bound bound = boundOf(offer);
        return bound == null || bound.hasRoom(sql, offer.size()) ? null : bound.refusal;
    }

    /** Adds the actions of {@code accepted}, unless the transaction is rolled back. */
    void add(SqlTransaction sql, PreparedSubmission accepted) {
        @Nullable Bound bound = boundOf(accepted);
        if (bound != null) {
            bound.pending += accepted.size();
            bound.inBatch += accepted.size();
            sql.afterRollback(() -> bound.pending = UNKNOWN);
        }
    }

    /** The id of the owner of {@code offer}, if that has a maximum; else null. */
    @Nullable
    String limited(PreparedSubmission offer) {
        @Nullable Bound bound = boundOf(offer);
        return bound == null ? null : bound.id;
    }

    private @Nullable Bound boundOf(PreparedSubmission offer) {
        @Nullable String id = owner.idOf(offer);
        return id == null ? null : bounds.get(id);
    }

    private final class Bound {

        private final String id;
        private final int max;
        private final HookResult refusal;
        private long pending = UNKNOWN;
        private long inBatch;
        private boolean isCounted;
        private long countedAt;

        Bound(String id, int max) {
            this.id = id;
            this.max = max;
            this.refusal = new HookResult.Overloaded(retryAfter, owner.setting.formatted(id));
        }

        void begin() {
            inBatch = 0;
            isCounted = false;
        }

        boolean hasRoom(SqlTransaction sql, int actions) throws SQLException {
            boolean isStale = sql.dialect().shared() && nanos.getAsLong() - countedAt >= FRESH.toNanos();
            if (!isCounted && (isStale || pending + actions > max)) {
                pending = inBatch
                        + sql.first(count, row -> row.number("pending"), id, max, id, max, id, max)
                                .orElseThrow();
                isCounted = true;
                countedAt = nanos.getAsLong();
            }
            return pending + actions <= max;
        }
    }
}
