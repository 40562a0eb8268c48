package dev.postern.mapping.template;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.BitSet;
import java.util.concurrent.Semaphore;

/**
 * The budget of one rendering: time and memory. It also records which positions had no value.
 *
 * <p>The time is 100 ms on the wall clock, which is cheap to read. After that, a thread that was only kept waiting gets the
 * same amount again, now of its own CPU time. A thread that was computing stops after at most 200 ms.
 *
 * <p>The memory is what the thread allocates, kept or not. An ordinary rendering needs a small amount. One that needs more
 * waits until few others of its kind run, so that all of them together fit into the memory of a server.
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
    /** In bytes. A virtual thread, whose allocations are not counted, reaches it at once. */
    private long bytesDeadline = startBytes < 0 ? startBytes - 1 : startBytes + ORDINARY_BYTES;

    private boolean large;

    /**
     * The most large renderings at once: one for each processor, and at least four. A quarter of the heap must have space
     * for what they allocate.
     */
    private static int mostLarge() {
        Runtime runtime = Runtime.getRuntime();
        long room = runtime.maxMemory() / 4 / MAX_BYTES;
        return (int) Math.max(1, Math.min(room, Math.max(4, runtime.availableProcessors())));
    }

    /** Stops the rendering if its time is over or it has used too much memory. */
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

    /** Checks the length of a text that the rendering holds, and returns the text. */
    String text(String value) {
        if (value.length() > MAX_TEXT) {
            throw new BudgetExceededException("The template builds a text of more than " + MAX_TEXT + " characters.");
        }
        return value;
    }

    /** Checks the size of a list or a hash that the rendering holds. */
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
