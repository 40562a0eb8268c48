package dev.postern.dispatch;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** A clock that a test moves, for durations and for wall time. */
final class SettableNanoClock implements InstantSource {

    private volatile Reading reading = new Reading(Instant.parse("2026-11-21T12:00:00Z"), Long.MAX_VALUE);

    /** Both clocks, which advance together. */
    private record Reading(Instant now, long nanos) {}

    @Override
    public Instant instant() {
        return reading.now();
    }

    /** As {@link System#nanoTime}. */
    long nanos() {
        return reading.nanos();
    }

    synchronized void set(String moment) {
        advance(Duration.between(reading.now(), Instant.parse(moment)));
    }

    synchronized void advance(Duration by) {
        reading = new Reading(reading.now().plus(by), reading.nanos() + by.toNanos());
    }

    /** Sets the wall clock, while no time passes. */
    synchronized void jump(Duration by) {
        reading = new Reading(reading.now().plus(by), reading.nanos());
    }
}
