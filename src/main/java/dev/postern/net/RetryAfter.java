package dev.postern.net;

import java.net.http.HttpHeaders;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Optional;

/** The pause that a service asks for in the headers of a response. */
public final class RetryAfter {

    /** The longest pause that is kept to: a service's clock may be wrong, and its limit may be raised. */
    public static final Duration LONGEST = Duration.ofHours(1);

    private static final int MOST_DIGITS = 9;

    private RetryAfter() {}

    /**
     * The pause in {@code retry-after-ms}, else in {@code Retry-After} in seconds or as a date (RFC 9110, 10.2.3). Empty if
     * the headers name none, or none that can be read.
     *
     * @param clock for a date
     */
    public static Optional<Duration> in(HttpHeaders headers, InstantSource clock) {
        return headers.firstValue("retry-after-ms")
                .flatMap(RetryAfter::number)
                .map(Duration::ofMillis)
                .or(() -> headers.firstValue("retry-after").flatMap(value -> secondsOrDate(value, clock)));
    }

    /** The pause that a service has {@code asked} for, up to {@link #LONGEST}. */
    public static Duration bounded(Duration asked) {
        return asked.compareTo(LONGEST) < 0 ? asked : LONGEST;
    }

    private static Optional<Duration> secondsOrDate(String value, InstantSource clock) {
        return number(value).map(Duration::ofSeconds).or(() -> until(value.strip(), clock));
    }

    private static Optional<Long> number(String value) {
        String digits = value.strip();
        return digits.length() <= MOST_DIGITS && digits.matches("[0-9]+")
                ? Optional.of(Long.valueOf(digits))
                : Optional.empty();
    }

    private static Optional<Duration> until(String date, InstantSource clock) {
        try {
            Instant then = ZonedDateTime.parse(date, DateTimeFormatter.RFC_1123_DATE_TIME)
                    .toInstant();
            Duration pause = Duration.between(clock.instant(), then);
            return Optional.of(pause.isNegative() ? Duration.ZERO : pause);
        } catch (DateTimeException unreadable) {
            return Optional.empty();
        }
    }
}
