package dev.postern.agent.chat;

import dev.postern.net.RetryAfter;
import java.net.http.HttpHeaders;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;

/**
 * A rule for sending a failed request to a provider again: after 408, 429, any 5xx but 501, and after no response at all.
 *
 * @param clock for a {@code Retry-After} that is a date
 * @param firstPause the pause before the second try, doubled before each further one, if the provider names none
 */
record ProviderRetryRule(InstantSource clock, Duration firstPause) {

    /** The most tries of one request. */
    static final int MOST_TRIES = 5;

    /** Whether another try may get another {@code status}. */
    static boolean mayHelp(int status) {
        return status == 408 || status == 429 || (status >= 500 && status != 501);
    }

    /**
     * The pause after this number of {@code tries}. The first one may be as short as the provider asks, since rate limits are.
     * A later one is at least the own pause of the try before.
     *
     * @param asked the pause that the provider asks for
     */
    Duration pause(int tries, Optional<Duration> asked) {
        Duration least = tries == 1 ? Duration.ZERO : ownPause(tries - 1);
        return asked.map(pause -> pause.compareTo(least) < 0 ? least : pause).orElse(ownPause(tries));
    }

    /** The pause after this number of {@code tries}, if the provider names none. */
    private Duration ownPause(int tries) {
        return firstPause.multipliedBy(1L << (tries - 1));
    }

    /** The pause that the provider asks for. */
    Optional<Duration> requestedPause(HttpHeaders headers) {
        return RetryAfter.in(headers, clock);
    }
}
