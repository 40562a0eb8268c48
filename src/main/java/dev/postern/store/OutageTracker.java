package dev.postern.store;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/**
 * A tracker of database outages, for reads or for writes: the result of the latest attempt, and the log messages about
 * it. It logs one line when the database begins to fail, and one when it works again and nothing has failed for ten
 * seconds. So an intermittent error does not flood the log. Operations that are too slow for a database that works have a
 * line of their own. Safe for use by many threads.
 */
final class OutageTracker {

    static final Duration CALM = Duration.ofSeconds(10);

    private static final System.Logger LOG = System.getLogger(OutageTracker.class.getName());

    private final String what;
    private final InstantSource clock;
    private volatile boolean works = true;
    private volatile boolean logged;
    /** True when the line that was logged is that of an outage. */
    private boolean outageLogged;

    private volatile boolean quiet;
    private long failed;
    private Instant latest = Instant.MIN;

    /**
     * @param what the kind of operation, in the plural: {@code reads} or {@code writes}
     */
    OutageTracker(String what, InstantSource clock) {
        this.what = what;
        this.clock = clock;
    }

    /** Turns the log messages about new failures on or off. */
    void logOutages(boolean aloud) {
        quiet = !aloud;
    }

    /** Notes that {@code count} operations failed for the same reason. */
    synchronized void failed(int count, StoreException reason) {
        works = false;
        failed += count;
        latest = clock.instant();
        boolean outage = !reason.isTooSlow();
        if (!quiet && (!logged || (outage && !outageLogged))) {
            logged = true;
            outageLogged = outage;
            LOG.log(
                    Level.WARNING,
                    outage
                            ? "Database {0} fail, and requests that need them get a 503 response: {1}"
                            : "Some database {0} take too long, and requests that need them get a 503 response: {1}",
                    what,
                    reason.getMessage());
        }
    }

    /** Notes that an operation has just succeeded. */
    void worked() {
        works = true;
        if (logged) {
            endAfterCalm();
        }
    }

    /** False while the latest attempt has failed. */
    boolean works() {
        return works;
    }

    private synchronized void endAfterCalm() {
        if (logged && !clock.instant().isBefore(latest.plus(CALM))) {
            LOG.log(Level.INFO, "Database {0} succeed again; {1} failed meanwhile", what, failed);
            logged = false;
            failed = 0;
        }
    }
}
