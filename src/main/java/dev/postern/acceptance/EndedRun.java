package dev.postern.acceptance;

import dev.postern.model.AllowedAction;
import dev.postern.model.RunId;
import dev.postern.model.RunState;

/**
 * A run that was ended without the end of a turn: its node died in the last attempt that it had, or an operator has
 * cancelled it.
 *
 * @param state what it has ended as
 * @param error what was written into the run
 */
public record EndedRun(RunId id, RunState state, int attempts, AllowedAction.Turn turn, String error) {}
