package dev.postern.observe;

import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.LongSupplier;

/** A counter that keeps the count of each of the last sixty minutes. Safe for use by many threads. */
public final class LastHourCounter {

    private static final int MINUTES = 60;

    private final LongSupplier total;
    private final InstantSource clock;
    private final Deque<Minute> ended = new ArrayDeque<>();
    private long before;

    /**
     * The count of one minute.
     *
     * @param at the start of the minute
     */
    public record Minute(Instant at, long count) {}

    /**
     * Creates a counter that has counted nothing.
     *
     * @param total the running total, which never falls
     */
    public LastHourCounter(LongSupplier total, InstantSource clock) {
        this.total = total;
        this.clock = clock;
        this.before = total.getAsLong();
    }

    /** Ends a minute; to be called once in each. */
    public synchronized void everyMinute() {
        long now = total.getAsLong();
        if (ended.size() == MINUTES) {
            ended.removeFirst();
        }
        ended.addLast(new Minute(clock.instant().minus(1, ChronoUnit.MINUTES), now - before));
        before = now;
    }

    /** The minutes that have ended, oldest first, followed by the current one. */
    public synchronized List<Minute> minutes() {
        List<Minute> minutes = new ArrayList<>(ended);
        minutes.add(new Minute(clock.instant(), total.getAsLong() - before));
        return minutes;
    }
}
