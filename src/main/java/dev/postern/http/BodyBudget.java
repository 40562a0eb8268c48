package dev.postern.http;

import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A budget of memory that all bodies in progress share. A quarter of it is reserved for bodies that hold little, so a
 * few large bodies can't block the many small ones. Thread-safe.
 */
public final class BodyBudget {

    private final long bytes;
    private final @Nullable BodyBudget whole;
    private final AtomicLong held = new AtomicLong();

    private BodyBudget(long bytes, @Nullable BodyBudget whole) {
        this.bytes = bytes;
        this.whole = whole;
    }

    /** Creates a budget of {@code bytes}, all of them free. */
    BodyBudget(long bytes) {
        this(bytes, null);
    }

    /** A budget of a quarter of the maximum heap. */
    public static BodyBudget ofHeap() {
        return new BodyBudget(Runtime.getRuntime().maxMemory() / 4);
    }

    /** A budget of half the size, whose bytes come out of this one, too. */
    BodyBudget half() {
        return new BodyBudget(bytes / 2, this);
    }

    /** The whole budget in bytes, free or not. */
    long bytes() {
        return bytes;
    }

    /** The maximum for one body, in bytes. */
    public long largest() {
        return bytes - bytes / 4;
    }

    /**
     * Takes {@code more} bytes, to be given back. False, without taking any, if fewer are free.
     *
     * @param isLittle whether the body that they are for is small, as far as it has arrived
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
