package dev.postern.store;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/**
 * Whether the database does what it is asked for, reads or writes, as far as the latest attempt told; and the log's word
 * on it: a line when it begins to fail, and one when it works again and nothing has failed for ten seconds. So a fault
 * that comes and goes makes no flood of lines. Safe for use by many threads.
 */
final class OutageTracker {

    static final Duration CALM = Duration.ofSeconds(10);

    private static final System.Logger LOG = System.getLogger(OutageTracker.class.getName());

    private final String what;
    private final InstantSource clock;
    private volatile boolean works = true;
    private volatile boolean told;
    private volatile boolean quiet;
    private long failed;
    private Instant latest = Instant.MIN;

    /**
     * @param what what the database is asked for, in the plural
     */
    OutageTracker(String what, InstantSource clock) {
        this.what = what;
        this.clock = clock;
    }

    /** Whether the log is told of what begins to fail from now on. */
    void tell(boolean aloud) {
        quiet = !aloud;
    }

    /** Notes that {@code count} of them failed for the same reason. */
    synchronized void failed(int count, StoreException reason) {
        works = false;
        failed += count;
        latest = clock.instant();
        if (!told && !quiet) {
            told = true;
            LOG.log(
                    Level.WARNING,
                    "Database {0} fail, and requests that need them are answered 503: {1}",
                    what,
                    reason.getMessage());
        }
    }

    /** Notes that one has just been done. */
    void worked() {
        works = true;
        if (told) {
            endAfterCalm();
        }
    }

    /** False while the latest attempt is one that failed. */
    boolean works() {
        return works;
    }

    private synchronized void endAfterCalm() {
        if (told && !clock.instant().isBefore(latest.plus(CALM))) {
            LOG.log(Level.INFO, "Database {0} succeed again; {1} failed meanwhile", what, failed);
            told = false;
            failed = 0;
        }
    }
}
