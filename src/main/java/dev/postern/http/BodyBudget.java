package dev.postern.http;

import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * An amount of memory that the bodies under way share. A quarter of it is kept for those that hold little, so that few
 * large ones can't keep out the small ones, which most are. Safe for use by many threads.
 */
public final class BodyBudget {

    private final long bytes;
    private final @Nullable BodyBudget whole;
    private final AtomicLong held = new AtomicLong();

    private BodyBudget(long bytes, @Nullable BodyBudget whole) {
        this.bytes = bytes;
        this.whole = whole;
    }

    /** A budget of {@code bytes}, none of which is held. */
    BodyBudget(long bytes) {
        this(bytes, null);
    }

    /** A budget of a quarter of the heap that this process may grow to. */
    public static BodyBudget ofHeap() {
        return new BodyBudget(Runtime.getRuntime().maxMemory() / 4);
    }

    /** A budget of half the size whose bytes come out of this one, too. */
    BodyBudget half() {
        return new BodyBudget(bytes / 2, this);
    }

    /** All of it. */
    long bytes() {
        return bytes;
    }

    /** The most that one body may hold, in bytes. */
    public long largest() {
        return bytes - bytes / 4;
    }

    /**
     * Takes {@code more} bytes, to be given back; false, and nothing is taken, where there are not so many.
     *
     * @param isLittle whether the body that they are for is small, as far as it is here
     */
    boolean take(int more, boolean isLittle) {
        boolean fits = held.addAndGet(more) <= (isLittle ? bytes : largest());
        if (fits && (whole == null || whole.take(more, isLittle))) {
            return true;
        }
        held.addAndGet(-more);
        return false;
    }

    void giveBack(int taken) {
        held.addAndGet(-taken);
        if (whole != null) {
            whole.giveBack(taken);
        }
    }
}
