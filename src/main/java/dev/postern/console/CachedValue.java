package dev.postern.console;

import java.time.Duration;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A value that is computed again when it has become too old. A thread that asks for it meanwhile waits for the new value.
 */
final class CachedValue<T> {

    private final Supplier<T> question;
    private final Duration fresh;
    private final LongSupplier nanos;
    private @Nullable T answer;
    private long askedAt;
    private long answeredAt;

    /**
     * @param fresh the age from which the value is computed again
     * @param nanos as {@link System#nanoTime}
     */
    CachedValue(Supplier<T> question, Duration fresh, LongSupplier nanos) {
        this.question = question;
        this.fresh = fresh;
        this.nanos = nanos;
    }

    synchronized T get() {
        T known = answer;
        return known == null || nanos.getAsLong() - answeredAt >= fresh.toNanos() ? computed() : known;
    }

    /**
     * A value whose computation begins after this call. Callers that wait for a computation to end share the next one, so that
     * one at a time is under way.
     */
    T getNew() {
        long calledAt = nanos.getAsLong();
        synchronized (this) {
            T known = answer;
            return known == null || askedAt - calledAt <= 0 ? computed() : known;
        }
    }

    private T computed() {
        askedAt = nanos.getAsLong();
        T known = question.get();
        answer = known;
        answeredAt = nanos.getAsLong();
        return known;
    }
}
