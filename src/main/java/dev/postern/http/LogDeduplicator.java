package dev.postern.http;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * A deduplicator of log lines: a line that was new less than a minute ago is not new again. A busy sender's error need
 * not be logged at each of its requests. It remembers the latest 100 lines that were new; a line that has dropped out
 * of them is new again.
 */
final class LogDeduplicator {

    private static final Duration SILENCE = Duration.ofMinutes(1);
    private static final int MAX_LINES = 100;

    private final LongSupplier nanoTime;
    /** The time at which each line was logged, the oldest first. */
    private final Map<String, Long> loggedAt = new LinkedHashMap<>();

    /** @param nanoTime a clock like {@link System#nanoTime} */
    LogDeduplicator(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /** Whether {@code line} is new and should be logged; false if it was new less than a minute ago. */
    synchronized boolean isNew(String line) {
        long now = nanoTime.getAsLong();
        loggedAt.values().removeIf(at -> now - at >= SILENCE.toNanos());
        if (loggedAt.putIfAbsent(line, now) != null) {
            return false;
        }
        if (loggedAt.size() > MAX_LINES) {
            loggedAt.remove(loggedAt.keySet().iterator().next());
        }
        return true;
    }
}
