package dev.postern.access;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/**
 * The allowed distance between a sender's timestamp and now.
 *
 * @param time the current time
 * @param tolerance the maximum distance into the past or the future, inclusive
 */
record TimestampTolerance(InstantSource time, Duration tolerance) {

    private static final int MAX_DIGITS = 12;

    /** Whether {@code seconds} is whole seconds since 1970, in ASCII digits only, and within the tolerance. */
    boolean covers(String seconds) {
        if (seconds.isEmpty() || seconds.length() > MAX_DIGITS || !isDigits(seconds)) {
            return false;
        }
        return covers(Instant.ofEpochSecond(Long.parseLong(seconds)));
    }

    /** Whether {@code moment} is within the tolerance. */
    boolean covers(Instant moment) {
        return Duration.between(moment, time.instant()).abs().compareTo(tolerance) <= 0;
    }

    private static boolean isDigits(String text) {
        return text.chars().allMatch(c -> c >= '0' && c <= '9');
    }
}
