package dev.postern.model;

import java.time.Duration;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What a request asks for, before any policy: exactly one of the two fixed actions. */
public sealed interface HookAction {

    /** The text's origin. */
    Provenance provenance();

    /** What {@code wake} or {@code turn} makes of this one. */
    <T> T match(Function<Wake, T> wake, Function<AgentTurn, T> turn);

    /**
     * Queue an event for the main session.
     *
     * @param text not blank, trimmed
     */
    record Wake(String text, WakeMode mode, Provenance provenance) implements HookAction {

        @Override
        public <T> T match(Function<Wake, T> wake, Function<AgentTurn, T> turn) {
            return wake.apply(this);
        }
    }

    /**
     * Run one isolated agent turn. Absent values are null; blank ones were made absent.
     *
     * @param message not blank, trimmed
     * @param name the hook's name for a reader, {@code Hook} unless given
     * @param sessionKey the explicit key, and null where none was given
     * @param sessionKeySource who gave {@code sessionKey}; a request needs leave to do so, a mapping doesn't
     * @param channel {@code last} or a channel's id
     * @param timeout how long the turn may take, more than zero and at most a day
     * @param briefing what a mapping adds; {@link OperatorInstructions#NONE} for a request's own
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
            OperatorInstructions briefing)
            implements HookAction {

        @Override
        public <T> T match(Function<Wake, T> wake, Function<AgentTurn, T> turn) {
            return turn.apply(this);
        }
    }

    /** Who named an explicit session key. */
    enum KeySource {
        REQUEST,
        /** An operator's template, which was judged when it was configured. */
        MAPPING,
        /** A mapping's script, which may have taken it from the payload. */
        SCRIPT
    }
}
