package dev.postern.app;

import java.lang.System.Logger.Level;
import java.util.Collection;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** A factory of Postern's own threads, which are daemons named {@code postern-<context>-<role>} and are joined at the end. */
final class PosternThreads {

    private static final System.Logger LOG = System.getLogger(PosternThreads.class.getName());
    private static final long IDLE_SECONDS = 30;
    private static final long LONGEST_END_SECONDS = 10;

    private final String context;

    PosternThreads(String context) {
        this.context = context;
    }

    /** Makes an executor with one thread for everything that waits for a time. */
    ScheduledThreadPoolExecutor clock() {
        ScheduledThreadPoolExecutor clock = new ScheduledThreadPoolExecutor(1, named("clock", false));
        clock.setRemoveOnCancelPolicy(true);
        clock.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        clock.setContinueExistingPeriodicTasksAfterShutdownPolicy(false);
        return clock;
    }

    /** Makes an executor with up to {@code most} threads. It rejects a task if none is free: callers know when to retry. */
    ThreadPoolExecutor workers(int most) {
        return new ThreadPoolExecutor(
                0, most, IDLE_SECONDS, TimeUnit.SECONDS, new SynchronousQueue<>(), named("turn", true));
    }

    /** Makes an executor with up to {@code most} threads for {@code role}, which queues a task if none is free. */
    ThreadPoolExecutor queueing(String role, int most) {
        ThreadPoolExecutor threads = new ThreadPoolExecutor(
                most, most, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), named(role, true));
        threads.allowCoreThreadTimeOut(true);
        return threads;
    }

    /** Makes a thread for {@code task}, which the caller starts. */
    Thread newThread(String role, Runnable task) {
        return named(role, false).newThread(task);
    }

    /**
     * Stops {@code executor}'s threads and joins each of them, since an executor counts as terminated while its last thread
     * still runs its final steps.
     */
    static void end(ThreadPoolExecutor executor) throws InterruptedException {
        executor.shutdownNow();
        await(((NamedThreadFactory) executor.getThreadFactory()).started);
    }

    /** Joins {@code threads}, which were told to stop; waits up to 10 s for all of them together. */
    static void await(Collection<Thread> threads) throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(LONGEST_END_SECONDS);
        for (Thread thread : threads) {
            TimeUnit.NANOSECONDS.timedJoin(thread, Math.max(1, deadline - System.nanoTime()));
            if (thread.isAlive()) {
                LOG.log(Level.WARNING, "Thread {0} did not stop within {1} s", thread.getName(), LONGEST_END_SECONDS);
            }
        }
    }

    private NamedThreadFactory named(String role, boolean many) {
        return new NamedThreadFactory("postern-" + context + "-" + role, many);
    }

    /** A thread factory that knows its threads that have not ended. */
    private static final class NamedThreadFactory implements ThreadFactory {

        private final String name;
        private final boolean many;
        private final AtomicInteger count = new AtomicInteger();
        private final Set<Thread> started = ConcurrentHashMap.newKeySet();

        NamedThreadFactory(String name, boolean many) {
            this.name = name;
            this.many = many;
        }

        @Override
        public Thread newThread(Runnable task) {
            Thread thread = new Thread(task, many ? name + "-" + count.incrementAndGet() : name);
            thread.setDaemon(true);
            started.removeIf(other -> other.getState() == Thread.State.TERMINATED);
            started.add(thread);
            return thread;
        }
    }
}
