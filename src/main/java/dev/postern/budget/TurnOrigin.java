package dev.postern.budget;

import org.jspecify.annotations.Nullable;

/**
 * An origin of a turn.
 *
 * @param hook the path of the hook that the run came by; null for a heartbeat
 * @param sender the sender whose own token admitted the request; null for any other credential, and for a heartbeat
 * @param agent the id of the agent that takes the turn, which is configured
 */
public record TurnOrigin(@Nullable String hook, @Nullable String sender, String agent) {

    /** The origin of a heartbeat of {@code agent}. */
    public static TurnOrigin heartbeat(String agent) {
        return new TurnOrigin(null, null, agent);
    }
}
