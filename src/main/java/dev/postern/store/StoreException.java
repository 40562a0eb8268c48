package dev.postern.store;

import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * The database could not take it or give it. A write that failed so has left nothing behind, but for a
 * {@link UncertainCommitException}. The message may stand in a log; that of its cause may not, since it may quote a row.
 */
public sealed class StoreException extends Exception permits UncertainCommitException, StoreUnavailableException {

    public StoreException(String message) {
        super(message);
    }

    public StoreException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    /**
     * For a fault that the database, its driver or its pool told of.
     *
     * @param what what the database didn't do
     */
    static StoreException of(String what, Throwable fault) {
        return new StoreException(what + ": " + kindOf(fault), fault);
    }

    /**
     * Class and SQLState of the most telling of {@code fault} and what is behind it. PostgreSQL's messages quote the row or the statement at fault, and each of its errors has an
     * SQLState; what comes without one is SQLite's, a pool's or our own, and quotes neither.
     */
    static String kindOf(Throwable fault) {
        Throwable telling = SqlCauseChain.mostTelling(fault);
        String kind = telling.getClass().getSimpleName();
        if (!(telling instanceof SQLException told)) {
            return kind;
        }
        return told.getSQLState() == null ? kind + ", " + told.getMessage() : kind + ", SQLState " + told.getSQLState();
    }

    /** What {@code fault} says; where it is a pool's, which often says little, with the kind of what is behind it. */
    static String messageOf(Throwable fault) {
        Throwable telling = SqlCauseChain.mostTelling(fault);
        return fault.getMessage() + (telling == fault ? "" : " (" + kindOf(fault) + ")");
    }
}
