package dev.postern.acceptance;

import java.util.Map;

/**
 * The limits of accepted and unfinished actions at one time. A request that would pass one of them is refused.
 *
 * @param total the most of all requests
 * @param ofSenders the most of each sender that has a limit of its own, by its id
 * @param ofMappings the most of each mapping that has a limit of its own, by its id
 */
public record PendingLimits(int total, Map<String, Integer> ofSenders, Map<String, Integer> ofMappings) {

    public PendingLimits {
        ofSenders = Map.copyOf(ofSenders);
        ofMappings = Map.copyOf(ofMappings);
    }

    /** The limits without one of a sender or mapping. */
    public static PendingLimits of(int total) {
        return new PendingLimits(total, Map.of(), Map.of());
    }
}
