package dev.postern.mapping.script;

import java.lang.management.ManagementFactory;
import org.jspecify.annotations.Nullable;

/**
 * A meter that counts what one script call uses, on the thread that runs it. It ends the call with a
 * {@link ScriptTerminated} when that is too much.
 *
 * <p>It is public because Rhino's own code is made to call it; {@link MeteringTransformer} says where. On a thread that is
 * not metered, each method here does only what it stands for. Once a budget is used up, each further check throws again. A
 * script that discards the error in a {@code finally} therefore gets no further than the next check.
 */
public final class ScriptMeter {

    /** The most characters of a string that a script may make. */
    static final int LONGEST_TEXT = 1 << 20;

    /** The most elements that may be allocated at once. */
    static final int MAX_ALLOCATION = 1 << 21;

    /** The characters or elements that are copied or compared in the time of one step. */
    private static final int SIZE_A_STEP = 1024;

    /** The steps that one recording of the stack counts as. */
    private static final int STEPS_A_TRACE = 16;

    /** The units of the stack, of 512 bytes each, between two checks of what is left of it. */
    private static final int UNITS_BETWEEN_DESCENTS = 64;

    /** The depth, in calls, of the descent that shows whether enough of the stack is left. */
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

    /**
     * Meters the current thread, which must be a {@link MeteredThread}, until {@link #stop}. Its clock stands at
     * {@code nowMillis}.
     */
    public static ScriptMeter start(ScriptBudget budget, long nowMillis) {
        MeteredThread thread = (MeteredThread) Thread.currentThread();
        ScriptMeter meter = new ScriptMeter(budget, nowMillis, thread);
        thread.meter = meter;
        thread.fuel = budget.stride();
        thread.depth = 0;
        return meter;
    }

    /** Ends the metering of the current thread. */
    public void stop() {
        thread.meter = null;
        thread.fuel = Integer.MAX_VALUE;
    }

    /** The error that ended the script, even if the script discarded it; null if the script was not ended. */
    public @Nullable ScriptTerminated killed() {
        return killed;
    }

    /** The steps until the next check. */
    int stride() {
        return budget.stride();
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

    /** Counts a step: a loop in Rhino repeats, or Rhino is called back. */
    public static void tick() {
        if (Thread.currentThread() instanceof MeteredThread thread && --thread.fuel < 0) {
            thread.check();
        }
    }

    /** Checks the budget; called after a number of instructions of a script. */
    public static void observe() {
        ScriptMeter meter = current();
        if (meter != null) {
            meter.check();
        }
    }

    /** Limits and counts {@code elements} that Rhino is about to allocate at once. */
    public static void room(int elements) {
        if (elements > MAX_ALLOCATION || elements < 0) {
            refuse(ScriptTerminated.Reason.MEMORY);
        }
        spend(elements);
    }

    /** Limits the {@code length} of a string that Rhino has joined lazily from two. */
    public static void text(int length) {
        if (length > LONGEST_TEXT || length < 0) {
            refuse(ScriptTerminated.Reason.MEMORY);
        }
    }

    /** Limits and counts the {@code value} that a built-in function returns. */
    public static void result(@Nullable Object value) {
        if (value instanceof CharSequence text) {
            text(text.length());
            spend(text.length());
        }
    }

    /** Counts a recording of the stack, up to a thousand calls of it, that Rhino is about to make. */
    public static void trace() {
        if (Thread.currentThread() instanceof MeteredThread thread) {
            thread.fuel -= STEPS_A_TRACE;
            tick();
        }
    }

    /**
     * Counts the start of a method that may call itself, directly or not, and checks what is left of the stack. A class
     * whose initializer meets the end of the stack is lost for good and for all threads. So is much of what the JDK links
     * at a first call. The end is therefore detected early, here, where nothing is lost.
     *
     * @param units of the stack, 512 bytes each, that the method uses
     * @throws ScriptTerminated if too little is left for anything that a script may make the JDK do
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

    /** Counts the end of such a method, by return or by exception. */
    public static void leave(int units) {
        if (Thread.currentThread() instanceof MeteredThread thread) {
            thread.depth -= units;
        }
    }

    /** Uses the stack: each call keeps its arguments until the call below returns. */
    private static long descend(int calls, long a, long b, long c, long d, long e, long f) {
        return calls == 0 ? a : descend(calls - 1, b, c, d, e, f, a + calls) + a * b + c * d + e * f;
    }

    /** Ends the script, because one step would need more of {@code what} than there is. */
    static void refuse(ScriptTerminated.Reason what) {
        ScriptMeter meter = current();
        if (meter != null) {
            throw meter.killed == null ? meter.kill(what) : meter.killed;
        }
    }

    /** Counts {@code size} characters or elements that are about to be copied or compared, once each. */
    static void spend(int size) {
        if (size >= SIZE_A_STEP && Thread.currentThread() instanceof MeteredThread thread) {
            thread.fuel -= size / SIZE_A_STEP;
            tick();
        }
    }

    /** Replaces {@link System#currentTimeMillis()}; on a metered thread, the clock stands still. */
    public static long currentTimeMillis() {
        ScriptMeter meter = current();
        return meter == null ? System.currentTimeMillis() : meter.nowMillis;
    }
}
