package dev.postern.model;

/** The name of one run, made by {@link IdGenerator}; 26 characters after {@code run_}. */
public record RunId(String value) {

    @Override
    public String toString() {
        return value;
    }
}
