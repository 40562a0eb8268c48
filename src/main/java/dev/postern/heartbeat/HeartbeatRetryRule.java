package dev.postern.heartbeat;

import dev.postern.net.Backoff;
import java.time.Duration;
import java.time.Instant;

/** The retry rule for failed heartbeats: after 10 s, and twice as long after each further failure, up to 10 min. */
public final class HeartbeatRetryRule {

    /** The pause after a failure in which no heartbeat begins, even if requested. */
    public static final Duration SHORTEST = Duration.ofSeconds(10);

    private static final Backoff BACKOFF = new Backoff(SHORTEST, Duration.ofMinutes(10));

    private HeartbeatRetryRule() {}

    /** The pause after a failure that follows {@code before} other failures in a row. */
    public static Duration pause(int before) {
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
