package dev.postern.model;

/** The id of a run, made by {@link IdGenerator}: {@code run_} and 26 characters. */
public record RunId(String value) {

    @Override
    public String toString() {
        return value;
    }
}
