package dev.postern.http;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The dispatches that a filter has asked for and that have not reached it yet. A server that stops a web application ends the
 * filters first. Jetty then takes such a request past them, to a servlet that has ended, and answers 404.
 */
final class PendingDispatches {

    private static final long PATIENCE_NANOS = Duration.ofSeconds(1).toNanos();

    private int pending;
    private boolean isClosed;

    /** A dispatch of one request. */
    final class Dispatch {

        private final AtomicBoolean isPending = new AtomicBoolean(true);

        /**
         * Ends this, which has reached its filter or never will.
         *
         * @return false the second time
         */
        boolean end() {
            boolean ends = isPending.compareAndSet(true, false);
            if (ends) {
                forget();
            }
            return ends;
        }
    }

    /** A new dispatch, which counts until its end; null if none may begin any more. */
    synchronized @Nullable Dispatch begin() {
        if (isClosed) {
            return null;
        }
        pending++;
        return new Dispatch();
    }

    /** Waits a second at most for those that are pending. None begins after that. */
    synchronized void close() {
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        try {
            for (long left = PATIENCE_NANOS;
                    pending > 0 && left > 0 && !isClosed;
                    left = deadline - System.nanoTime()) {
                TimeUnit.NANOSECONDS.timedWait(this, left);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        isClosed = true;
    }

    private synchronized void forget() {
        pending--;
        notifyAll();
    }
}
