package dev.postern.model;

import java.time.Duration;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** One of the three kinds of action that a request asks for, before any policy. */
public sealed interface HookAction {

    /** The origin of the text. */
    Provenance provenance();

    /** Applies {@code wake}, {@code turn} or {@code delivery}, whichever fits this action. */
    <T> T match(Function<Wake, T> wake, Function<AgentTurn, T> turn, Function<DirectDelivery, T> delivery);

    /**
     * A wake: a request to queue an event for a main session.
     *
     * @param text not blank, trimmed
     * @param agentId the agent whose main session it is, as given; null if none was given
     */
    record Wake(String text, WakeMode mode, @Nullable String agentId, Provenance provenance) implements HookAction {

        @Override
        public <T> T match(Function<Wake, T> wake, Function<AgentTurn, T> turn, Function<DirectDelivery, T> delivery) {
            return wake.apply(this);
        }
    }

    /**
     * A request to deliver a text as it is, without an agent.
     *
     * @param text not blank, trimmed
     * @param channel the id of a channel; {@code last} if none was given, which policy rejects
     */
    record DirectDelivery(String text, String channel, @Nullable String to, Provenance provenance)
            implements HookAction {

        @Override
        public <T> T match(Function<Wake, T> wake, Function<AgentTurn, T> turn, Function<DirectDelivery, T> delivery) {
            return delivery.apply(this);
        }
    }

    /**
     * A request for one isolated agent turn. Absent values are null; blank values were made absent.
     *
     * @param message not blank, trimmed
     * @param name the hook's name for people, {@code Hook} unless given
     * @param sessionKey the explicit session key; null if none was given
     * @param sessionKeySource the source of {@code sessionKey}; a request needs permission to name one, a mapping doesn't
     * @param channel {@code last} or the id of a channel
     * @param timeout the longest time that the turn may take: more than zero and at most a day
     * @param operatorInstructions the additions of a mapping; {@link OperatorInstructions#NONE} if the request itself asks for the turn
     */
    record AgentTurn(
            String message,
            String name,
            @Nullable String agentId,
            @Nullable String sessionKey,
            KeySource sessionKeySource,
            WakeMode wakeMode,
            boolean deliver,
            String channel,
            @Nullable String to,
            @Nullable String model,
            @Nullable String thinking,
            @Nullable Duration timeout,
            Provenance provenance,
            OperatorInstructions operatorInstructions)
            implements HookAction {

        @Override
        public <T> T match(Function<Wake, T> wake, Function<AgentTurn, T> turn, Function<DirectDelivery, T> delivery) {
            return turn.apply(this);
        }
    }

    /** The source of an explicit session key. */
    enum KeySource {
        REQUEST,
        /** An operator's template, which was checked when it was configured. */
        MAPPING,
        /** A mapping's script, which may have taken it from the payload. */
        SCRIPT
    }
}
