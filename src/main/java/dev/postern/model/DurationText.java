package dev.postern.model;

import java.time.Duration;

/** A duration as text for people: {@code 500 ms}, {@code 10 s}, {@code 2 min}, {@code 6 h}. */
public final class DurationText {

    private static final long SECONDS_OF_MINUTE = 60;
    private static final long SECONDS_OF_HOUR = 3_600;

    private DurationText() {}

    /** {@code duration}, rounded, in the largest unit in which it is exactly 1 or at least 2. */
    public static String of(Duration duration) {
        if (duration.compareTo(Duration.ofSeconds(1)) < 0) {
            return duration.toMillis() + " ms";
        }
        long seconds = Math.round(duration.toMillis() / 1000.0);
        if (isCountedIn(SECONDS_OF_HOUR, seconds)) {
            return Math.round(seconds / (double) SECONDS_OF_HOUR) + " h";
        }
        return isCountedIn(SECONDS_OF_MINUTE, seconds)
                ? Math.round(seconds / (double) SECONDS_OF_MINUTE) + " min"
                : seconds + " s";
    }

    private static boolean isCountedIn(long unit, long seconds) {
        return seconds >= 2 * unit || seconds == unit;
    }
}
