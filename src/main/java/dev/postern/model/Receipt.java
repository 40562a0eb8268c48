package dev.postern.model;

/** The receipt of an accepted action, with the id given to it. */
public sealed interface Receipt {

    /** The id. */
    String name();

    /** The receipt of an event that waits for a heartbeat. */
    record Event(EventId id, WakeMode mode) implements Receipt {

        @Override
        public String name() {
            return id.value();
        }
    }

    /** The receipt of a delivery without an agent; its name is the delivery's id. */
    record Delivery(String name) implements Receipt {}

    /** The receipt of a run that waits for its turn. */
    record Run(RunId id, SessionKey sessionKey) implements Receipt {

        @Override
        public String name() {
            return id.value();
        }
    }
}
