package dev.postern.http;

import java.time.Duration;
import java.util.function.LongSupplier;

/** Tells news from a log line that has just been written: a busy sender's fault need not be said at each of its requests. */
final class Repeats {

    private static final Duration SILENCE = Duration.ofMinutes(1);

    private final LongSupplier nanoTime;
    private String last = "";
    private long saidAt;

    /**
     * @param nanoTime as {@link System#nanoTime} is
     */
    Repeats(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /** False where {@code line} is the last one that was news, and that less than a minute ago. */
    synchronized boolean isNews(String line) {
        long now = nanoTime.getAsLong();
        if (line.equals(last) && now - saidAt < SILENCE.toNanos()) {
            return false;
        }
        last = line;
        saidAt = now;
        return true;
    }
}
