package dev.postern.acceptance;

import dev.postern.store.SqlTransaction;
import dev.postern.store.Store;
import dev.postern.store.StoreException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * A counter of accepted actions that are not done: runs and deliveries of hooks that have not
 * ended, and wakes that no heartbeat has taken.
 * Summaries don't count. It is kept in memory, because a COUNT for each request would be expensive. The one thread that
 * runs transactions changes it inside of them, and changes it back after a rollback. So a transaction sees exactly its
 * own changes and earlier ones.
 *
 * <p>Where several nodes share the database, {@link #value} is counted again every ten seconds while requests come in, to include
 * the other nodes' changes. The count uses partial indexes, whose size is that of the waiting rows. On PostgreSQL with
 * a million finished runs and events it takes less than a millisecond for a thousand waiting rows, and about 30 ms for
 * a hundred thousand.
 */
public final class PendingActionCounter {

    static final Duration FRESH = Duration.ofSeconds(10);

    static final String COUNT = "SELECT (SELECT count(*) FROM run WHERE finished_at IS NULL)"
            + " + (SELECT count(*) FROM event WHERE taken_at IS NULL AND kind = 'wake')"
            + " + (SELECT count(*) FROM delivery WHERE hook IS NOT NULL AND finished_at IS NULL) AS pending";

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
     * A counter that begins with the count in {@code store}.
     *
     * @param nanos as {@link System#nanoTime}
     */
    public static PendingActionCounter of(Store store, LongSupplier nanos) throws StoreException {
        return new PendingActionCounter(
                store.read(PendingActionCounter::count), store.dialect().shared(), nanos);
    }

    /**
     * The number of actions that are accepted and not done now, of all nodes on the database of {@code store}. Where nodes
     * share it, each call counts them there.
     *
     * @throws StoreException when they can't be counted
     */
    long total(Store store) throws StoreException {
        return shared ? store.read(PendingActionCounter::count) : value();
    }

    /** The number by which this node accepts or refuses. Other nodes' changes are in it since the last {@link #refresh}. */
    public long value() {
        return open.get();
    }

    /**
     * Counts again in the transaction of {@code sql}, when other nodes may have changed the count since the last time.
     */
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

    /** Adds {@code by}, which may be negative, unless the transaction is rolled back. */
    public void change(SqlTransaction sql, int by) {
        open.addAndGet(by);
        sql.afterRollback(() -> open.addAndGet(-by));
    }

    private static long count(SqlTransaction sql) throws SQLException {
        return sql.first(COUNT, row -> row.number("pending")).orElseThrow();
    }
}
