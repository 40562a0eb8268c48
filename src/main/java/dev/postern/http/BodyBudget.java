package dev.postern.http;

import java.util.concurrent.atomic.AtomicLong;

/** How many bytes bodies of one kind may hold at one time. Safe for use by many threads. */
final class BodyBudget {

    private final long bytes;
    private final AtomicLong held = new AtomicLong();

    /** A budget of {@code bytes}, none of which is held. */
    BodyBudget(long bytes) {
        this.bytes = bytes;
    }

    /** Takes {@code more} bytes, to be given back; false, and nothing is taken, where there are not so many. */
    boolean take(int more) {
        if (held.addAndGet(more) <= bytes) {
            return true;
        }
        held.addAndGet(-more);
        return false;
    }

    void giveBack(int taken) {
        held.addAndGet(-taken);
    }
}
