package dev.postern.acceptance;

import dev.postern.model.AllowedAction;
import dev.postern.model.RunId;
import dev.postern.model.SessionKey;

/**
 * A run that was failed because its node died in the last attempt that it had.
 *
 * @param error what was written into the run
 */
public record Interrupted(RunId id, SessionKey sessionKey, int attempts, AllowedAction.Turn turn, String error) {}
