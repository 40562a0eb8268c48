package dev.postern.model;

/** The name of one event of a main session, made by {@link IdGenerator}; 26 characters after {@code evt_}. */
public record EventId(String value) {

    @Override
    public String toString() {
        return value;
    }
}
