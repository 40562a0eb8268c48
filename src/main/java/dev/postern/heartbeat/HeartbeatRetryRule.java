package dev.postern.heartbeat;

import dev.postern.net.Backoff;
import java.time.Duration;
import java.time.Instant;

/** When a heartbeat that failed is tried again: after 10 s, and twice as long after each further failure, up to 10 min. */
public final class HeartbeatRetryRule {

    /** So soon after a failure none is begun, even if it is asked for. */
    public static final Duration SHORTEST = Duration.ofSeconds(10);

    private static final Backoff BACKOFF = new Backoff(SHORTEST, Duration.ofMinutes(10));

    private HeartbeatRetryRule() {}

    /** How long to wait after one failure, {@code before} others having gone before it in a row. */
    public static Duration pause(int before) {
        return BACKOFF.after(before + 1);
    }

    /**
     * When the schedule may begin another.
     *
     * @param notBefore the end of the {@link #SHORTEST} pause after the last failure
     * @param failures how many have failed in a row, at least one
     */
    public static Instant retryAt(Instant notBefore, int failures) {
        return notBefore.minus(SHORTEST).plus(pause(failures - 1));
    }
}
