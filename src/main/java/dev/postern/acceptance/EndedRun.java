package dev.postern.acceptance;

import dev.postern.model.AllowedAction;
import dev.postern.model.RunId;
import dev.postern.model.RunState;
import dev.postern.model.TraceContext;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A run that has ended: with its turn, with its node during the last attempt, by a budget, or by an operator.
 *
 * @param state the state that it ended in
 * @param error the error text that was stored with the run; null if it succeeded
 * @param trace the trace context of the run, or of its last attempt; null for none
 */
public record EndedRun(
        RunId id,
        RunState state,
        int attempts,
        AllowedAction.Turn turn,
        @Nullable String error,
        @Nullable TraceContext trace) {

    /** The error text of a run that has not succeeded. */
    public String reason() {
        return Objects.requireNonNull(error, "a run that has not succeeded has an error text");
    }
}
