package dev.postern.observe;

import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.LongSupplier;

/** How much of something was counted in each of the last sixty minutes. Safe for use by many threads. */
public final class LastHourCounter {

    private static final int MINUTES = 60;

    private final LongSupplier total;
    private final InstantSource clock;
    private final Deque<Minute> ended = new ArrayDeque<>();
    private long before;

    /**
     * One minute's count.
     *
     * @param at when it began
     */
    public record Minute(Instant at, long count) {}

    /**
     * Nothing counted yet.
     *
     * @param total counts, and never falls
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

    /** The minutes that have ended, the earliest first, and last the one that goes on. */
    public synchronized List<Minute> minutes() {
        List<Minute> minutes = new ArrayList<>(ended);
        minutes.add(new Minute(clock.instant(), total.getAsLong() - before));
        return minutes;
    }
}
