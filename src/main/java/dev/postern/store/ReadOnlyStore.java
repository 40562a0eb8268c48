package dev.postern.store;

import dev.postern.model.DatabaseUrl;
import dev.postern.model.Secret;
import dev.postern.net.DirectoryTree;
import dev.postern.net.OwnerOnlyFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;
import org.sqlite.SQLiteConfig;

/**
 * A read-only view of a database for commands. It changes nothing, takes no lock of the home and may be open beside a
 * running Postern. For one thread at a time.
 */
public final class ReadOnlyStore implements StoreReader, AutoCloseable {

    /** The longest wait for a response of PostgreSQL, in milliseconds. No sender waits for a command. */
    private static final int SILENCE_MILLIS = (int) Duration.ofSeconds(30).toMillis();

    private final String location;
    private final SqlTransaction sql;
    private final Release release;

    private ReadOnlyStore(String location, SqlTransaction sql, Release release) {
        this.location = location;
        this.sql = sql;
        this.release = release;
    }

    /** A release of everything that a store holds. */
    private interface Release {
        void run() throws SQLException, IOException;
    }

    /**
     * Opens the database that {@code url} names, or else {@code data/postern.db} in {@code home}. It has to have this
     * program's schema.
     *
     * @param url null for SQLite in the home
     * @throws StoreException in words for the operator, without the password, where it can't be read or doesn't fit this
     *     program
     */
    public static ReadOnlyStore open(
            @Nullable String url, @Nullable String username, @Nullable Secret password, Path home)
            throws StoreException {
        Path file = url != null && DatabaseUrl.of(url) instanceof DatabaseUrl.SqliteFile sqlite
                ? sqlite.file()
                : home.resolve("data").resolve("postern.db");
        boolean postgres = url != null && DatabaseUrl.of(url) instanceof DatabaseUrl.Postgres;
        if (!postgres && Files.notExists(file)) {
            throw new StoreException("SQLite in " + file + " is not there yet; the first start makes it");
        }
        ReadOnlyStore store = postgres
                ? postgres(String.valueOf(url), username, password)
                : sqlite(file, SqliteDriver.directory(home));
        boolean opened = false;
        try {
            store.migrator().requireKnownSchema(store.sql, store.location);
            opened = true;
            return store;
        } catch (SQLException e) {
            throw unreadable(store.location, e);
        } finally {
            if (!opened) {
                store.close();
            }
        }
    }

    /** Opens the PostgreSQL of a {@code jdbc:postgresql:} URL. */
    static ReadOnlyStore postgres(String url, @Nullable String username, @Nullable Secret password)
            throws StoreException {
        OwnConnectionPool pool = OwnConnectionPool.open(url, username, password);
        String location = pool.location();
        boolean opened = false;
        try {
            Connection connection = pool.take();
            try (Statement statement = connection.createStatement()) {
                statement.execute("SET default_transaction_read_only = on");
            }
            connection.setNetworkTimeout(Runnable::run, SILENCE_MILLIS);
            SqlTransaction sql = new SqlTransaction(connection, SqlDialect.POSTGRESQL);
            opened = true;
            return new ReadOnlyStore(location, sql, () -> {
                pool.giveBack(connection, false);
                pool.close();
            });
        } catch (SQLException e) {
            throw unreadable(location, e);
        } finally {
            if (!opened) {
                close(location, pool::close);
            }
        }
    }

    /**
     * Opens a SQLite file without making files. To read a database in WAL mode, SQLite makes files of its own unless a
     * running Postern has made them already. It makes none when told that nobody writes ({@code immutable}); then it
     * reads this file alone.
     *
     * @param libraries the directory for SQLite's library, if it can be used; null for the one for temporary files
     */
    static ReadOnlyStore sqlite(Path file, @Nullable Path libraries) throws StoreException {
        return sqlite(file, !hasCompanions(file), libraries);
    }

    /** True when SQLite's own files are beside {@code file}, because a Postern uses it or was killed. */
    static boolean hasCompanions(Path file) {
        return Files.exists(companion(file, "-shm"))
                || companion(file, "-wal").toFile().length() > 0;
    }

    /** The file of SQLite's own that lies beside the database {@code file}. */
    static Path companion(Path file, String suffix) {
        return file.resolveSibling(file.getFileName() + suffix);
    }

    /**
     * Opens a SQLite file.
     *
     * @param immutable true when certainly nobody writes to it meanwhile
     * @param libraries the directory for SQLite's library, if it can be used; null for the one for temporary files
     */
    static ReadOnlyStore sqlite(Path file, boolean immutable, @Nullable Path libraries) throws StoreException {
        String location = "SQLite in " + file;
        SQLiteConfig config = new SQLiteConfig();
        config.setReadOnly(true);
        config.setBusyTimeout(2_000);
        String url = "jdbc:sqlite:" + file.toUri() + "?mode=ro" + (immutable ? "&immutable=1" : "");
        try {
            Path library = SqliteDriver.loadForCommand(libraries);
            boolean opened = false;
            try {
                Connection connection = config.createConnection(url);
                opened = true;
                return new ReadOnlyStore(location, new SqlTransaction(connection, SqlDialect.SQLITE), () -> {
                    connection.close();
                    DirectoryTree.delete(library);
                });
            } catch (SQLException e) {
                throw unreadable(location, e);
            } finally {
                if (!opened) {
                    DirectoryTree.delete(library);
                }
            }
        } catch (IOException e) {
            throw new StoreException(location + " can't be looked at: " + OwnerOnlyFiles.reason(e), e);
        }
    }

    /** The database's schema, in words that follow the database's name. */
    String describeSchema() throws StoreException {
        try {
            return migrator().describeSchema(sql);
        } catch (SQLException e) {
            throw unreadable(location, e);
        }
    }

    /** The result of {@code inspector}. */
    SqliteInspection inspect(SqliteInspection.Inspector inspector) throws SQLException, StoreException {
        return inspector.inspect(sql);
    }

    /** Has SQLite copy the database to the file {@code target}. */
    void copyTo(Path target) throws SQLException {
        sql.update("VACUUM INTO ?", target.toAbsolutePath().toString());
    }

    /** The database's name for people: kind and place, without user and password. */
    String location() {
        return location;
    }

    @Override
    public <T> T read(UnitOfWork<T> unit) throws StoreException {
        try {
            return unit.run(sql);
        } catch (SQLException e) {
            throw StoreException.of("the database could not be read", e);
        }
    }

    @Override
    public void close() throws StoreException {
        close(location, () -> {
            sql.close();
            release.run();
        });
    }

    private static void close(String location, Release release) throws StoreException {
        try {
            release.run();
        } catch (SQLException e) {
            throw StoreException.of(location + " was not closed cleanly", e);
        } catch (IOException e) {
            throw new StoreException(location + " was not closed cleanly: " + OwnerOnlyFiles.reason(e), e);
        }
    }

    private SchemaMigrator migrator() {
        return new SchemaMigrator(InstantSource.system());
    }

    private static StoreException unreadable(String location, SQLException e) {
        return StoreUnavailableException.orNever(location + " can't be read: " + e.getMessage(), e);
    }
}
