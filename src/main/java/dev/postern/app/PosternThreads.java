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

/** The threads that we make: each is named {@code postern-<context>-<role>}, is a daemon, and is waited for at the end. */
final class PosternThreads {

    private static final System.Logger LOG = System.getLogger(PosternThreads.class.getName());
    private static final long IDLE_SECONDS = 30;
    private static final long LONGEST_END_SECONDS = 10;

    private final String context;

    PosternThreads(String context) {
        this.context = context;
    }

    /** One thread for everything that waits for a moment to come. */
    ScheduledThreadPoolExecutor clock() {
        ScheduledThreadPoolExecutor clock = new ScheduledThreadPoolExecutor(1, named("clock", false));
        clock.setRemoveOnCancelPolicy(true);
        clock.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        clock.setContinueExistingPeriodicTasksAfterShutdownPolicy(false);
        return clock;
    }

    /** Up to {@code most} threads; what finds none free is rejected, for whoever asked knows best when to ask again. */
    ThreadPoolExecutor workers(int most) {
        return new ThreadPoolExecutor(
                0, most, IDLE_SECONDS, TimeUnit.SECONDS, new SynchronousQueue<>(), named("turn", true));
    }

    /** Up to {@code most} threads for {@code role}; what finds none free waits. */
    ThreadPoolExecutor queueing(String role, int most) {
        ThreadPoolExecutor threads = new ThreadPoolExecutor(
                most, most, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), named(role, true));
        threads.allowCoreThreadTimeOut(true);
        return threads;
    }

    /** One thread for {@code task}, to be started. */
    Thread make(String role, Runnable task) {
        return named(role, false).newThread(task);
    }

    /**
     * Ends {@code executor}'s threads and waits for them: for each thread itself, since an executor calls itself terminated
     * while its last thread is still on its way out.
     */
    static void end(ThreadPoolExecutor executor) throws InterruptedException {
        executor.shutdownNow();
        await(((Named) executor.getThreadFactory()).started);
    }

    /** Waits for the ends of {@code threads}, which were told to end. */
    static void await(Collection<Thread> threads) throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(LONGEST_END_SECONDS);
        for (Thread thread : threads) {
            TimeUnit.NANOSECONDS.timedJoin(thread, Math.max(1, deadline - System.nanoTime()));
            if (thread.isAlive()) {
                LOG.log(Level.WARNING, "{0} has not ended within {1} s", thread.getName(), LONGEST_END_SECONDS);
            }
        }
    }

    private Named named(String role, boolean many) {
        return new Named("postern-" + context + "-" + role, many);
    }

    /** Makes an executor's threads and knows those that have not ended. */
    private static final class Named implements ThreadFactory {

        private final String name;
        private final boolean many;
        private final AtomicInteger count = new AtomicInteger();
        private final Set<Thread> started = ConcurrentHashMap.newKeySet();

        Named(String name, boolean many) {
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
