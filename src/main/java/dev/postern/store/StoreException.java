package dev.postern.store;

import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * The database could not take it or give it. A write that failed so has left nothing behind, but for a
 * {@link DoubtfulCommit}. The message may stand in a log; that of its cause may not, since it may quote a row.
 */
public sealed class StoreException extends Exception permits DoubtfulCommit, NotNow {

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
     * Class and SQLState. PostgreSQL's messages quote the row or the statement at fault, and each of its errors has an
     * SQLState; what comes without one is SQLite's, a pool's or our own, and quotes neither.
     */
    static String kindOf(Throwable fault) {
        String kind = fault.getClass().getSimpleName();
        if (!(fault instanceof SQLException told)) {
            return kind;
        }
        return told.getSQLState() == null ? kind + ", " + told.getMessage() : kind + ", SQLState " + told.getSQLState();
    }
}
