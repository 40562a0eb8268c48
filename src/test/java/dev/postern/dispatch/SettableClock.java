package dev.postern.dispatch;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** A time that goes on when a test says so, for durations and on the wall. */
final class SettableClock implements InstantSource {

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

    /** Sets the clock on the wall, while no time goes by. */
    synchronized void jump(Duration by) {
        now = now.plus(by);
    }
}
