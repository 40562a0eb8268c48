package dev.postern.net;

import java.time.Duration;

/**
 * A rule for the pauses between attempts, which double with each failure.
 *
 * @param first the pause after one failure
 * @param longest the longest pause
 */
public record Backoff(Duration first, Duration longest) {

    private static final int MOST_DOUBLINGS = 20;

    /**
     * As {@link #after(int)}, lengthened by up to a quarter, so that what failed together is not tried again together.
     *
     * @param random from 0 to 1; decides by how much
     */
    public Duration after(int failures, double random) {
        Duration pause = after(failures);
        return pause.plusNanos((long) (pause.toNanos() * random / 4));
    }

    /** The pause after this number of consecutive failures, at least one. */
    public Duration after(int failures) {
        Duration pause = first.multipliedBy(1L << Math.min(failures - 1, MOST_DOUBLINGS));
        return pause.compareTo(longest) < 0 ? pause : longest;
    }
}
