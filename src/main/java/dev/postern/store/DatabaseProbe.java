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

    private DatabaseProbe() {}

    /**
     * Opens the PostgreSQL of a {@code jdbc:postgresql:} URL, and reads which schema it has.
     *
     * @return the state of the database, as a sentence for the operator
     * @throws StoreException in words for the operator, without the password, where it can't be opened or doesn't fit
     *     this program
     */
    public static String postgres(String url, @Nullable String username, @Nullable Secret password)
            throws StoreException {
        return describe(ReadOnlyStore.postgres(url, username, password));
    }

    /**
     * Opens a SQLite database for reading, where there is one.
     *
     * @param home the home, whose directory for SQLite's library is used if it is there
     * @return the state of the database, as a sentence for the operator
     * @throws StoreException in words for the operator, where it can't be read or doesn't fit this program
     */
    public static String sqlite(Path file, Path home) throws StoreException {
        return Files.exists(file)
                ? describe(ReadOnlyStore.sqlite(file, SqliteDriver.directory(home)))
                : "SQLite in " + file + " is not there yet; the first start makes it";
    }

    private static String describe(ReadOnlyStore opened) throws StoreException {
        try (opened) {
            return opened.location() + " opens, " + opened.describeSchema();
        }
    }
}
