package dev.postern.model;

/** What an accepted action is called from now on. */
public sealed interface Receipt {

    /** The id. */
    String name();

    /** An event that waits for a heartbeat. */
    record Event(EventId id, WakeMode mode) implements Receipt {

        @Override
        public String name() {
            return id.value();
        }
    }

    /** A run that waits for its turn. */
    record Run(RunId id, SessionKey sessionKey) implements Receipt {

        @Override
        public String name() {
            return id.value();
        }
    }
}
