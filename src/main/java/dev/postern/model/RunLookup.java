package dev.postern.model;

import java.util.Optional;

/** What is known of a run. */
public sealed interface RunLookup {

    /** The run where it was found. */
    default Optional<RunView> found() {
        return this instanceof Found it ? Optional.of(it.run()) : Optional.empty();
    }

    /** The run as it stands. */
    record Found(RunView run) implements RunLookup {}

    /** No run has this id, or it was pruned. */
    record Unknown() implements RunLookup {}

    /** The database could not be asked. */
    record Unavailable() implements RunLookup {}
}
