package dev.postern.access;

import dev.postern.config.SenderSettings.Rate;

/**
 * A token bucket (GCRA, as in ITU-T I.371). It remembers one time only, that at which it will be full again. All times are
 * those of {@link System#nanoTime}. Thread-safe.
 */
final class TokenBucket {

    private final long perRequest;
    private final long capacity;
    private long fullAt;

    /** Creates a bucket that is full at {@code now}. */
    TokenBucket(Rate rate, long now) {
        this.perRequest = rate.window().toNanos() / rate.requests();
        this.capacity = perRequest * rate.requests();
        this.fullAt = now;
    }

    /** Takes a token if there is one, and returns 0; else the nanoseconds until there will be one. */
    synchronized long tryTake(long now) {
        long next = filling(now) + perRequest;
        long missing = next - now - capacity;
        if (missing > 0) {
            return missing;
        }
        fullAt = next;
        return 0;
    }

    /** Takes a token that was given out elsewhere at {@code at}, whether there is one or not. */
    synchronized void take(long at) {
        fullAt = filling(at) + perRequest;
    }

    /** Empties the bucket, as of {@code at}. */
    synchronized void empty(long at) {
        fullAt = at + capacity;
    }

    /** The number of tokens at {@code now}. */
    synchronized long tokens(long now) {
        return Math.max(0, (capacity - (filling(now) - now)) / perRequest);
    }

    private long filling(long now) {
        return fullAt - now > 0 ? fullAt : now;
    }
}
