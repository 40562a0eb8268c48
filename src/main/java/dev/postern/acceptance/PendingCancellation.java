package dev.postern.acceptance;

import dev.postern.model.RunId;
import dev.postern.model.RunState;

/**
 * A run that an operator has cancelled and that has not ended yet.
 *
 * @param state running, where a node must still end its turn; queued, where that turn has ended without the run
 */
public record PendingCancellation(RunId id, RunState state) {}
