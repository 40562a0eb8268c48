package dev.postern.access;

import java.time.Instant;
import java.util.Optional;

/** A reader of the time that a sender writes into the body that it signs. */
@FunctionalInterface
public interface BodyTime {

    /**
     * The moment that a field of {@code body} says; empty where it says none, or the body can't be read.
     *
     * @param field its name, or the names on the way to it with full stops between them
     */
    Optional<Instant> read(byte[] body, String field);
}
