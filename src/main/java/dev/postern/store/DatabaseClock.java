package dev.postern.store;

import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.LongSupplier;

/**
 * A clock that the nodes on one PostgreSQL share: the database's time when it was last read, plus the time elapsed
 * since. So the nodes' own clocks may differ, or be set, and no node's timestamps are early or late for another.
 */
final class DatabaseClock implements InstantSource {

    /**
     * The longest round trip of a reading that counts. After a longer one it is too uncertain at which moment the
     * database read its clock.
     */
    static final Duration MOST_DOUBT = Duration.ofMillis(100);

    private static final String NOW = "SELECT CAST(extract(epoch FROM clock_timestamp()) * 1000 AS bigint) AS millis";

    private final LongSupplier nanos;
    private volatile Reading latest;

    private record Reading(Instant at, long nanos) {}

    /**
     * @param own the clock that counts until the database was read
     * @param nanos as {@link System#nanoTime}
     */
    DatabaseClock(InstantSource own, LongSupplier nanos) {
        this.nanos = nanos;
        this.latest = new Reading(own.instant(), nanos.getAsLong());
    }

    /** Reads the database's time; false when the round trip took too long for the reading to count. */
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
