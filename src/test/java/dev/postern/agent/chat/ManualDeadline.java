package dev.postern.agent.chat;

import dev.postern.agent.TurnCancellation;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/** The deadline of a turn, which comes when a test says so. */
final class ManualDeadline {

    private static final Duration TIME = Duration.ofMinutes(5);

    private final AtomicLong nanos = new AtomicLong();
    private final TurnCancellation turnCancellation = new TurnCancellation(nanos::get, TIME);

    TurnCancellation turnCancellation() {
        return turnCancellation;
    }

    void reach() {
        nanos.set(TIME.toNanos());
        var unused = turnCancellation.isRequested();
    }
}
