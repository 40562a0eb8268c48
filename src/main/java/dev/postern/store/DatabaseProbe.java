package dev.postern.store;

import dev.postern.model.DatabaseUrl;
import dev.postern.model.Secret;
import dev.postern.net.OwnerOnlyFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.sqlite.SQLiteConfig;

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
        OwnConnectionPool pool = OwnConnectionPool.open(url, username, password);
        String name = new DatabaseUrl.Postgres(url).location();
        try {
            Connection connection = pool.take();
            try {
                connection.setReadOnly(true);
                return name + " opens, " + schema(connection, SqlDialect.POSTGRESQL);
            } finally {
                pool.giveBack(connection, false);
            }
        } catch (SQLException e) {
            throw unreadable(name, e);
        } finally {
            close(pool);
        }
    }

    /**
     * Opens a SQLite database for reading, where there is one.
     *
     * @return the state of the database, as a sentence for the operator
     * @throws StoreException in words for the operator, where it can't be read or doesn't fit this program
     */
    public static String sqlite(Path file) throws StoreException {
        String name = "SQLite in " + file;
        if (!Files.exists(file)) {
            return name + " is not there yet; the first start makes it";
        }
        try {
            Path library = Files.createTempDirectory("postern-");
            try {
                SqliteDriver.load(library);
                return name + " opens, " + read(file);
            } catch (SQLException e) {
                throw unreadable(name, e);
            } finally {
                delete(library);
            }
        } catch (IOException e) {
            throw new StoreException(name + " can't be looked at: " + OwnerOnlyFiles.reason(e), e);
        }
    }

    /**
     * Reads {@code file} without making files. To read a database in WAL mode, SQLite makes files of its own unless a
     * running Postern has made them already. It makes none when told that nobody writes ({@code immutable}); then it
     * reads this file alone.
     */
    private static String read(Path file) throws SQLException, StoreException {
        boolean isInUse = Files.exists(file.resolveSibling(file.getFileName() + "-shm"));
        SQLiteConfig config = new SQLiteConfig();
        config.setReadOnly(true);
        config.setBusyTimeout(2_000);
        String url = "jdbc:sqlite:" + file.toUri() + "?mode=ro" + (isInUse ? "" : "&immutable=1");
        try (Connection connection = config.createConnection(url)) {
            return schema(connection, SqlDialect.SQLITE);
        }
    }

    private static String schema(Connection connection, SqlDialect dialect) throws SQLException, StoreException {
        return new SchemaMigrator(InstantSource.system()).describeSchema(new SqlTransaction(connection, dialect));
    }

    private static StoreException unreadable(String name, SQLException e) {
        return StoreUnavailableException.orNever(name + " can't be read: " + e.getMessage(), e);
    }

    private static void close(OwnConnectionPool pool) throws StoreException {
        try {
            pool.close();
        } catch (SQLException e) {
            throw StoreException.of("the database was not closed cleanly", e);
        }
    }

    private static void delete(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            List<Path> innermostFirst = files.sorted(Comparator.reverseOrder()).toList();
            for (Path file : innermostFirst) {
                Files.deleteIfExists(file);
            }
        }
    }
}
