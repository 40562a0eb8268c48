package dev.postern.dispatch;

import dev.postern.acceptance.ClaimedRun;
import dev.postern.acceptance.ProviderWait;
import dev.postern.agent.TurnResult.Down;
import dev.postern.model.Excerpt;
import dev.postern.net.Backoff;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.DoubleSupplier;

/**
 * A schedule for the tries of a run whose provider, or the tool server of an approved call, is down: after 10 s, with pauses
 * that double up to 5 min, and none shorter than the provider asks for.
 *
 * @param retryFor the time from the first failed try to the last; zero for no further try
 * @param random from 0 to 1, for each pause
 */
record ProviderRetrySchedule(Duration retryFor, InstantSource clock, DoubleSupplier random) {

    private static final Backoff PAUSES = new Backoff(Duration.ofSeconds(10), Duration.ofMinutes(5));
    private static final int LONGEST_REASON = 500;

    /** The wait of a run after {@code down}; empty when its time is over. */
    Optional<ProviderWait> next(ClaimedRun.Retries before, Down down) {
        Instant now = clock.instant();
        Instant first = before.since();
        Instant since = first == null || first.isAfter(now) ? now : first;
        Instant last = since.plus(retryFor);
        if (!now.isBefore(last)) {
            return Optional.empty();
        }
        Duration own = PAUSES.after(before.count() + 1, random.getAsDouble());
        Instant next = now.plus(own.compareTo(down.pause()) < 0 ? down.pause() : own);
        return Optional.of(new ProviderWait(
                next.isBefore(last) ? next : last, since, Excerpt.of(down.sentence(), LONGEST_REASON)));
    }
}
