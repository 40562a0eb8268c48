package dev.postern.budget;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** The counters of what the turns of this process have spent since its start. Safe for use by many threads. */
public final class SpendingCounters {

    private final Map<SpendingKey, SpendingAmount> sums = new LinkedHashMap<>();

    /** The keys under which something was spent. */
    public synchronized Set<SpendingKey> keys() {
        return Set.copyOf(sums.keySet());
    }

    /** The sum of {@code key}; nothing if there is none. */
    public synchronized SpendingAmount sum(SpendingKey key) {
        return Objects.requireNonNullElse(sums.get(key), SpendingAmount.NONE);
    }

    synchronized void add(SpendingKey key, SpendingAmount spent) {
        sums.merge(key, spent, SpendingAmount::plus);
    }
}
