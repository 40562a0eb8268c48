package dev.postern.mapping.template;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.BitSet;
import java.util.concurrent.Semaphore;

/**
 * What one rendering may still use: time and memory. Also notes which places had no value.
 *
 * <p>Time is 100 ms on the wall clock, which is cheap to read. When they are over, a thread that has only been kept waiting
 * gets as much again, now of its own CPU time; one that has been computing is at its end after 200 ms at most.
 *
 * <p>Memory is what the thread allocates, be it kept or not. An ordinary rendering gets by with a small amount; one that
 * needs more waits until there are few others of its kind, and so all of them together hold no more than a server has.
 */
final class RenderBudget implements AutoCloseable {

    static final int MAX_TEXT = Template.MAX_OUTPUT;
    static final int MAX_ITEMS = 10_000;

    private static final Duration TIME = Duration.ofMillis(100);
    private static final long ORDINARY_BYTES = 2L * 1024 * 1024;
    private static final long MAX_BYTES = 64L * 1024 * 1024;
    private static final Semaphore LARGE = new Semaphore(mostLarge());
    private static final com.sun.management.ThreadMXBean THREADS =
            (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();

    private final BitSet gaps = new BitSet(0);
    private final long startBytes = THREADS.getCurrentThreadAllocatedBytes();
    private long deadline = System.nanoTime() + TIME.toNanos();
    private long cpuDeadline;
    /** Reached at once by a thread whose allocations are not counted: a virtual one. */
    private long bytesDeadline = startBytes < 0 ? startBytes - 1 : startBytes + ORDINARY_BYTES;

    private boolean large;

    /** As many as the processors can do at once, if a quarter of the heap has room for what they allocate. */
    private static int mostLarge() {
        Runtime runtime = Runtime.getRuntime();
        long room = runtime.maxMemory() / 4 / MAX_BYTES;
        return (int) Math.max(1, Math.min(room, Math.max(4, runtime.availableProcessors())));
    }

    /** Stops the rendering when its time is over, or it has used too much memory. */
    void tick() {
        if (System.nanoTime() - deadline > 0) {
            late();
        }
        if (THREADS.getCurrentThreadAllocatedBytes() > bytesDeadline) {
            large();
        }
    }

    private void late() {
        long cpu = THREADS.isCurrentThreadCpuTimeSupported() ? THREADS.getCurrentThreadCpuTime() : -1;
        if (cpuDeadline == 0) {
            cpuDeadline = cpu + TIME.toNanos();
        }
        if (cpu < 0 || cpu >= cpuDeadline) {
            throw new BudgetExceededException("The template ran longer than " + TIME.toMillis() + " ms.");
        }
        deadline = System.nanoTime() + TIME.toNanos() / 20;
    }

    private void large() {
        if (large) {
            throw new BudgetExceededException("The template uses more memory than a template may.");
        }
        LARGE.acquireUninterruptibly();
        large = true;
        bytesDeadline = startBytes + MAX_BYTES;
    }

    /** A text that the rendering may hold. */
    String text(String value) {
        if (value.length() > MAX_TEXT) {
            throw new BudgetExceededException("The template builds a text of more than " + MAX_TEXT + " characters.");
        }
        return value;
    }

    /** Takes note of the size of a list or a hash that the rendering holds. */
    void items(int size) {
        if (size > MAX_ITEMS) {
            throw new BudgetExceededException("The template builds a list of more than " + MAX_ITEMS + " items.");
        }
    }

    void gap(int site) {
        gaps.set(site);
    }

    BitSet gaps() {
        return gaps;
    }

    @Override
    public void close() {
        if (large) {
            LARGE.release();
        }
    }
}
