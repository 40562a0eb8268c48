package dev.postern.access;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.function.ToLongFunction;

/**
 * A log of rejected requests that writes at most one line per minute, however many there were. For a single thread,
 * which calls {@link #logSummary}.
 */
public final class RejectedRequestLog {

    private static final Logger LOG = System.getLogger(RejectedRequestLog.class.getName());

    private final AuthenticationLockouts lockouts;
    private long refused;
    private long throttled;
    private long dropped;

    public RejectedRequestLog(AuthenticationLockouts lockouts) {
        this.lockouts = lockouts;
    }

    /** Logs the requests rejected since the last call; logs nothing if there were none. */
    public void logSummary() {
        long refusedNow = sum(AuthenticationFailures::unauthorized);
        long throttledNow = sum(AuthenticationFailures::throttled);
        long droppedNow = sum(AuthenticationFailures::droppedCounts);
        long newlyRefused = refusedNow - refused;
        long newlyThrottled = throttledNow - throttled;
        long newlyDropped = droppedNow - dropped;
        refused = refusedNow;
        throttled = throttledNow;
        dropped = droppedNow;
        if (newlyRefused + newlyThrottled == 0) {
            return;
        }
        String counts = " requests in the last minute (401: " + newlyRefused + ", 429: " + newlyThrottled + ")";
        long hooks = lockouts.hooks().lockedOutClients();
        long logins = lockouts.logins().lockedOutClients();
        String lockedOut = "; clients locked out: " + hooks + " of hooks, " + logins + " of logins";
        String line = "Rejected " + (newlyRefused + newlyThrottled) + counts + lockedOut;
        if (newlyDropped == 0) {
            LOG.log(Level.INFO, line);
        } else {
            LOG.log(Level.WARNING, line + "; client table full, " + newlyDropped + " failure counts dropped early");
        }
    }

    private long sum(ToLongFunction<AuthenticationFailures> count) {
        return lockouts.all().stream().mapToLong(count).sum();
    }
}
