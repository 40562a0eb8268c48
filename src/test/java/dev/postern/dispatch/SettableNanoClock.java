package dev.postern.dispatch;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** A clock that a test moves, for durations and for wall time. */
final class SettableNanoClock implements InstantSource {

    private volatile Instant now = Instant.parse("2026-11-21T12:00:00Z");
    private volatile long nanos = Long.MAX_VALUE;

    @Override
    public Instant instant() {
        return now;
    }

    /** As {@link System#nanoTime}. */
    long nanos() {
        return nanos;
    }

    void set(String moment) {
        advance(Duration.between(now, Instant.parse(moment)));
    }

    synchronized void advance(Duration by) {
        now = now.plus(by);
        nanos += by.toNanos();
    }

    /** Sets the wall clock, while no time passes. */
    synchronized void jump(Duration by) {
        now = now.plus(by);
    }
}
