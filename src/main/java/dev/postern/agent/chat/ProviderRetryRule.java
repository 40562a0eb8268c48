package dev.postern.agent.chat;

import dev.postern.net.RetryAfter;
import java.net.http.HttpHeaders;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;

/**
 * When a request that a provider could not answer is sent again: after 408, 429, any 5xx but 501, and when there was no
 * answer at all.
 *
 * @param clock for a {@code Retry-After} that is a date
 * @param firstPause before the second try, doubled before each further one, where the provider names no time
 */
record ProviderRetryRule(InstantSource clock, Duration firstPause) {

    /** So often a request is sent at most. */
    static final int MOST_TRIES = 5;

    /** True where another try may have an answer of another {@code status}. */
    static boolean mayHelp(int status) {
        return status == 408 || status == 429 || (status >= 500 && status != 501);
    }

    /** The pause after so many {@code tries}, for a provider that names no time. */
    Duration pauseAfter(int tries) {
        return firstPause.multipliedBy(1L << (tries - 1));
    }

    /** How long the provider wants to be left alone. */
    Optional<Duration> asked(HttpHeaders headers) {
        return RetryAfter.in(headers, clock);
    }
}
