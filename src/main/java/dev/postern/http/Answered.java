package dev.postern.http;

import dev.postern.model.Receipt;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;

/** Counts the answers that were sent, by their code. */
public final class Answered {

    private final Map<ErrorCode, LongAdder> refused = new EnumMap<>(ErrorCode.class);
    private final LongAdder wakes = new LongAdder();
    private final LongAdder turns = new LongAdder();

    /** Counts from zero. */
    public Answered() {
        for (ErrorCode code : ErrorCode.values()) {
            refused.put(code, new LongAdder());
        }
    }

    void refused(Refusal refusal) {
        refused(refusal.code());
    }

    void refused(ErrorCode code) {
        count(code).increment();
    }

    void accepted(Receipt receipt) {
        (receipt instanceof Receipt.Event ? wakes : turns).increment();
    }

    /** Answers with {@code code} so far. */
    public long refusals(ErrorCode code) {
        return count(code).sum();
    }

    /** Wakes answered 200 so far, repeats of an idempotency key not counted. */
    public long wakes() {
        return wakes.sum();
    }

    /** Agent turns answered 200 or 202 so far, repeats of an idempotency key not counted. */
    public long turns() {
        return turns.sum();
    }

    private LongAdder count(ErrorCode code) {
        return Objects.requireNonNull(refused.get(code));
    }
}
