package dev.postern.store;

import java.sql.SQLException;
import java.util.Set;

/**
 * The exception for a write whose content the database rejects, as a value that it can't store or a row that breaks a
 * constraint. The database works, and rejects the same content again.
 */
public final class RejectedWriteException extends StoreException {

    /**
     * The classes of SQLStates of a rejected content: a value is wrong (22), a row breaks a constraint (23), something is too
     * large (54).
     */
    private static final Set<String> STATES = Set.of("22", "23", "54");

    /** SQLite's codes for that: something is too large, breaks a constraint, or has the wrong type. */
    private static final Set<Integer> SQLITE_CODES = Set.of(18, 19, 20);

    private static final int SQLITE_PRIMARY = 0xff;
    private static final int STATE_CLASS = 2;

    private RejectedWriteException(String message, Throwable fault) {
        super(message, fault);
    }

    /** The exception for {@code fault}, with which a statement failed: this one if the content is the reason. */
    static StoreException orOther(SQLException fault) {
        String message = "the database did not take it: " + kindOf(fault);
        return isAboutContent(fault) ? new RejectedWriteException(message, fault) : new StoreException(message, fault);
    }

    private static boolean isAboutContent(SQLException fault) {
        String state = fault.getSQLState();
        if (state != null && state.length() > STATE_CLASS) {
            return STATES.contains(state.substring(0, STATE_CLASS));
        }
        return SQLITE_CODES.contains(fault.getErrorCode() & SQLITE_PRIMARY);
    }
}
