package dev.postern.ingress;

import dev.postern.model.NothingReason;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * The counts of requests that asked for nothing because a Postern had caused their events. It also knows which mappings
 * another Postern reaches: the log says so once, until none of its events has come for an hour.
 */
public final class SkippedRequests {

    private static final System.Logger LOG = System.getLogger(SkippedRequests.class.getName());

    /** The time after which events of another Postern no longer count as recent. */
    private static final Duration RECENT = Duration.ofHours(1);

    private final InstantSource clock;
    private final Map<NothingReason, LongAdder> counts = new EnumMap<>(NothingReason.class);
    /** One entry at most for each mapping of the configuration. */
    private final Map<String, OtherPostern> others = new TreeMap<>();

    /** Counts nothing yet. */
    public SkippedRequests(InstantSource clock) {
        this.clock = clock;
        for (NothingReason reason : NothingReason.values()) {
            counts.put(reason, new LongAdder());
        }
    }

    /**
     * Another Postern whose events a mapping receives.
     *
     * @param mapping the id of the mapping
     * @param count the number of its events that were skipped, from {@code first} to {@code last}
     */
    public record OtherPostern(String mapping, long count, Instant first, Instant last) {}

    /** The number of requests so far that were skipped for {@code reason}. */
    public long count(NothingReason reason) {
        LongAdder count = counts.get(reason);
        return count == null ? 0 : count.sum();
    }

    /** The mappings that have received an event of another Postern within the last hour, on this node. */
    public synchronized List<OtherPostern> others() {
        Instant oldest = clock.instant().minus(RECENT);
        List<OtherPostern> recent = new ArrayList<>(others.values());
        recent.removeIf(other -> other.last().isBefore(oldest));
        return recent;
    }

    void add(String mapping, NothingReason reason) {
        LongAdder count = counts.get(reason);
        if (count != null) {
            count.increment();
        }
        if (reason == NothingReason.OTHER_POSTERN && isFirst(mapping)) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "Mapping [" + mapping + "] receives what another Postern has written, and does nothing for it."
                            + " Let one of the two answer there.");
        }
    }

    private synchronized boolean isFirst(String mapping) {
        Instant now = clock.instant();
        OtherPostern known = others.get(mapping);
        if (known != null && !known.last().isBefore(now.minus(RECENT))) {
            others.put(mapping, new OtherPostern(mapping, known.count() + 1, known.first(), now));
            return false;
        }
        others.put(mapping, new OtherPostern(mapping, 1, now, now));
        return true;
    }
}
