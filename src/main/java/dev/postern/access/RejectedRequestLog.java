package dev.postern.access;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.function.ToLongFunction;

/**
 * Tells the operator of refused requests in one line a minute, however many there were. For one thread, which calls
 * {@link #everyMinute}.
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

    /** Logs what was refused since the last call; nothing when nothing was. */
    public void everyMinute() {
        long refusedNow = sum(AuthenticationFailures::refused);
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
        String line = "refused " + (newlyRefused + newlyThrottled) + " requests in the last minute (401 " + newlyRefused
                + ", 429 " + newlyThrottled + "), " + lockouts.hooks().lockedOutClients()
                + " clients locked out of the hooks, "
                + lockouts.logins().lockedOutClients() + " of logging in";
        if (newlyDropped == 0) {
            LOG.log(Level.INFO, line);
        } else {
            LOG.log(
                    Level.WARNING,
                    line + "; so many clients fail that " + newlyDropped
                            + " counts of failures had to be dropped early");
        }
    }

    private long sum(ToLongFunction<AuthenticationFailures> count) {
        return lockouts.all().stream().mapToLong(count).sum();
    }
}
