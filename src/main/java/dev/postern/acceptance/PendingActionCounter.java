package dev.postern.acceptance;

import dev.postern.store.SqlTransaction;
import dev.postern.store.Store;
import dev.postern.store.StoreException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * How many accepted actions are not done: runs that have not ended, and wakes that no heartbeat has taken. Summaries
 * don't count. Kept in memory, since a COUNT for each request would be dear. Changed inside of transactions, by the one
 * thread that runs them, and changed back when they are undone: so a transaction sees exactly what it and those before
 * it did. Where several nodes share the database, what the others did is seen when it is counted anew, every ten
 * seconds while requests come in. It is counted from partial indexes, whose size is that of what waits: below a
 * millisecond for a thousand, some thirty for a hundred thousand, on PostgreSQL with a million finished runs and events.
 */
public final class PendingActionCounter {

    static final Duration FRESH = Duration.ofSeconds(10);

    static final String COUNT = "SELECT (SELECT count(*) FROM run WHERE finished_at IS NULL)"
            + " + (SELECT count(*) FROM event WHERE taken_at IS NULL AND kind = 'wake') AS pending";

    private final AtomicLong open;
    private final boolean shared;
    private final LongSupplier nanos;
    private volatile long countedAt;

    private PendingActionCounter(long open, boolean shared, LongSupplier nanos) {
        this.open = new AtomicLong(open);
        this.shared = shared;
        this.nanos = nanos;
        this.countedAt = nanos.getAsLong();
    }

    /**
     * Counts what {@code store} holds.
     *
     * @param nanos as {@link System#nanoTime}
     */
    public static PendingActionCounter of(Store store, LongSupplier nanos) throws StoreException {
        return new PendingActionCounter(
                store.read(PendingActionCounter::count), store.dialect().shared(), nanos);
    }

    /** Accepted and not done now. */
    public long value() {
        return open.get();
    }

    /** Counts anew in {@code sql}'s transaction, where other nodes may have changed the count since it was last done. */
    void refresh(SqlTransaction sql) throws SQLException {
        if (isStale()) {
            open.set(count(sql));
            countedAt = nanos.getAsLong();
        }
    }

    /** True when {@link #refresh} would count. */
    boolean isStale() {
        return shared && nanos.getAsLong() - countedAt >= FRESH.toNanos();
    }

    /** Counts {@code by} more, or fewer, unless the transaction is undone. */
    void change(SqlTransaction sql, int by) {
        open.addAndGet(by);
        sql.afterRollback(() -> open.addAndGet(-by));
    }

    private static long count(SqlTransaction sql) throws SQLException {
        return sql.first(COUNT, row -> row.number("pending")).orElseThrow();
    }
}
