package dev.postern.model;

/** What an accepted action is called from now on. */
public sealed interface Receipt {

    /** An event that waits for a heartbeat. */
    record Event(EventId id, WakeMode mode) implements Receipt {}

    /** A run that waits for its turn. */
    record Run(RunId id, SessionKey sessionKey) implements Receipt {}
}
