package dev.postern.http;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Tells news from log lines that have just been written: a busy sender's fault need not be said at each of its requests.
 * It remembers the latest 100 lines that were news; one that has dropped out of them is news again.
 */
final class LogDeduplicator {

    private static final Duration SILENCE = Duration.ofMinutes(1);
    private static final int MAX_LINES = 100;

    private final LongSupplier nanoTime;
    /** When each line was said, the oldest first. */
    private final Map<String, Long> said = new LinkedHashMap<>();

    /**
     * @param nanoTime as {@link System#nanoTime} is
     */
    LogDeduplicator(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /** False where {@code line} was news less than a minute ago. */
    synchronized boolean isNews(String line) {
        long now = nanoTime.getAsLong();
        said.values().removeIf(at -> now - at >= SILENCE.toNanos());
        if (said.putIfAbsent(line, now) != null) {
            return false;
        }
        if (said.size() > MAX_LINES) {
            said.remove(said.keySet().iterator().next());
        }
        return true;
    }
}
