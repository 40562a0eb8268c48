package dev.postern.acceptance;

import dev.postern.model.RunId;
import dev.postern.model.RunState;

/**
 * A run that an operator wants to end, and that has not ended.
 *
 * @param state running, where a node takes its turn that has yet to end it; queued, where that turn has ended without it
 */
public record PendingCancellation(RunId id, RunState state) {}
