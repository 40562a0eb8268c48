package dev.postern.store;

import java.sql.SQLException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The exception for a read or write that the database could not do. A write that failed so has left nothing behind,
 * except with an {@link UncertainCommitException}. The message may go into a log; the message of its cause may not,
 * because it may quote a row.
 */
public sealed class StoreException extends Exception
        permits RejectedWriteException, StoreUnavailableException, UncertainCommitException {

    private static final String LOCKED = "55P03";
    private static final String ENDED = "57014";

    /** What the states mean that an administrator of PostgreSQL can end; its own words for them are withheld as all others are. */
    private static final Map<String, String> MEANINGS = Map.of(
            "25006",
            "it is read-only",
            "53100",
            "its disk is full",
            "53300",
            "it has too many connections; see its max_connections, and the limits of the role and the database",
            LOCKED,
            "a lock was not free in time",
            ENDED,
            "it ended a statement that took too long",
            "57P03",
            "it starts or stops");

    public StoreException(String message) {
        super(message);
    }

    public StoreException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    /**
     * The exception for an error that the database, its driver or its pool reported.
     *
     * @param what the operation that failed, as a sentence
     */
    static StoreException of(String what, Throwable fault) {
        return new StoreException(what + ": " + kindOf(fault), fault);
    }

    /** True when the database works, and gave up a statement that took, or waited for a lock, too long. */
    boolean isTooSlow() {
        return SqlCauseChain.mostTelling(this) instanceof SQLException told
                && (LOCKED.equals(told.getSQLState()) || ENDED.equals(told.getSQLState()));
    }

    /**
     * The class and SQLState of the most informative exception among {@code fault} and its causes. PostgreSQL's
     * messages quote the row or the statement at fault, and each of its errors has an SQLState. An exception without
     * one is SQLite's, a pool's or Postern's own, and quotes neither.
     */
    static String kindOf(Throwable fault) {
        Throwable telling = SqlCauseChain.mostTelling(fault);
        String kind = telling.getClass().getSimpleName();
        if (!(telling instanceof SQLException told)) {
            return kind;
        }
        String state = told.getSQLState();
        if (state == null) {
            return kind + ", " + told.getMessage();
        }
        String meaning = MEANINGS.get(state);
        return kind + ", SQLState " + state + (meaning == null ? "" : ": " + meaning);
    }

    /** The message of {@code fault}. A pool's message often says little, so the kind of its cause is added. */
    static String messageOf(Throwable fault) {
        Throwable telling = SqlCauseChain.mostTelling(fault);
        return fault.getMessage() + (telling == fault ? "" : " (" + kindOf(fault) + ")");
    }
}
