package dev.postern.model;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * An action that policy has let through, with every open choice made. Only policy makes these, and acceptance takes
 * nothing else, so an action can't be stored that was not judged.
 */
public sealed interface AllowedAction {

    /** The agent that will act: an id that is configured. */
    String agentId();

    /** The text's origin. */
    Provenance provenance();

    /**
     * An event for the main session of {@code agentId}.
     *
     * @param text not blank
     */
    record Wake(String agentId, String text, WakeMode mode, Provenance provenance) implements AllowedAction {}

    /**
     * One agent turn.
     *
     * @param recipient where the reply goes when {@code deliver} is true
     * @param model the resolved {@code <provider>/<model>}
     * @param thinking null where neither request nor configuration names a level
     * @param timeout how long the turn may take
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
            OperatorInstructions briefing)
            implements AllowedAction {}
}
