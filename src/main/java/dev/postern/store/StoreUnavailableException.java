package dev.postern.store;

import java.sql.SQLException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What was asked for can't be had now, and may be had later though nobody changes a setting: the database is away, is
 * starting or gives no more connections, its disk is full, or another Postern has the home.
 */
public sealed class StoreUnavailableException extends StoreException permits AlreadyInUseException {

    /**
     * The beginnings of the SQLStates by which a database that is there refuses for good: its driver and the server agree on no
     * login or no encryption (08004, which is the driver's), it can't do that (0A), the login is wrong (28), there is no such
     * database or schema (3D, 3F), the user may not or the statement is wrong (42).
     */
    private static final Set<String> FOR_GOOD = Set.of("08004", "0A", "28", "3D", "3F", "42");

    /** SQLite's codes, which has no SQLState: it is busy or locked, the disk fails, is full, or was not there to open. */
    private static final Set<Integer> SQLITE_PASSING = Set.of(5, 6, 10, 13, 14);

    private static final int SQLITE_PRIMARY = 0xff;
    private static final int STATE_CLASS = 2;

    StoreUnavailableException(String message) {
        super(message);
    }

    private StoreUnavailableException(String message, Throwable fault) {
        super(message, fault);
    }

    /** For a database that was open and then could not do {@code what} was asked. */
    public static StoreUnavailableException because(StoreException what) {
        return what instanceof StoreUnavailableException passing
                ? passing
                : new StoreUnavailableException(String.valueOf(what.getMessage()), what);
    }

    /**
     * What {@code fault} is for who wanted to open a database: one of these, or final. A pool's own fault, which has neither
     * a state nor a code, may pass unless what caused it says otherwise.
     */
    static StoreException orNever(String message, Throwable fault) {
        @Nullable SQLException told = null;
        for (@Nullable Throwable cause = fault; cause != null; cause = cause.getCause()) {
            if (cause instanceof SQLException sql && (told == null || told.getSQLState() == null)) {
                told = sql;
            }
        }
        return told != null && passes(told)
                ? new StoreUnavailableException(message, fault)
                : new StoreException(message, fault);
    }

    private static boolean passes(SQLException told) {
        String state = told.getSQLState();
        if (state != null && state.length() > STATE_CLASS) {
            return FOR_GOOD.stream().noneMatch(state::startsWith);
        }
        return told.getErrorCode() == 0 || SQLITE_PASSING.contains(told.getErrorCode() & SQLITE_PRIMARY);
    }
}
