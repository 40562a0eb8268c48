package dev.postern.access;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/**
 * Says whether a sender's timestamp is near enough to now.
 *
 * @param tolerance how far it may lie in the past or in the future, itself included
 */
record TimestampTolerance(InstantSource time, Duration tolerance) {

    private static final int MAX_DIGITS = 12;

    /** Whether {@code seconds} is a time since 1970 in whole seconds, ASCII digits alone, within the tolerance. */
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
