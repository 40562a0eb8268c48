package dev.postern.store;

import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.LongSupplier;

/**
 * The time that the nodes on one PostgreSQL share: the database's, as it was when it was last asked, and what has gone by
 * since. So their own clocks may differ, and be set, without one node's moments coming early or late for another.
 */
final class DatabaseClock implements InstantSource {

    /** An answer that took longer says too little of when it was given. */
    static final Duration MOST_DOUBT = Duration.ofMillis(100);

    private static final String NOW = "SELECT CAST(extract(epoch FROM clock_timestamp()) * 1000 AS bigint) AS millis";

    private final LongSupplier nanos;
    private volatile Reading latest;

    private record Reading(Instant at, long nanos) {}

    /**
     * @param own what counts until the database was asked
     * @param nanos as {@link System#nanoTime}
     */
    DatabaseClock(InstantSource own, LongSupplier nanos) {
        this.nanos = nanos;
        this.latest = new Reading(own.instant(), nanos.getAsLong());
    }

    /** Asks the database. */
    boolean read(SqlTransaction sql) throws SQLException {
        long before = nanos.getAsLong();
        Instant at = sql.first(NOW, row -> row.instant("millis")).orElseThrow();
        long took = nanos.getAsLong() - before;
        boolean told = took <= MOST_DOUBT.toNanos();
        if (told) {
            latest = new Reading(at, before + took / 2);
        }
        return told;
    }

    @Override
    public Instant instant() {
        Reading reading = latest;
        return reading.at().plusNanos(nanos.getAsLong() - reading.nanos());
    }
}
