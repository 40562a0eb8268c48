package dev.postern.console;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The recent status of an external service: of a model provider, or of a channel's service.
 *
 * @param name the name in the configuration
 * @param succeeded the number of runs or deliveries that succeeded
 * @param failed the number of runs or deliveries that failed
 * @param lastSuccess the end of the latest that succeeded; null where none did
 * @param lastFailure the end of the latest that failed; null where none did
 */
record ServiceStatus(
        String name, long succeeded, long failed, @Nullable Instant lastSuccess, @Nullable Instant lastFailure) {

    /**
     * A count of runs or deliveries that ended in the same way.
     *
     * @param name the service's name
     * @param succeeded whether they succeeded
     * @param last the end of the latest
     */
    record Tally(String name, boolean succeeded, long count, Instant last) {}

    /**
     * Adds up {@code tallies} by service. Tallies of services that are not configured are left out: a sender may name any
     * number of them.
     *
     * @param configured the names of the services, which are included even without a tally
     */
    static List<ServiceStatus> of(Collection<String> configured, List<Tally> tallies) {
        Map<String, ServiceStatus> byName = new LinkedHashMap<>();
        configured.forEach(name -> byName.put(name, new ServiceStatus(name, 0, 0, null, null)));
        for (Tally tally : tallies) {
            byName.computeIfPresent(tally.name(), (name, before) -> before.with(tally));
        }
        return List.copyOf(byName.values());
    }

    /** {@code down} if the latest end is a failure, {@code up} if it is a success, {@code unknown} if nothing has ended. */
    @JsonProperty
    String status() {
        if (lastFailure == null) {
            return lastSuccess == null ? "unknown" : "up";
        }
        return lastSuccess == null || lastFailure.isAfter(lastSuccess) ? "down" : "up";
    }

    private ServiceStatus with(Tally tally) {
        return tally.succeeded()
                ? new ServiceStatus(
                        name, succeeded + tally.count(), failed, later(lastSuccess, tally.last()), lastFailure)
                : new ServiceStatus(
                        name, succeeded, failed + tally.count(), lastSuccess, later(lastFailure, tally.last()));
    }

    private static Instant later(@Nullable Instant one, Instant other) {
        return one == null || other.isAfter(one) ? other : one;
    }
}
