package dev.postern.access;

import dev.postern.access.SignatureResult.Invalid;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/**
 * The allowed distance between a sender's timestamp and now.
 *
 * @param time the current time
 * @param tolerance the maximum distance into the past or the future, inclusive
 */
record TimestampTolerance(InstantSource time, Duration tolerance) {

    private static final int MAX_DIGITS = 12;

    /**
     * The error of a timestamp that is not whole seconds since 1970, in ASCII digits only, or not within the tolerance;
     * null if it is both.
     */
    @Nullable
    Invalid error(String seconds) {
        if (seconds.isEmpty() || seconds.length() > MAX_DIGITS || !isDigits(seconds)) {
            return Invalid.malformed("The timestamp is not whole seconds since 1970.");
        }
        return error(Instant.ofEpochSecond(Long.parseLong(seconds)));
    }

    /** The error of a {@code moment} that is not within the tolerance; null if it is. */
    @Nullable
    Invalid error(Instant moment) {
        Duration age = Duration.between(moment, time.instant());
        if (age.abs().compareTo(tolerance) <= 0) {
            return null;
        }
        return new Invalid(
                SignatureError.TIMESTAMP,
                "The timestamp is " + age.abs().toSeconds() + " s in the " + (age.isNegative() ? "future" : "past")
                        + "; at most " + tolerance.toSeconds() + " s are allowed.");
    }

    private static boolean isDigits(String text) {
        return text.chars().allMatch(c -> c >= '0' && c <= '9');
    }
}
