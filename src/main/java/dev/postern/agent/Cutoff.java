package dev.postern.agent;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;

/**
 * Ends one turn from outside: at its deadline, or earlier when somebody interrupts it. What happens first decides how
 * the turn ended. A backend either asks {@link #reached()} again and again, or waits for {@link #outcome()}; for the
 * second, whoever started the turn calls {@code reached()} at least every second.
 */
public final class Cutoff {

    private final InstantSource clock;
    private final Instant deadline;
    private final CompletableFuture<TurnOutcome> outcome = new CompletableFuture<>();

    /** A turn that begins now and may take {@code timeout}. */
    public Cutoff(InstantSource clock, Duration timeout) {
        this.clock = clock;
        this.deadline = clock.instant().plus(timeout);
    }

    /** Ends the turn before its deadline, because of {@code reason}. */
    public void interrupt(String reason) {
        outcome.complete(new TurnOutcome.Interrupted(reason));
    }

    /** True once the turn has to end. */
    public boolean reached() {
        if (!outcome.isDone() && !clock.instant().isBefore(deadline)) {
            outcome.complete(new TurnOutcome.TimedOut());
        }
        return outcome.isDone();
    }

    /** Completes when the turn has to end, with the outcome that it then has. What depends on it must be short. */
    public CompletableFuture<TurnOutcome> outcome() {
        return outcome.copy();
    }

    /** What is left of the turn's time, zero at least. */
    public Duration remaining() {
        Duration left = Duration.between(clock.instant(), deadline);
        return left.isNegative() ? Duration.ZERO : left;
    }
}
