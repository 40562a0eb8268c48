package dev.postern.store;

import dev.postern.net.OwnerOnlyFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.sqlite.SQLiteDataSource;

/**
 * A SQLite database in Postern's own file, owner-only, in WAL mode with {@code synchronous=FULL}. A commit is an fsync
 * of the log; readers never wait for the writer, nor the writer for them. Only one connection writes.
 */
final class SqliteDatabase implements Database {

    /**
     * The settings of every connection. {@code fullfsync} matters on macOS alone, where fsync stops short of the disk.
     */
    private static final List<String> ALL = List.of(
            "PRAGMA busy_timeout = 2000",
            "PRAGMA synchronous = FULL",
            "PRAGMA fullfsync = 1",
            "PRAGMA checkpoint_fullfsync = 1",
            "PRAGMA temp_store = MEMORY");

    /**
     * The settings of the writer. The log is copied to the file at 32 MiB; a log that grew because of a slow reader is
     * cut back to 64 MiB afterwards.
     */
    private static final List<String> WRITER = List.of(
            "PRAGMA wal_autocheckpoint = 8192", "PRAGMA journal_size_limit = 67108864", "PRAGMA cache_size = -16384");

    private static final long ENOUGH_BYTES = 1 << 20;

    private final Path file;
    private final SQLiteDataSource source;
    private final SqliteReadPool readers;

    private SqliteDatabase(Path file, SQLiteDataSource source) {
        this.file = file;
        this.source = source;
        this.readers = new SqliteReadPool(this::reader);
    }

    /**
     * Locks {@code file} where the lock of {@code home} is not enough, and loads SQLite.
     *
     * @param locks the home's lock; further locks are added
     */
    static void prepare(Path file, Path home, List<HomeLock> locks) throws StoreException {
        if (!locks.get(0).covers(file)) {
            locks.add(HomeLock.ofDatabase(file));
        }
        SqliteDriver.load(SqliteDriver.directory(home));
    }

    /** Opens or makes {@code file} in an existing directory. {@link SqliteDriver} must have been loaded before. */
    static SqliteDatabase open(Path file) throws StoreException {
        if (file.toString().indexOf('?') >= 0) {
            throw new StoreException("SQLite can't keep its file at [" + file + "]: it reads a question mark as the end"
                    + " of the name; move the home");
        }
        try {
            OwnerOnlyFiles.create(file);
        } catch (IOException e) {
            throw new StoreException("cannot make the database [" + file + "]: " + OwnerOnlyFiles.reason(e), e);
        }
        SQLiteDataSource source = new SQLiteDataSource();
        source.setUrl("jdbc:sqlite:" + file);
        // Nothing reads generated keys, and the driver would run a query after each change to fetch them.
        source.getConfig().setGetGeneratedKeys(false);
        SqliteDatabase database = new SqliteDatabase(file, source);
        try (Connection connection = database.plain();
                Statement statement = connection.createStatement();
                ResultSet mode = statement.executeQuery("PRAGMA journal_mode = WAL")) {
            mode.next();
            if (!mode.getString(1).equals("wal")) {
                throw new StoreException("the file system of [" + file + "] can't hold a SQLite database in WAL mode;"
                        + " put the home on a local disk");
            }
        } catch (SQLException e) {
            throw StoreUnavailableException.orNever(
                    "cannot open the database [" + file + "]: " + lackOfRoom(file) + e.getMessage(), e);
        }
        return database;
    }

    /**
     * A hint that the disk is full, or an empty text. SQLite's message for a full disk is often the one for a broken
     * disk.
     */
    static String lackOfRoom(Path file) {
        try {
            long left = Files.getFileStore(file).getUsableSpace();
            return left < ENOUGH_BYTES ? "the disk is full (" + left + " bytes are left): " : "";
        } catch (IOException unknown) {
            return "";
        }
    }

    @Override
    public SqlDialect dialect() {
        return SqlDialect.SQLITE;
    }

    @Override
    public String location() {
        return "SQLite in " + file;
    }

    @Override
    public Connection plain() throws SQLException {
        return connect(ALL);
    }

    @Override
    public Connection writer() throws SQLException {
        Connection connection = plain();
        run(connection, WRITER);
        connection.setAutoCommit(false);
        return connection;
    }

    @Override
    public void release(Connection writer) throws SQLException {
        writer.close();
    }

    @Override
    public <T> T read(UnitOfWork<T> unit) throws SQLException {
        return readers.read(unit);
    }

    @Override
    public void close() throws SQLException {
        try {
            readers.close();
        } finally {
            try (Connection last = plain()) {
                run(last, List.of("PRAGMA wal_checkpoint(TRUNCATE)"));
            }
        }
    }

    /**
     * Rewrites the whole database without the space of deleted rows. SQLite's temporary copy lies beside the file,
     * where there is space for it, and not in memory or in a {@code /tmp}.
     *
     * @throws StoreException when there is not enough disk space, or the file can't be read; the file is unchanged then
     */
    void compact() throws StoreException {
        String directory = file.resolveSibling("").toAbsolutePath().toString().replace("'", "''");
        try (Connection connection = plain()) {
            run(connection, List.of("PRAGMA wal_checkpoint(TRUNCATE)"));
            requireRoom(connection);
            run(
                    connection,
                    List.of("PRAGMA temp_store = FILE", "PRAGMA temp_store_directory = '" + directory + "'", "VACUUM"));
            run(connection, List.of("PRAGMA wal_checkpoint(TRUNCATE)", "PRAGMA temp_store_directory = ''"));
        } catch (SQLException e) {
            throw new StoreException(
                    "the database [" + file + "] can't be compacted, and is as it was: " + lackOfRoom(file)
                            + e.getMessage(),
                    e);
        }
    }

    /**
     * Checks that the disk has enough free space: a copy is made, and written to the log, before the file gets smaller.
     */
    private void requireRoom(Connection connection) throws SQLException, StoreException {
        long pages = number(connection, "PRAGMA page_count") - number(connection, "PRAGMA freelist_count");
        long needed = 2 * pages * number(connection, "PRAGMA page_size") + ENOUGH_BYTES;
        long free;
        try {
            free = Files.getFileStore(file).getUsableSpace();
        } catch (IOException e) {
            throw new StoreException(
                    "the free space on the disk of [" + file + "] can't be read: " + OwnerOnlyFiles.reason(e), e);
        }
        if (free < needed) {
            throw new StoreException("to compact [" + file + "] needs " + needed + " bytes free on its disk, and "
                    + free + " are; nothing was changed");
        }
    }

    private static long number(Connection connection, String pragma) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(pragma)) {
            row.next();
            return row.getLong(1);
        }
    }

    private Connection reader() throws SQLException {
        Connection connection = plain();
        run(connection, List.of("PRAGMA query_only = 1"));
        return connection;
    }

    /**
     * Requires that the database {@code file} is there.
     *
     * @throws StoreException in words for the operator, if it is not, or if this process can't tell
     */
    static void requireFile(Path file) throws StoreException {
        if (!Files.isRegularFile(file)) {
            throw new StoreException(
                    Files.exists(file) || Files.notExists(file)
                            ? "there is no SQLite database [" + file + "]"
                            : "the SQLite database [" + file
                                    + "] can't be looked for; check who may read its directory");
        }
    }

    private Connection connect(List<String> pragmas) throws SQLException {
        Connection connection = source.getConnection();
        run(connection, pragmas);
        return connection;
    }

    private static void run(Connection connection, List<String> pragmas) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            for (String pragma : pragmas) {
                statement.execute(pragma);
            }
        } catch (SQLException e) {
            connection.close();
            throw e;
        }
    }
}
