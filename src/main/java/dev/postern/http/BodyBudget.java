package dev.postern.http;

import java.util.concurrent.atomic.AtomicLong;

/**
 * How many bytes bodies of one kind may hold at one time. A quarter of it is kept for those that hold little, so that few
 * large ones can't keep out the small ones, which most are. Safe for use by many threads.
 */
final class BodyBudget {

    private final long bytes;
    private final AtomicLong held = new AtomicLong();

    /** A budget of {@code bytes}, none of which is held. */
    BodyBudget(long bytes) {
        this.bytes = bytes;
    }

    /**
     * Takes {@code more} bytes, to be given back; false, and nothing is taken, where there are not so many.
     *
     * @param isLittle whether the body that they are for is small, as far as it is here
     */
    boolean take(int more, boolean isLittle) {
        if (held.addAndGet(more) <= (isLittle ? bytes : bytes - bytes / 4)) {
            return true;
        }
        held.addAndGet(-more);
        return false;
    }

    void giveBack(int taken) {
        held.addAndGet(-taken);
    }
}
