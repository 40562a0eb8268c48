package dev.postern.store;

/** Another Postern, of this process or not, has the home or the SQLite file, or needs the database as it is. */
public final class AlreadyInUseException extends StoreUnavailableException {

    private final String fact;

    AlreadyInUseException(String message) {
        this(message, "");
    }

    /** @param advice what to do about {@code fact}, for who wants to serve */
    AlreadyInUseException(String fact, String advice) {
        super(advice.isEmpty() ? fact : fact + "; " + advice);
        this.fact = fact;
    }

    /** Who has what, without what to do about it. */
    public String fact() {
        return fact;
    }
}
