package dev.postern.store;

import java.sql.SQLException;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The exception for a database that is unavailable now, but may become available without a change of settings: it is
 * away, is starting or gives no more connections, its disk is full, or another Postern uses the home.
 */
public sealed class StoreUnavailableException extends StoreException permits AlreadyInUseException {

    /**
     * The beginnings of the SQLStates of permanent rejections: driver and server agree on no login or no encryption
     * (08004, which is the driver's), the feature is not supported (0A), the login is wrong (28), there is no such
     * database or schema (3D, 3F), the user may not or the statement is wrong (42).
     */
    private static final Set<String> FOR_GOOD = Set.of("08004", "0A", "28", "3D", "3F", "42");

    /**
     * SQLite's codes of transient errors, because SQLite has no SQLState: it is busy or locked, the disk fails, is
     * full, or could not be opened.
     */
    private static final Set<Integer> SQLITE_PASSING = Set.of(5, 6, 10, 13, 14);

    private static final Duration RETRY_AFTER = Duration.ofSeconds(1);

    private static final int SQLITE_PRIMARY = 0xff;
    private static final int STATE_CLASS = 2;

    private final Duration retryAfter;

    StoreUnavailableException(String message) {
        super(message);
        this.retryAfter = RETRY_AFTER;
    }

    private StoreUnavailableException(String message, Throwable fault) {
        this(message, fault, RETRY_AFTER);
    }

    /** @param retryAfter the result of {@link #retryAfter} */
    StoreUnavailableException(String message, Throwable fault, Duration retryAfter) {
        super(message, fault);
        this.retryAfter = retryAfter;
    }

    /** The exception for a database that was open and then failed as {@code what} says. */
    public static StoreUnavailableException because(StoreException what) {
        return what instanceof StoreUnavailableException passing
                ? passing
                : new StoreUnavailableException(String.valueOf(what.getMessage()), what);
    }

    /**
     * The exception for {@code fault} while a database is opened: this one when the fault may be transient, else a
     * permanent {@link StoreException}. A pool's own exception has neither a state nor a code, so it counts as
     * transient unless its cause says otherwise.
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

    /** The pause before the next attempt to open the database. It is longer where an attempt holds up other nodes. */
    public Duration retryAfter() {
        return retryAfter;
    }

    private static boolean passes(SQLException told) {
        String state = told.getSQLState();
        if (state != null && state.length() > STATE_CLASS) {
            return FOR_GOOD.stream().noneMatch(state::startsWith);
        }
        return told.getErrorCode() == 0 || SQLITE_PASSING.contains(told.getErrorCode() & SQLITE_PRIMARY);
    }
}
