package dev.postern.agent;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * A cancellation of one turn from outside: at its deadline, or earlier if it is interrupted, cancelled or no longer held by
 * its node. The first cause decides the turn's result. A backend either polls {@link #isRequested()} or waits for
 * {@link #outcome()}. For the second, the caller that started the turn calls
 * {@code isRequested()} at least every second.
 */
public final class TurnCancellation {

    private final LongSupplier nanos;
    private final long deadline;
    private final Supplier<Optional<String>> lostReason;
    private final CompletableFuture<TurnResult> outcome = new CompletableFuture<>();

    /**
     * Creates the cancellation of a turn that begins now and may take {@code timeout}.
     *
     * @param nanos as {@link System#nanoTime}
     */
    public TurnCancellation(LongSupplier nanos, Duration timeout) {
        this(nanos, timeout, Optional::empty);
    }

    /**
     * Creates the cancellation of a turn that begins now and may take {@code timeout}, unless it is lost before.
     *
     * @param nanos as {@link System#nanoTime}
     * @param lost the reason why the turn must not go on, or empty; is called often, on any thread, and must be short
     */
    public TurnCancellation(LongSupplier nanos, Duration timeout, Supplier<Optional<String>> lost) {
        this.nanos = nanos;
        this.deadline = nanos.getAsLong() + timeout.toNanos();
        this.lostReason = lost;
    }

    /** Ends the turn before its deadline because of {@code reason}; it may be taken again. */
    public void interrupt(String reason) {
        outcome.complete(new TurnResult.Interrupted(reason));
    }

    /** Ends the turn before its deadline and for good; {@code sentence} says on whose request. */
    public void cancel(String sentence) {
        outcome.complete(new TurnResult.Cancelled(sentence));
    }

    /** Whether the turn has to end. */
    public boolean isRequested() {
        if (!outcome.isDone()) {
            lostReason.get().ifPresent(this::interrupt);
            if (nanos.getAsLong() - deadline >= 0) {
                outcome.complete(new TurnResult.TimedOut());
            }
        }
        return outcome.isDone();
    }

    /** The time that the turn may still take; zero once it has to end. */
    public Duration remaining() {
        return isRequested() ? Duration.ZERO : Duration.ofNanos(Math.max(0, deadline - nanos.getAsLong()));
    }

    /** A future that completes with the turn's result when the turn has to end. Its dependents must be short. */
    public CompletableFuture<TurnResult> outcome() {
        return outcome.copy();
    }
}
