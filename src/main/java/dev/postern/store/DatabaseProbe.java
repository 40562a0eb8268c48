package dev.postern.store;

import dev.postern.model.Secret;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A read-only check of a database: whether it opens, and which schema it has. It changes nothing and may run beside a
 * running Postern.
 */
public final class DatabaseProbe {

    /** Why a session takes no writes, as it was when it began: {@link ReadOnlyStore} has made its own read-only since. */
    private static final String READ_ONLY =
            """
            SELECT CASE
                WHEN pg_is_in_recovery() THEN 'it is a standby'
                WHEN reset_val = 'on' THEN 'default_transaction_read_only is on for this user, database or server'
                ELSE '' END AS reason
            FROM pg_settings WHERE name = 'default_transaction_read_only'
            """;

    private DatabaseProbe() {}

    /**
     * Opens the PostgreSQL of a {@code jdbc:postgresql:} URL, and reads which schema it has.
     *
     * @return the state of the database, as a sentence for the operator
     * @throws StoreException in words for the operator, without the password, where it can't be opened, takes no writes or
     *     doesn't fit this program
     */
    public static String postgres(String url, @Nullable String username, @Nullable Secret password)
            throws StoreException {
        try (ReadOnlyStore opened = ReadOnlyStore.postgres(url, username, password)) {
            requireWritable(opened);
            return describe(opened);
        }
    }

    /**
     * Opens a SQLite database for reading, where there is one.
     *
     * @param home the home, whose directory for SQLite's library is used if it is there
     * @return the state of the database, as a sentence for the operator
     * @throws StoreException in words for the operator, where it can't be read or doesn't fit this program
     */
    public static String sqlite(Path file, Path home) throws StoreException {
        if (Files.notExists(file)) {
            return "SQLite in " + file + " is not there yet; the first start makes it";
        }
        try (ReadOnlyStore opened = ReadOnlyStore.sqlite(file, SqliteDriver.directory(home))) {
            return describe(opened);
        }
    }

    private static String describe(ReadOnlyStore opened) throws StoreException {
        return opened.location() + " opens, " + opened.describeSchema();
    }

    /** Rejects a PostgreSQL in which every transaction of a new session would be read-only. */
    private static void requireWritable(ReadOnlyStore opened) throws StoreException {
        String reason = opened.read(sql -> sql.first(READ_ONLY, row -> row.text("reason")))
                .orElse("");
        if (!reason.isEmpty()) {
            throw new StoreException(opened.location() + " is read-only: " + reason);
        }
    }
}
