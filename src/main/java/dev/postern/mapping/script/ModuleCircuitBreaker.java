package dev.postern.mapping.script;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * A circuit breaker of one module. A module that is ended for using too much five times within a minute is switched off for
 * a minute.
 */
final class ModuleCircuitBreaker {

    static final int MOST = 5;
    static final Duration WITHIN = Duration.ofMinutes(1);
    static final Duration OFF = Duration.ofMinutes(1);

    private final Deque<Instant> recent = new ArrayDeque<>();

    private Instant offUntil = Instant.MIN;

    /** Records that the module was ended. Returns whether this has switched it off. */
    synchronized boolean recordTermination(Instant now) {
        recent.addLast(now);
        while (recent.getFirst().isBefore(now.minus(WITHIN))) {
            recent.removeFirst();
        }
        if (recent.size() < MOST || isOff(now)) {
            return false;
        }
        recent.clear();
        offUntil = now.plus(OFF);
        return true;
    }

    synchronized boolean isOff(Instant now) {
        return now.isBefore(offUntil);
    }

    /** The time until the module is on again, rounded up to whole seconds; zero if it is on. */
    synchronized Duration remaining(Instant now) {
        return isOff(now)
                ? Duration.ofSeconds(Duration.between(now, offUntil)
                        .plusSeconds(1)
                        .minusNanos(1)
                        .toSeconds())
                : Duration.ZERO;
    }

    /** Forgets what was recorded, because the module has changed. */
    synchronized void reset() {
        recent.clear();
        offUntil = Instant.MIN;
    }
}
