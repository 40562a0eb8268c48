package dev.postern.store;

/**
 * The exception for a home, a SQLite file or a database that another Postern uses. That Postern may run in this process
 * or in another one. It may also need the database's present schema.
 */
public final class AlreadyInUseException extends StoreUnavailableException {

    private final String fact;

    AlreadyInUseException(String message) {
        this(message, "");
    }

    /** @param advice what the operator can do about {@code fact}; empty for none */
    AlreadyInUseException(String fact, String advice) {
        super(advice.isEmpty() ? fact : fact + "; " + advice);
        this.fact = fact;
    }

    /** The process that uses the resource, without advice. */
    public String fact() {
        return fact;
    }
}
