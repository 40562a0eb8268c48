package dev.postern.dispatch;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * The clock of dispatch: a scheduler of tasks on the one clock thread, which other packages share. Its tasks must not
 * block. Once closed it runs nothing any more, and silently drops new tasks. A task that can't be scheduled, as without memory,
 * is scheduled by the next repeated task: loops wait for their tasks, and would wait for ever.
 */
final class DispatchClock {

    private static final Logger LOG = System.getLogger(DispatchClock.class.getName());

    private final ScheduledExecutorService thread;
    private final List<Future<?>> repeated = new ArrayList<>();
    private final Queue<Runnable> missed = new ConcurrentLinkedQueue<>();
    private volatile boolean closed;

    /**
     * @param thread the clock thread, which stays the caller's
     */
    DispatchClock(ScheduledExecutorService thread) {
        this.thread = thread;
    }

    /** Runs {@code task} as soon as the thread is free. */
    void soon(Runnable task) {
        after(Duration.ZERO, task);
    }

    /** Runs {@code task} once, after {@code delay}. */
    void after(Duration delay, Runnable task) {
        if (closed) {
            return;
        }
        try {
            var unused = thread.schedule(guarded(task), TimeUnit.NANOSECONDS.convert(delay), TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException ended) {
            LOG.log(Level.DEBUG, "The clock thread has ended; task dropped");
        } catch (RuntimeException | Error e) {
            missed.add(() -> after(delay, task));
            LOG.log(Level.WARNING, "A task for the clock thread cannot be scheduled yet: {0}", e.toString());
        }
    }

    /** Runs {@code task} repeatedly, {@code pause} after its end, until the clock is closed. */
    void every(Duration pause, Runnable task) {
        every(pause, pause, task);
    }

    /** As {@link #every(Duration, Runnable)}, for the first time after {@code first}. */
    void every(Duration first, Duration pause, Runnable task) {
        repeated.add(thread.scheduleWithFixedDelay(
                guarded(() -> scheduleMissedAnd(task)), first.toNanos(), pause.toNanos(), TimeUnit.NANOSECONDS));
    }

    private void scheduleMissedAnd(Runnable task) {
        for (int left = missed.size(); left > 0; left--) {
            Runnable next = missed.poll();
            if (next != null) {
                next.run();
            }
        }
        task.run();
    }

    /** Stops all tasks; true when the running one has ended within {@code patience}. */
    boolean close(Duration patience) throws InterruptedException {
        closed = true;
        repeated.forEach(each -> each.cancel(false));
        CountDownLatch idle = new CountDownLatch(1);
        try {
            thread.execute(idle::countDown);
        } catch (RejectedExecutionException ended) {
            return true;
        }
        return idle.await(patience.toNanos(), TimeUnit.NANOSECONDS);
    }

    /** Wraps {@code task}. A repeated task that fails is logged and runs again; the executor would silently drop it. */
    private Runnable guarded(Runnable task) {
        return () -> {
            if (closed) {
                return;
            }
            try {
                task.run();
            } catch (RuntimeException | Error e) {
                LOG.log(Level.ERROR, "A task on the clock thread failed", e);
            }
        };
    }
}
