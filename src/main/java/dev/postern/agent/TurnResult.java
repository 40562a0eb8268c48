package dev.postern.agent;

import dev.postern.observe.TraceSpan;
import java.time.Duration;
import java.util.List;

/** The result of a turn: exactly one of these. */
public sealed interface TurnResult {

    /** Tells {@code span} of this result. Its sentence stays in the run. */
    default void describe(TraceSpan span) {
        String kind = getClass().getSimpleName();
        span.set("postern.result", kind);
        if (!(this instanceof Replied || this instanceof Paused)) {
            span.fail(kind);
        }
    }

    /**
     * The result of a turn in which the agent replied.
     *
     * @param text the reply, without white space at its ends and without NUL; may be empty
     */
    record Replied(String text) implements TurnResult {}

    /**
     * The result of a turn without a reply, which another attempt would not change.
     *
     * @param sentence the reason, and what to configure if that is the reason; neither payload nor secret
     */
    record Failed(String sentence) implements TurnResult {}

    /** The result of a turn that needs something which is down. The turn may be taken again later. */
    sealed interface Down extends TurnResult {

        /** The reason, as in {@link Failed}. */
        String sentence();

        /** The time for which what is down is not to be asked again; zero if it names none. */
        Duration pause();
    }

    /**
     * The result of a turn whose provider is down or takes no more for now.
     *
     * @param sentence the reason, as in {@link Failed}
     * @param pause the time for which the provider is not to be asked again; zero if it names none
     */
    record ProviderDown(String sentence, Duration pause) implements Down {}

    /**
     * The result of a turn that would go on with an approved tool call whose tool server is down. No tool was called.
     *
     * @param sentence the reason, as in {@link Failed}
     */
    record ToolServerDown(String sentence) implements Down {

        @Override
        public Duration pause() {
            return Duration.ZERO;
        }
    }

    /**
     * The result of a turn that goes on once operators have decided about tool calls.
     *
     * @param model the model that wants them, {@code <provider>/<model>}
     * @param questions one for each call, at least one
     */
    record Paused(String model, List<ApprovalQuestion> questions) implements TurnResult {

        public Paused {
            questions = List.copyOf(questions);
        }
    }

    /** The result of a turn whose time was used up; all that it had started has ended. */
    record TimedOut() implements TurnResult {}

    /**
     * The result when no backend was called, for a reason outside the turn. The turn is taken again as if it had not been
     * tried.
     *
     * @param reason the obstacle, such as {@code a shutdown}
     */
    record NotStarted(String reason) implements TurnResult {}

    /**
     * The result of a turn that was cancelled on request; it is not taken again.
     *
     * @param sentence on whose request, with neither payload nor secret
     */
    record Cancelled(String sentence) implements TurnResult {}

    /**
     * The result of a turn that was interrupted for a reason outside the turn; it may be taken again.
     *
     * @param reason the cause, such as {@code a shutdown}
     */
    record Interrupted(String reason) implements TurnResult {}
}
