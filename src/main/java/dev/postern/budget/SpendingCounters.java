package dev.postern.budget;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;

/** The counters of what the turns of this process have spent since its start. Safe for use by many threads. */
public final class SpendingCounters {

    private final Map<SpendingKey, SpendingAmount> sums = new LinkedHashMap<>();
    private Consumer<SpendingKey> listener = key -> {};

    /** Calls {@code listener} once for each key, as soon as something is spent under it. */
    public synchronized void onKey(Consumer<SpendingKey> listener) {
        this.listener = listener;
        sums.keySet().forEach(listener);
    }

    /** The sum of {@code key}; nothing if there is none. */
    public synchronized SpendingAmount sum(SpendingKey key) {
        return Objects.requireNonNullElse(sums.get(key), SpendingAmount.NONE);
    }

    synchronized void add(SpendingKey key, SpendingAmount spent) {
        boolean first = !sums.containsKey(key);
        sums.merge(key, spent, SpendingAmount::plus);
        if (first) {
            listener.accept(key);
        }
    }
}
