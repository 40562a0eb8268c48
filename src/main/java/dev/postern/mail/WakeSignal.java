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

    private boolean signalled;
    private @Nullable IMAPProtocol idle;

    /** Ends the wait; an IDLE ends by a DONE that the server answers. */
    synchronized void signal() {
        signalled = true;
        notifyAll();
        endIdle();
    }

    /** Notes that the server has accepted IDLE: from now on {@link #endIdle} ends it. */
    synchronized void idleStarted(IMAPProtocol protocol) {
        idle = protocol;
        if (signalled) {
            endIdle();
        }
    }

    /** Asks the server to end IDLE, once; true if this call did so. */
    synchronized boolean endIdle() {
        IMAPProtocol ending = idle;
        idle = null;
        if (ending != null) {
            ending.idleAbort();
        }
        return ending != null;
    }

    /** Notes that IDLE has ended; true if the server was not asked to end it. */
    synchronized boolean idleEnded() {
        boolean unasked = idle != null;
        idle = null;
        signalled = false;
        return unasked;
    }

    /** Waits for a signal, for at most {@code most}. */
    synchronized void await(Duration most) throws InterruptedException {
        long end = System.nanoTime() + most.toNanos();
        for (long left = most.toNanos(); !signalled && left > 0; left = end - System.nanoTime()) {
            TimeUnit.NANOSECONDS.timedWait(this, left);
        }
        signalled = false;
    }
}
