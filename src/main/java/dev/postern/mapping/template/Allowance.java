package dev.postern.mapping.template;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.BitSet;

/**
 * What one rendering may still use: time and memory. Also notes which places had no value.
 *
 * <p>Time is 100 ms on the wall clock, which is cheap to read. When they are over, a thread that has only been kept waiting
 * gets as much again, now of its own CPU time; one that has been computing is at its end after 200 ms at most.
 */
final class Allowance {

    static final int MAX_TEXT = 512 * 1024;
    static final int MAX_ITEMS = 10_000;

    private static final Duration TIME = Duration.ofMillis(100);
    private static final long MAX_SPENT = 16L * 1024 * 1024;
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private final BitSet gaps = new BitSet(0);
    private long deadline = System.nanoTime() + TIME.toNanos();
    private long cpuDeadline;
    private long spent;

    /** Stops the rendering when its time is over. */
    void tick() {
        if (System.nanoTime() - deadline > 0) {
            late();
        }
    }

    private void late() {
        long cpu = THREADS.isCurrentThreadCpuTimeSupported() ? THREADS.getCurrentThreadCpuTime() : -1;
        if (cpuDeadline == 0) {
            cpuDeadline = cpu + TIME.toNanos();
        }
        if (cpu < 0 || cpu >= cpuDeadline) {
            throw new Stopped("The template ran longer than " + TIME.toMillis() + " ms.");
        }
        deadline = System.nanoTime() + TIME.toNanos() / 20;
    }

    /** Takes note of a text that the rendering holds. */
    String text(String value) {
        if (value.length() > MAX_TEXT) {
            throw new Stopped("The template builds a text of more than " + MAX_TEXT + " characters.");
        }
        spend(value.length());
        return value;
    }

    /** Takes note of a list or a hash that the rendering holds. */
    void items(int size) {
        if (size > MAX_ITEMS) {
            throw new Stopped("The template builds a list of more than " + MAX_ITEMS + " items.");
        }
        spend(4L * size);
    }

    private void spend(long chars) {
        spent += chars;
        if (spent > MAX_SPENT) {
            throw new Stopped("The template uses more memory than a template may.");
        }
    }

    void gap(int site) {
        gaps.set(site);
    }

    BitSet gaps() {
        return gaps;
    }
}
