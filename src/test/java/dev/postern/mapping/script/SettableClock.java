package dev.postern.mapping.script;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** A clock that stands still until a test moves it. */
final class SettableClock implements InstantSource {

    private volatile Instant now = Instant.parse("2026-11-20T12:00:00Z");

    @Override
    public Instant instant() {
        return now;
    }

    void advance(Duration by) {
        now = now.plus(by);
    }
}
