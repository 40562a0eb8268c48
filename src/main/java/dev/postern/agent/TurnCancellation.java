package dev.postern.agent;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Ends one turn from outside: at its deadline, or earlier when somebody interrupts or cancels it or it is no longer its taker's. What
 * happens first decides how the turn ended. A backend either asks {@link #reached()} again and again, or waits for {@link #outcome()}; for the
 * second, whoever started the turn calls {@code reached()} at least every second.
 */
public final class TurnCancellation {

    private final LongSupplier nanos;
    private final long deadline;
    private final Supplier<Optional<String>> lost;
    private final CompletableFuture<TurnResult> outcome = new CompletableFuture<>();

    /**
     * A turn that begins now and may take {@code timeout}.
     *
     * @param nanos as {@link System#nanoTime}
     */
    public TurnCancellation(LongSupplier nanos, Duration timeout) {
        this(nanos, timeout, Optional::empty);
    }

    /**
     * A turn that begins now and may take {@code timeout}, as long as it is not lost.
     *
     * @param nanos as {@link System#nanoTime}
     * @param lost why the turn must not go on, or nothing; is asked often, on any thread, and must be short
     */
    public TurnCancellation(LongSupplier nanos, Duration timeout, Supplier<Optional<String>> lost) {
        this.nanos = nanos;
        this.deadline = nanos.getAsLong() + timeout.toNanos();
        this.lost = lost;
    }

    /** Ends the turn before its deadline, because of {@code reason}. */
    public void interrupt(String reason) {
        outcome.complete(new TurnResult.Interrupted(reason));
    }

    /** Ends the turn before its deadline and for good, since somebody wants that, as {@code sentence} says. */
    public void cancel(String sentence) {
        outcome.complete(new TurnResult.Cancelled(sentence));
    }

    /** True once the turn has to end. */
    public boolean reached() {
        if (!outcome.isDone()) {
            lost.get().ifPresent(this::interrupt);
            if (nanos.getAsLong() - deadline >= 0) {
                outcome.complete(new TurnResult.TimedOut());
            }
        }
        return outcome.isDone();
    }

    /** How long the turn may still take; zero once it has to end. */
    public Duration remaining() {
        return reached() ? Duration.ZERO : Duration.ofNanos(Math.max(0, deadline - nanos.getAsLong()));
    }

    /** Completes when the turn has to end, with the outcome that it then has. What depends on it must be short. */
    public CompletableFuture<TurnResult> outcome() {
        return outcome.copy();
    }
}
