package dev.postern.model;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * An action that policy has allowed, with every open choice made. Only policy creates these and acceptance takes nothing
 * else. So an action that was not judged can't be stored.
 */
public sealed interface AllowedAction {

    /** The origin of the text. */
    Provenance provenance();

    /**
     * An event for the main session of an agent.
     *
     * @param agentId the id of the agent, which is configured
     * @param text not blank
     */
    record Wake(String agentId, String text, WakeMode mode, Provenance provenance) implements AllowedAction {}

    /**
     * A delivery of a text as it is, without an agent.
     *
     * @param text not blank
     * @param recipient the recipient, which names its channel
     */
    record DirectDelivery(String text, Recipient recipient, Provenance provenance) implements AllowedAction {}

    /**
     * An agent turn.
     *
     * @param agentId the id of the agent that will act, which is configured
     * @param recipient the recipient of the reply, used if {@code deliver} is true
     * @param model the resolved {@code <provider>/<model>}
     * @param thinking the thinking level; null if neither request nor configuration names one
     * @param timeout the longest time that the turn may take
     * @param operatorInstructions the additions of the mapping; {@link OperatorInstructions#NONE} without a mapping
     */
    record Turn(
            String agentId,
            SessionKey sessionKey,
            String message,
            String name,
            WakeMode wakeMode,
            boolean deliver,
            Recipient recipient,
            String model,
            @Nullable String thinking,
            Duration timeout,
            Provenance provenance,
            OperatorInstructions operatorInstructions)
            implements AllowedAction {}
}
