package dev.postern.mapping.script;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;

/** When a module was ended for using too much. Five times within a minute, and it is switched off for a minute. */
final class ModuleCircuitBreaker {

    static final int MOST = 5;
    static final Duration WITHIN = Duration.ofMinutes(1);
    static final Duration OFF = Duration.ofMinutes(1);

    private final Deque<Instant> recent = new ArrayDeque<>();

    private Instant offUntil = Instant.MIN;

    /** One more: true where it is this one that switches the module off. */
    synchronized boolean strike(Instant now) {
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

    /** The module has changed: what the one before did is no fault of it. */
    synchronized void forgive() {
        recent.clear();
        offUntil = Instant.MIN;
    }
}
