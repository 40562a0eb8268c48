package dev.postern.dispatch;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** A time that goes on when a test says so. */
final class SettableClock implements InstantSource {

    private volatile Instant now = Instant.parse("2026-11-21T12:00:00Z");

    @Override
    public Instant instant() {
        return now;
    }

    void set(String moment) {
        now = Instant.parse(moment);
    }

    synchronized void advance(Duration by) {
        now = now.plus(by);
    }
}
