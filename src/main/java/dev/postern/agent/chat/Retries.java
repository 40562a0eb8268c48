package dev.postern.agent.chat;

import java.net.http.HttpHeaders;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Optional;

/**
 * When a request that a provider could not answer is sent again: after 408, 429, any 5xx but 501, and when there was no
 * answer at all.
 *
 * @param clock for a {@code Retry-After} that is a date
 * @param firstPause before the second try, doubled before each further one, where the provider names no time
 */
record Retries(InstantSource clock, Duration firstPause) {

    /** So often a request is sent at most. */
    static final int MOST_TRIES = 5;

    private static final int MOST_DIGITS = 9;

    /** True where another try may have an answer of another {@code status}. */
    static boolean mayHelp(int status) {
        return status == 408 || status == 429 || (status >= 500 && status != 501);
    }

    /** The pause after so many {@code tries}, for a provider that names no time. */
    Duration pauseAfter(int tries) {
        return firstPause.multipliedBy(1L << (tries - 1));
    }

    /**
     * How long the provider wants to be left alone: {@code retry-after-ms}, else {@code Retry-After} in seconds or as a date
     * (RFC 9110, 10.2.3). Empty where it says nothing, or nothing that can be read.
     */
    Optional<Duration> asked(HttpHeaders headers) {
        return headers.firstValue("retry-after-ms")
                .flatMap(Retries::number)
                .map(Duration::ofMillis)
                .or(() -> headers.firstValue("retry-after").flatMap(this::secondsOrDate));
    }

    private Optional<Duration> secondsOrDate(String value) {
        return number(value).map(Duration::ofSeconds).or(() -> until(value.strip()));
    }

    private static Optional<Long> number(String value) {
        String digits = value.strip();
        return digits.length() <= MOST_DIGITS && digits.matches("[0-9]+")
                ? Optional.of(Long.valueOf(digits))
                : Optional.empty();
    }

    private Optional<Duration> until(String date) {
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
