package dev.postern.model;

/** The id of an event in a main session, made by {@link IdGenerator}: {@code evt_} and 26 characters. */
public record EventId(String value) {

    @Override
    public String toString() {
        return value;
    }
}
