package dev.postern.mail;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.eclipse.angus.mail.imap.protocol.IMAPProtocol;
import org.jspecify.annotations.Nullable;

/**
 * A signal that ends the wait of the one thread that waits for mail. Each signal ends one wait: the current one, or else
 * the next. Safe for use by many threads.
 */
final class WakeSignal {

    private boolean rung;
    private @Nullable IMAPProtocol idle;

    /** Ends the wait; an IDLE ends by a DONE that the server answers. */
    synchronized void ring() {
        rung = true;
        notifyAll();
        done();
    }

    /** Notes that the server has accepted IDLE: from now on {@link #done} ends it. */
    synchronized void idle(IMAPProtocol protocol) {
        idle = protocol;
        if (rung) {
            done();
        }
    }

    /** Asks the server to end IDLE, once; true if this call did so. */
    synchronized boolean done() {
        IMAPProtocol ending = idle;
        idle = null;
        if (ending != null) {
            ending.idleAbort();
        }
        return ending != null;
    }

    /** Notes that IDLE has ended. */
    synchronized void heard() {
        idle = null;
        rung = false;
    }

    /** Waits for a signal, for at most {@code most}. */
    synchronized void await(Duration most) throws InterruptedException {
        long end = System.nanoTime() + most.toNanos();
        for (long left = most.toNanos(); !rung && left > 0; left = end - System.nanoTime()) {
            TimeUnit.NANOSECONDS.timedWait(this, left);
        }
        rung = false;
    }
}
