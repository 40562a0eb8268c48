package dev.postern.console;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How somebody outside has served us lately: a provider, or a channel's service.
 *
 * @param name as the configuration calls it, or whoever asked for it
 * @param well what ended well
 * @param failed what did not
 */
record ServiceStatus(String name, long well, long failed, @Nullable Instant lastWell, @Nullable Instant lastFailed) {

    /** More than these nobody reads; whoever has a token may name as many as he likes. */
    private static final int MOST = 40;

    /**
     * So many have ended alike.
     *
     * @param last when the last of them did
     */
    record Tally(String name, boolean well, long count, Instant last) {}

    /**
     * Adds up what {@code tallies} say of each.
     *
     * @param configured are told of even where nothing has ended
     */
    static List<ServiceStatus> of(Collection<String> configured, List<Tally> tallies) {
        Map<String, ServiceStatus> byName = new LinkedHashMap<>();
        configured.forEach(name -> byName.put(name, new ServiceStatus(name, 0, 0, null, null)));
        for (Tally tally : tallies) {
            ServiceStatus before = byName.getOrDefault(tally.name(), new ServiceStatus(tally.name(), 0, 0, null, null));
            byName.put(tally.name(), before.with(tally));
        }
        List<ServiceStatus> all = new ArrayList<>(byName.values());
        return all.subList(0, Math.min(MOST, all.size()));
    }

    /** {@code down} where what ended last has failed, {@code up} where it ended well; {@code unknown} where nothing ended. */
    @JsonProperty
    String state() {
        if (lastFailed == null) {
            return lastWell == null ? "unknown" : "up";
        }
        return lastWell == null || lastFailed.isAfter(lastWell) ? "down" : "up";
    }

    private ServiceStatus with(Tally tally) {
        return tally.well()
                ? new ServiceStatus(name, well + tally.count(), failed, later(lastWell, tally.last()), lastFailed)
                : new ServiceStatus(name, well, failed + tally.count(), lastWell, later(lastFailed, tally.last()));
    }

    private static Instant later(@Nullable Instant one, Instant other) {
        return one == null || other.isAfter(one) ? other : one;
    }
}
