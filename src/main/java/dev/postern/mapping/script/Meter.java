package dev.postern.mapping.script;

import java.lang.management.ManagementFactory;
import org.jspecify.annotations.Nullable;

/**
 * Counts what one call of a script uses, on the thread that runs it, and ends it with a {@link Kill} when that is too much.
 *
 * <p>Public because Rhino's own code is made to call it: {@link Metering} says where. On a thread that is not metered every
 * method here does nothing but what it stands for. Once a budget is used up, each further look throws again, so a script
 * that discards the error in a {@code finally} comes no further than the next one.
 */
public final class Meter {

    /** Between two looks at the clock and at what was allocated: few, for one step may be an append of a megabyte. */
    static final int STEPS = 64;

    /** Characters of the longest string that a script may make. */
    static final int LONGEST_TEXT = 1 << 20;

    /** Elements of the largest piece of memory that may be had in one go. */
    static final int LARGEST_ROOM = 1 << 21;

    /** Steps of some nanoseconds that one call may take where nobody can look. */
    private static final long MOST_UNSEEN = 100_000_000;

    /** Characters that are compared in the time of one step. */
    private static final int CHARACTERS_A_STEP = 4096;

    private static final com.sun.management.ThreadMXBean THREADS =
            (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();

    private final Budget budget;
    private final long nowMillis;
    private final MeteredThread thread;
    private final long startNanos = System.nanoTime();
    private final long startCpu = THREADS.getCurrentThreadCpuTime();
    private final long startBytes = THREADS.getCurrentThreadAllocatedBytes();

    private @Nullable Kill killed;

    private Meter(Budget budget, long nowMillis, MeteredThread thread) {
        this.budget = budget;
        this.nowMillis = nowMillis;
        this.thread = thread;
    }

    /** From here to {@link #stop} the current thread, one of ours, is metered; its clock stands at {@code nowMillis}. */
    public static Meter start(Budget budget, long nowMillis) {
        MeteredThread thread = (MeteredThread) Thread.currentThread();
        Meter meter = new Meter(budget, nowMillis, thread);
        thread.meter = meter;
        thread.fuel = STEPS;
        return meter;
    }

    /** The current thread is no longer metered. */
    public void stop() {
        thread.meter = null;
        thread.fuel = Integer.MAX_VALUE;
    }

    /** Why the script was ended, whatever became of the error on its way; null if it was not. */
    public @Nullable Kill killed() {
        return killed;
    }

    void check() {
        if (killed != null) {
            throw killed;
        }
        if (THREADS.getCurrentThreadAllocatedBytes() - startBytes > budget.bytes()) {
            throw kill(Kill.Reason.MEMORY);
        }
        long elapsed = System.nanoTime() - startNanos;
        if (elapsed > budget.cpu().toNanos()) {
            if (THREADS.getCurrentThreadCpuTime() - startCpu > budget.cpu().toNanos()) {
                throw kill(Kill.Reason.CPU);
            }
            if (elapsed > budget.wall().toNanos()) {
                throw kill(Kill.Reason.WALL);
            }
        }
        if (thread.isInterrupted()) {
            throw kill(Kill.Reason.CLOSING);
        }
    }

    private Kill kill(Kill.Reason reason) {
        Kill kill = new Kill(reason);
        killed = kill;
        thread.fuel = 0;
        return kill;
    }

    private static @Nullable Meter current() {
        return Thread.currentThread() instanceof MeteredThread thread ? thread.meter : null;
    }

    /** A loop in Rhino goes round, or it is called back. */
    public static void tick() {
        if (Thread.currentThread() instanceof MeteredThread thread && --thread.fuel < 0) {
            thread.look();
        }
    }

    /** A script has done enough to be looked at. */
    public static void observe() {
        Meter meter = current();
        if (meter != null) {
            meter.check();
        }
    }

    /** Rhino is about to allocate {@code elements} in one go. */
    public static void room(int elements) {
        if (elements > LARGEST_ROOM || elements < 0) {
            refuse();
        }
    }

    /** Rhino has joined two strings lazily into one of {@code length}. */
    public static void text(int length) {
        if (length > LONGEST_TEXT || length < 0) {
            refuse();
        }
    }

    /** A built-in function gives {@code value} back. */
    public static void result(@Nullable Object value) {
        if (value instanceof CharSequence text && text.length() > LONGEST_TEXT) {
            refuse();
        }
    }

    static void refuse() {
        Meter meter = current();
        if (meter != null) {
            throw meter.killed == null ? meter.kill(Kill.Reason.MEMORY) : meter.killed;
        }
    }

    /** One call of the JDK is about to take {@code steps}, at worst, and can't be looked at meanwhile. */
    static void unseen(long steps) {
        Meter meter = current();
        if (meter != null && steps > MOST_UNSEEN) {
            throw meter.kill(Kill.Reason.CPU);
        }
    }

    /** One call of the JDK is about to look at so many characters, once each. */
    static void read(int characters) {
        if (characters > CHARACTERS_A_STEP && Thread.currentThread() instanceof MeteredThread thread) {
            thread.fuel -= characters / CHARACTERS_A_STEP;
            tick();
        }
    }

    /** In the place of {@link System#currentTimeMillis()}. */
    public static long currentTimeMillis() {
        Meter meter = current();
        return meter == null ? System.currentTimeMillis() : meter.nowMillis;
    }
}
