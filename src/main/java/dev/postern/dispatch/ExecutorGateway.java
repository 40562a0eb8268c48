package dev.postern.dispatch;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A gateway to borrowed threads, for tasks that would block the clock thread. An executor without a free thread is
 * normal. An executor that fails, as when the system gives no more threads, is logged once until it works again.
 */
final class ExecutorGateway {

    private static final Logger LOG = System.getLogger(ExecutorGateway.class.getName());

    private final Executor executor;
    private final AtomicBoolean broken = new AtomicBoolean();

    ExecutorGateway(Executor executor) {
        this.executor = executor;
    }

    /** Runs {@code task} soon; false when no thread is free, and then it isn't run. Never throws. */
    boolean run(Runnable task) {
        try {
            executor.execute(() -> guarded(task));
            broken.set(false);
            return true;
        } catch (RejectedExecutionException busy) {
            LOG.log(Level.DEBUG, "No thread available");
        } catch (RuntimeException | Error e) {
            if (broken.compareAndSet(false, true)) {
                LOG.log(Level.WARNING, "Cannot start threads; work waits until one is available: {0}", e.toString());
            }
        }
        return false;
    }

    private static void guarded(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException | Error e) {
            LOG.log(Level.ERROR, "A dispatch task failed", e);
        }
    }
}
