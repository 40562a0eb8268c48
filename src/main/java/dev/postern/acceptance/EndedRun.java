package dev.postern.acceptance;

import dev.postern.model.AllowedAction;
import dev.postern.model.RunId;
import dev.postern.model.RunState;
import dev.postern.model.TraceContext;
import org.jspecify.annotations.Nullable;

/**
 * A run that ended without the end of a turn: its node died during the last attempt, or an operator cancelled it.
 *
 * @param state the state that it ended in
 * @param error the error text that was stored with the run
 * @param trace the trace context of the run; null for none
 */
public record EndedRun(
        RunId id, RunState state, int attempts, AllowedAction.Turn turn, String error, @Nullable TraceContext trace) {}
