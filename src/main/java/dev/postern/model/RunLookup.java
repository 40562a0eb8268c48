package dev.postern.model;

import java.util.Optional;

/** The result of a lookup of a run, or of a delivery without an agent. */
public sealed interface RunLookup {

    /** The run, if it was found. */
    default Optional<RunView> found() {
        return this instanceof Found it ? Optional.of(it.run()) : Optional.empty();
    }

    /** The result with the run in its present state. */
    record Found(RunView run) implements RunLookup {}

    /** The result with the delivery in its present state. */
    record FoundDelivery(DeliveryView delivery) implements RunLookup {}

    /** The result when nothing has this id, or the run was pruned. */
    record Unknown() implements RunLookup {}

    /** The result when the database could not be queried. */
    record Unavailable() implements RunLookup {}
}
