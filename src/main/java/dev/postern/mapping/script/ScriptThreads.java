package dev.postern.mapping.script;

import java.lang.System.Logger.Level;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The threads that run and compile scripts. They start when there is work, and end after a while without any. The stacks of
 * those that run scripts are small, so that endless recursion ends soon.
 */
final class ScriptThreads implements AutoCloseable {

    private static final System.Logger LOG = System.getLogger(ScriptThreads.class.getName());
    private static final int MOST_RUNNING = Math.max(4, Runtime.getRuntime().availableProcessors());
    private static final int MOST_WAITING = 256;
    private static final long RUN_STACK_BYTES = 2 * 1024 * 1024;
    private static final long COMPILE_STACK_BYTES = 16 * 1024 * 1024;
    private static final long RUN_IDLE_SECONDS = 30;
    private static final long COMPILE_IDLE_SECONDS = 10;
    private static final long LONGEST_END_SECONDS = 10;

    private final Set<Thread> started = ConcurrentHashMap.newKeySet();
    private final ThreadPoolExecutor running;
    private final ThreadPoolExecutor compiling;

    /** @param compilerIdle called when the compiling thread ends because there is nothing more to compile */
    ScriptThreads(String prefix, ClassLoader loader, Runnable compilerIdle) {
        AtomicInteger number = new AtomicInteger();
        this.running = pool(
                MOST_RUNNING,
                RUN_IDLE_SECONDS,
                body -> thread(body, prefix + "-script-" + number.incrementAndGet(), RUN_STACK_BYTES, loader));
        this.compiling = pool(1, COMPILE_IDLE_SECONDS, body -> {
            Runnable untilIdle = () -> {
                body.run();
                compilerIdle.run();
            };
            return thread(untilIdle, prefix + "-script-compiler", COMPILE_STACK_BYTES, loader);
        });
    }

    private static ThreadPoolExecutor pool(int most, long idleSeconds, ThreadFactory factory) {
        ThreadPoolExecutor pool = new ThreadPoolExecutor(
                most, most, idleSeconds, TimeUnit.SECONDS, new LinkedBlockingQueue<>(MOST_WAITING), factory);
        pool.allowCoreThreadTimeOut(true);
        return pool;
    }

    private Thread thread(Runnable body, String name, long stackBytes, ClassLoader loader) {
        Thread thread = new MeteredThread(body, name, stackBytes, loader);
        started.removeIf(earlier -> earlier.getState() == Thread.State.TERMINATED);
        started.add(thread);
        return thread;
    }

    /** The pool that runs scripts side by side. It rejects a script if its queue is full. */
    ThreadPoolExecutor running() {
        return running;
    }

    /** The pool that compiles, one module after the other. */
    ThreadPoolExecutor compiling() {
        return compiling;
    }

    @Override
    public void close() {
        running.shutdownNow();
        compiling.shutdownNow();
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(LONGEST_END_SECONDS);
        try {
            for (Thread thread : started) {
                TimeUnit.NANOSECONDS.timedJoin(thread, Math.max(1, deadline - System.nanoTime()));
                if (thread.isAlive()) {
                    LOG.log(Level.WARNING, "{0} has not ended within {1} s", thread.getName(), LONGEST_END_SECONDS);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
