package dev.postern.access;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;

/**
 * Tells the operator of refused requests in one line a minute, however many there were. For one thread, which calls
 * {@link #everyMinute}.
 */
public final class RefusalLog {

    private static final Logger LOG = System.getLogger(RefusalLog.class.getName());

    private final Gate gate;
    private long refused;
    private long throttled;
    private long dropped;

    public RefusalLog(Gate gate) {
        this.gate = gate;
    }

    /** Logs what was refused since the last call; nothing when nothing was. */
    public void everyMinute() {
        long refusedNow = gate.refused();
        long throttledNow = gate.throttled();
        long droppedNow = gate.droppedCounts();
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
                + ", 429 " + newlyThrottled + "), " + gate.lockedOutClients() + " clients locked out";
        if (newlyDropped == 0) {
            LOG.log(Level.INFO, line);
        } else {
            LOG.log(
                    Level.WARNING,
                    line + "; so many clients fail that " + newlyDropped
                            + " counts of failures had to be dropped early");
        }
    }
}
