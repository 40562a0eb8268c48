package dev.postern.app;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * A task that the clock thread repeats until it is closed. If it fails, that is logged, and it is repeated all the same; the
 * thread's executor would drop it without a word.
 */
final class RepeatedTask implements AutoCloseable {

    private static final System.Logger LOG = System.getLogger(RepeatedTask.class.getName());

    private final Runnable task;
    private final Future<?> repetition;

    /**
     * Repeats {@code task}, which must not block, for the first time after {@code pause}.
     *
     * @param pause the time between the end of the task and its next begin
     */
    RepeatedTask(ScheduledExecutorService clock, Duration pause, Runnable task) {
        this.task = task;
        this.repetition =
                clock.scheduleWithFixedDelay(this::run, pause.toNanos(), pause.toNanos(), TimeUnit.NANOSECONDS);
    }

    private void run() {
        try {
            task.run();
        } catch (RuntimeException | Error e) {
            LOG.log(Level.ERROR, "A repeated task on the clock thread failed", e);
        }
    }

    @Override
    public void close() {
        repetition.cancel(false);
    }
}
