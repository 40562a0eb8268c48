package dev.postern.access;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

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
    private final Map<FailureKind, Long> kinds = new EnumMap<>(FailureKind.class);

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
        long newly = newlyRefused + newlyThrottled;
        String counts = (newly == 1 ? " request" : " requests") + " in the last minute (401: " + newlyRefused
                + ", 429: " + newlyThrottled + newKinds() + ")";
        long hooks = lockouts.hooks().lockedOutClients();
        long logins = lockouts.logins().lockedOutClients();
        String lockedOut = "; clients locked out: " + hooks + " of hooks, " + logins + " of logins";
        String line = "Rejected " + newly + counts + lockedOut;
        if (newlyDropped == 0) {
            LOG.log(Level.INFO, line);
        } else {
            LOG.log(Level.WARNING, line + "; client table full, " + newlyDropped + " failure counts dropped early");
        }
    }

    /** The new failures of each kind that has some; a request that was throttled unchecked is of no kind. */
    private String newKinds() {
        StringBuilder text = new StringBuilder();
        for (FailureKind kind : FailureKind.values()) {
            long now = sum(failures -> failures.failures(kind));
            @Nullable Long before = kinds.put(kind, now);
            long newly = now - (before == null ? 0 : before);
            if (newly > 0) {
                text.append("; ").append(kind.label()).append(": ").append(newly);
            }
        }
        return text.toString();
    }

    private long sum(ToLongFunction<AuthenticationFailures> count) {
        return lockouts.all().stream().mapToLong(count).sum();
    }
}
