package dev.postern.mapping.script;

import java.lang.management.ManagementFactory;
import org.jspecify.annotations.Nullable;

/**
 * Counts what one call of a script uses, on the thread that runs it, and ends it with a {@link ScriptTerminated} when that is too much.
 *
 * <p>Public because Rhino's own code is made to call it: {@link MeteringTransformer} says where. On a thread that is not metered every
 * method here does nothing but what it stands for. Once a budget is used up, each further look throws again, so a script
 * that discards the error in a {@code finally} comes no further than the next one.
 */
public final class ScriptMeter {

    /** Between two looks at the clock and at what was allocated: few, for one step may be an append of a megabyte. */
    static final int STEPS = 64;

    /** Characters of the longest string that a script may make. */
    static final int LONGEST_TEXT = 1 << 20;

    /** Elements of the largest piece of memory that may be had in one go. */
    static final int LARGEST_ROOM = 1 << 21;

    /** Characters or elements that are copied or compared in the time of one step. */
    private static final int SIZE_A_STEP = 1024;

    /** Steps that the recording of a stack is worth. */
    private static final int STEPS_A_TRACE = 16;

    /** Units of the stack, of half a kilobyte, that are used between two looks at what is left of it. */
    private static final int UNITS_BETWEEN_DESCENTS = 64;

    /** Calls deep is the descent that shows what is left. */
    private static final int DESCENT = 3000;

    private static final com.sun.management.ThreadMXBean THREADS =
            (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();

    private final ScriptBudget budget;
    private final long nowMillis;
    private final MeteredThread thread;
    private final long startNanos = System.nanoTime();
    private final long startCpu = THREADS.getCurrentThreadCpuTime();
    private final long startBytes = THREADS.getCurrentThreadAllocatedBytes();

    private @Nullable ScriptTerminated killed;

    private ScriptMeter(ScriptBudget budget, long nowMillis, MeteredThread thread) {
        this.budget = budget;
        this.nowMillis = nowMillis;
        this.thread = thread;
    }

    /** From here to {@link #stop} the current thread, one of ours, is metered; its clock stands at {@code nowMillis}. */
    public static ScriptMeter start(ScriptBudget budget, long nowMillis) {
        MeteredThread thread = (MeteredThread) Thread.currentThread();
        ScriptMeter meter = new ScriptMeter(budget, nowMillis, thread);
        thread.meter = meter;
        thread.fuel = STEPS;
        thread.depth = 0;
        return meter;
    }

    /** The current thread is no longer metered. */
    public void stop() {
        thread.meter = null;
        thread.fuel = Integer.MAX_VALUE;
    }

    /** Why the script was ended, whatever became of the error on its way; null if it was not. */
    public @Nullable ScriptTerminated killed() {
        return killed;
    }

    void check() {
        if (killed != null) {
            throw killed;
        }
        if (THREADS.getCurrentThreadAllocatedBytes() - startBytes > budget.bytes()) {
            throw kill(ScriptTerminated.Reason.MEMORY);
        }
        long elapsed = System.nanoTime() - startNanos;
        if (elapsed > budget.cpu().toNanos()) {
            if (THREADS.getCurrentThreadCpuTime() - startCpu > budget.cpu().toNanos()) {
                throw kill(ScriptTerminated.Reason.CPU);
            }
            if (elapsed > budget.wall().toNanos()) {
                throw kill(ScriptTerminated.Reason.WALL);
            }
        }
        if (thread.isInterrupted()) {
            throw kill(ScriptTerminated.Reason.CLOSING);
        }
    }

    private ScriptTerminated kill(ScriptTerminated.Reason reason) {
        ScriptTerminated scriptTerminated = new ScriptTerminated(reason);
        killed = scriptTerminated;
        thread.fuel = 0;
        return scriptTerminated;
    }

    private static @Nullable ScriptMeter current() {
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
        ScriptMeter meter = current();
        if (meter != null) {
            meter.check();
        }
    }

    /** Rhino is about to allocate {@code elements} in one go. */
    public static void room(int elements) {
        if (elements > LARGEST_ROOM || elements < 0) {
            refuse(ScriptTerminated.Reason.MEMORY);
        }
        spend(elements);
    }

    /** Rhino has joined two strings lazily into one of {@code length}. */
    public static void text(int length) {
        if (length > LONGEST_TEXT || length < 0) {
            refuse(ScriptTerminated.Reason.MEMORY);
        }
    }

    /** A built-in function gives {@code value} back. */
    public static void result(@Nullable Object value) {
        if (value instanceof CharSequence text) {
            text(text.length());
            spend(text.length());
        }
    }

    /** Rhino is about to write down the stack, up to a thousand calls of it. */
    public static void trace() {
        if (Thread.currentThread() instanceof MeteredThread thread) {
            thread.fuel -= STEPS_A_TRACE;
            tick();
        }
    }

    /**
     * A method that may call itself, by whatever way, begins. A class whose initializer meets the end of the stack is lost for
     * good and to everybody, and so is much of what the JDK links at the first call; so the end is looked for in time, here,
     * where nothing is lost.
     *
     * @param units of the stack that the method uses
     * @throws ScriptTerminated where there is not enough left for whatever a script may have the JDK do
     */
    public static void enter(int units) {
        if (Thread.currentThread() instanceof MeteredThread thread) {
            int depth = thread.depth + units;
            if (depth / UNITS_BETWEEN_DESCENTS != thread.depth / UNITS_BETWEEN_DESCENTS && isAtItsEnd(thread)) {
                refuse(ScriptTerminated.Reason.RECURSION);
            }
            thread.depth = depth;
        }
    }

    private static boolean isAtItsEnd(MeteredThread thread) {
        try {
            thread.sum = descend(DESCENT, 1, 2, 3, 4, 5, 6);
            return false;
        } catch (StackOverflowError e) {
            return true;
        }
    }

    /** It ends, in whatever way. */
    public static void leave(int units) {
        if (Thread.currentThread() instanceof MeteredThread thread) {
            thread.depth -= units;
        }
    }

    /** Uses the stack: each call keeps what it was given until the one below is back. */
    private static long descend(int calls, long a, long b, long c, long d, long e, long f) {
        return calls == 0 ? a : descend(calls - 1, b, c, d, e, f, a + calls) + a * b + c * d + e * f;
    }

    /** One step would be more than there is of {@code what}. */
    static void refuse(ScriptTerminated.Reason what) {
        ScriptMeter meter = current();
        if (meter != null) {
            throw meter.killed == null ? meter.kill(what) : meter.killed;
        }
    }

    /** So many characters or elements are about to be copied or compared, once each. */
    static void spend(int size) {
        if (size >= SIZE_A_STEP && Thread.currentThread() instanceof MeteredThread thread) {
            thread.fuel -= size / SIZE_A_STEP;
            tick();
        }
    }

    /** In the place of {@link System#currentTimeMillis()}. */
    public static long currentTimeMillis() {
        ScriptMeter meter = current();
        return meter == null ? System.currentTimeMillis() : meter.nowMillis;
    }
}
