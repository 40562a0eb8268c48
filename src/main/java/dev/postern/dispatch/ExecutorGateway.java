package dev.postern.dispatch;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Runs what would hold up the clock on threads that are lent for it. That an executor has no thread to spare is an
 * everyday answer; that it breaks, as when the system gives no more threads, is told once until it works again.
 */
final class ExecutorGateway {

    private static final Logger LOG = System.getLogger(ExecutorGateway.class.getName());

    private final Executor executor;
    private final AtomicBoolean broken = new AtomicBoolean();

    ExecutorGateway(Executor executor) {
        this.executor = executor;
    }

    /** Has {@code task} run soon; false when there is no thread for it now, and then it isn't run. Never throws. */
    boolean run(Runnable task) {
        try {
            executor.execute(() -> guarded(task));
            broken.set(false);
            return true;
        } catch (RejectedExecutionException busy) {
            LOG.log(Level.DEBUG, "No thread now");
        } catch (RuntimeException | Error e) {
            if (broken.compareAndSet(false, true)) {
                LOG.log(Level.WARNING, "No thread can be had, and work waits until one can: {0}", e.toString());
            }
        }
        return false;
    }

    private static void guarded(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException | Error e) {
            LOG.log(Level.ERROR, "A task of dispatch broke", e);
        }
    }
}
