package dev.postern.heartbeat;

import dev.postern.net.Backoff;
import dev.postern.net.RetryAfter;
import java.time.Duration;
import java.time.Instant;

/**
 * The retry rule for failed heartbeats: after 10 s, and twice as long after each further failure, up to 10 min. A provider may
 * ask for a longer pause, up to {@link RetryAfter#LONGEST}.
 */
public final class HeartbeatRetryRule {

    /** The pause after a failure in which no heartbeat begins, even if requested. */
    public static final Duration SHORTEST = Duration.ofSeconds(10);

    private static final Backoff BACKOFF = new Backoff(SHORTEST, Duration.ofMinutes(10));

    private HeartbeatRetryRule() {}

    /**
     * The pause after a failure that follows {@code before} other failures in a row.
     *
     * @param asked the pause that the provider asks for; zero if it asks for none
     */
    public static Duration pause(int before, Duration asked) {
        Duration own = pause(before);
        Duration bounded = RetryAfter.bounded(asked);
        return own.compareTo(bounded) < 0 ? bounded : own;
    }

    private static Duration pause(int before) {
        return BACKOFF.after(before + 1);
    }

    /**
     * The earliest time at which the schedule may begin another heartbeat.
     *
     * @param notBefore the end of the {@link #SHORTEST} pause after the last failure
     * @param failures the number of failures in a row, at least one
     */
    public static Instant retryAt(Instant notBefore, int failures) {
        return notBefore.minus(SHORTEST).plus(pause(failures - 1));
    }
}
