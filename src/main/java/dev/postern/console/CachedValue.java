package dev.postern.console;

import java.time.Duration;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The answer to a question that many ask, and that is asked again when the answer has become old. Who asks while somebody looks
 * waits for what is found.
 */
final class CachedValue<T> {

    private final Supplier<T> question;
    private final Duration fresh;
    private final LongSupplier nanos;
    private @Nullable T answer;
    private long answeredAt;

    /**
     * @param fresh how long an answer holds
     * @param nanos as {@link System#nanoTime}
     */
    CachedValue(Supplier<T> question, Duration fresh, LongSupplier nanos) {
        this.question = question;
        this.fresh = fresh;
        this.nanos = nanos;
    }

    synchronized T get() {
        T known = answer;
        if (known == null || nanos.getAsLong() - answeredAt >= fresh.toNanos()) {
            known = question.get();
            answer = known;
            answeredAt = nanos.getAsLong();
        }
        return known;
    }
}
