package dev.postern.mail;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.eclipse.angus.mail.imap.protocol.IMAPProtocol;
import org.jspecify.annotations.Nullable;

/**
 * Wakes the one thread that waits for mail. Whoever rings is heard once: by the wait that goes on, or else by the next.
 * Safe for use by many threads.
 */
final class WakeSignal {

    private boolean rung;
    private @Nullable IMAPProtocol idle;

    /** Ends the wait, in IDLE by the DONE that the server answers to. */
    synchronized void ring() {
        rung = true;
        notifyAll();
        done();
    }

    /** To be called when the server has taken IDLE: from now on {@link #done} ends it. */
    synchronized void idle(IMAPProtocol protocol) {
        idle = protocol;
        if (rung) {
            done();
        }
    }

    /** Asks the server to end IDLE, unless that was done; true where it was done just now. */
    synchronized boolean done() {
        IMAPProtocol ending = idle;
        idle = null;
        if (ending != null) {
            ending.idleAbort();
        }
        return ending != null;
    }

    /** To be called when IDLE has ended. */
    synchronized void heard() {
        idle = null;
        rung = false;
    }

    /** Waits until somebody rings, or for {@code most}. */
    synchronized void await(Duration most) throws InterruptedException {
        long end = System.nanoTime() + most.toNanos();
        for (long left = most.toNanos(); !rung && left > 0; left = end - System.nanoTime()) {
            TimeUnit.NANOSECONDS.timedWait(this, left);
        }
        rung = false;
    }
}
