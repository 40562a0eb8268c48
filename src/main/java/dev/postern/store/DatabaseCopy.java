package dev.postern.store;

import dev.postern.config.Settings;
import dev.postern.model.DatabaseUrl;
import dev.postern.net.OwnerOnlyFiles;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * An offline copier of a home's database to an empty one, of the same or of the other kind. It makes the target's tables,
 * copies every row, and compares each with its source, all in one transaction. So a target has everything or nothing, also
 * when the process is killed. The source stays as it is.
 */
public final class DatabaseCopy {

    private static final System.Logger LOG = System.getLogger(DatabaseCopy.class.getName());

    /** The longest wait for transactions that go on in the source. */
    private static final String PATIENCE = "SET LOCAL lock_timeout = '5s'";

    private static final String SOURCE_LOGIN = "check database.username and database.password";
    private static final String TARGET_LOGIN = "check --username and the password";

    private final Path home;
    private final SchemaMigrator migrator;
    private final Progress progress;

    private DatabaseCopy(Path home, InstantSource clock, Progress progress) {
        this.home = home;
        this.migrator = new SchemaMigrator(clock);
        this.progress = progress;
    }

    /** An observer of a copy. */
    public interface Progress {

        /** Called now and then while {@code table} is copied, of which {@code rows} have been. */
        void copying(String table, long rows);

        /**
         * Called when all rows of {@code table} are copied and were compared.
         *
         * @param sha256 the digest of all its rows in hexadecimal, which is that of both databases
         */
        void copied(String table, long rows, String sha256);
    }

    /**
     * Copies the database {@code source} to {@code target}.
     *
     * @param home the home whose database {@code source} is; locked meanwhile
     * @throws AlreadyInUseException when a Postern uses the source
     * @throws StoreException in words for the operator, without a password, when one of the two can't be opened, the source
     *     has another schema than this program's, the target is not empty, or a row differs; the target is unchanged then
     */
    public static void run(
            Settings.Database source, Settings.Database target, Path home, InstantSource clock, Progress progress)
            throws StoreException {
        DatabaseCopy copy = new DatabaseCopy(home.toAbsolutePath(), clock, progress);
        copy.requireFile(source);
        List<HomeLock> locks = new ArrayList<>();
        try {
            locks.add(HomeLock.ofHome(home.toAbsolutePath()));
            copy.run(source, target, locks);
        } finally {
            locks.forEach(HomeLock::close);
        }
    }

    private void run(Settings.Database source, Settings.Database target, List<HomeLock> locks) throws StoreException {
        @Nullable Path targetFile = sqliteFile(target);
        if (targetFile != null) {
            refuseExisting(targetFile);
        }
        Database from = openSource(source, locks);
        try {
            if (targetFile == null) {
                copy(from, postgres(target, TARGET_LOGIN));
            } else {
                copyToFile(from, targetFile, locks);
            }
        } finally {
            close(from);
        }
    }

    private Database openSource(Settings.Database source, List<HomeLock> locks) throws StoreException {
        @Nullable Path file = sqliteFile(source);
        if (file == null) {
            return postgres(source, SOURCE_LOGIN);
        }
        SqliteDatabase.prepare(file, home, locks);
        return SqliteDatabase.open(file);
    }

    private static Database postgres(Settings.Database database, String loginAdvice) throws StoreException {
        return PostgresDatabase.of(OwnConnectionPool.open(
                String.valueOf(database.url()), database.username(), database.password(), loginAdvice));
    }

    /** Rejects a source whose SQLite file is missing, before anything is made in its home. */
    private void requireFile(Settings.Database source) throws StoreException {
        @Nullable Path file = sqliteFile(source);
        if (file != null) {
            SqliteDatabase.requireFile(file);
        }
    }

    /** The file of a SQLite database; null for PostgreSQL. */
    private @Nullable Path sqliteFile(Settings.Database database) {
        if (database.url() == null) {
            return home.resolve("data").resolve("postern.db");
        }
        return DatabaseUrl.of(database.url()) instanceof DatabaseUrl.SqliteFile sqlite
                ? sqlite.file().toAbsolutePath()
                : null;
    }

    /** Makes the copy under another name, which nobody takes for a database, and names it when it is complete. */
    private void copyToFile(Database from, Path file, List<HomeLock> locks) throws StoreException {
        @Nullable Path unfinished = null;
        try {
            SqliteDatabase.prepare(file, home, locks);
            unfinished = OwnerOnlyFiles.createTemporaryFile(file);
            for (String suffix : List.of("-wal", "-shm")) {
                ReadOnlyStore.companion(unfinished, suffix).toFile().deleteOnExit();
            }
            copy(from, SqliteDatabase.open(unfinished));
            OwnerOnlyFiles.adoptOwner(unfinished);
            OwnerOnlyFiles.publish(unfinished, file);
        } catch (FileAlreadyExistsException e) {
            throw exists(file);
        } catch (IOException e) {
            throw new StoreException("cannot make the database [" + file + "]: " + OwnerOnlyFiles.reason(e), e);
        } finally {
            delete(unfinished);
        }
    }

    private static void refuseExisting(Path file) throws StoreException {
        if (Files.exists(file) || ReadOnlyStore.hasCompanions(file)) {
            throw exists(file);
        }
    }

    private static StoreException exists(Path file) {
        return new StoreException("the target [" + file
                + "] is there already; move it away with the -wal and -shm beside it, or name another file");
    }

    /** Copies everything to {@code to}, which is closed in any case. */
    private void copy(Database from, Database to) throws StoreException {
        try (Connection reader = from.plain();
                Connection writer = to.plain()) {
            reader.setAutoCommit(false);
            writer.setAutoCommit(false);
            try {
                copy(new SqlTransaction(reader, from.dialect()), reader, from.location(), to, writer);
                writer.commit();
            } finally {
                reader.rollback();
                writer.rollback();
            }
        } catch (SQLException e) {
            throw StoreException.of("nothing was copied to " + to.location(), e);
        } finally {
            close(to);
        }
    }

    private void copy(SqlTransaction source, Connection reader, String location, Database to, Connection writer)
            throws SQLException, StoreException {
        migrator.requireKnownSchema(source, location);
        int schema = migrator.requireUsableSchema(source);
        if (schema != SchemaMigrator.known()) {
            throw new StoreException(location + " has schema " + schema + ", and this program copies schema "
                    + SchemaMigrator.known() + "; take the version that made it");
        }
        refuseWhileAlive(source, location);
        SqlTransaction target = new SqlTransaction(writer, to.dialect());
        List<String> present = CopiedTable.names(target);
        if (!present.isEmpty()) {
            throw new StoreException("the target, " + to.location() + ", is not empty: it has the table"
                    + (present.size() == 1 ? " " : "s ") + String.join(", ", present)
                    + "; name an empty database or schema");
        }
        migrator.migrate(target);
        List<CopiedTable> tables = CopiedTable.all(writer, to.dialect());
        lock(source, reader, tables, location);
        for (CopiedTable table : tables) {
            copy(table, reader, source.dialect(), writer, to.dialect());
        }
        target.close();
        source.close();
    }

    private void copy(CopiedTable table, Connection reader, SqlDialect from, Connection writer, SqlDialect to)
            throws StoreException {
        try {
            long rows = table.copy(reader, from, writer, progress);
            progress.copied(table.name(), rows, table.compare(reader, from, writer, to));
        } catch (SQLException e) {
            throw StoreException.of("the table " + table.name() + " can't be copied, so nothing was", e);
        }
    }

    private static void refuseWhileAlive(SqlTransaction source, String location) throws SQLException, StoreException {
        int alive = SchemaMigrator.aliveNodes(source, Integer.MAX_VALUE);
        if (alive > 0) {
            throw new AlreadyInUseException(
                    location + " is in use by other Posterns (nodes: " + alive + ")",
                    "end them first, or wait " + SchemaMigrator.GONE.toMinutes() + " min where they have died");
        }
    }

    /** Keeps every writer, also a Postern that starts now, away from the source until the copy is made. */
    private static void lock(SqlTransaction source, Connection reader, List<CopiedTable> tables, String location)
            throws SQLException, StoreException {
        if (source.dialect() == SqlDialect.SQLITE) {
            return; // the home is locked
        }
        String names = tables.stream().map(CopiedTable::quotedName).collect(Collectors.joining(", "));
        try (Statement statement = reader.createStatement()) {
            statement.execute(PATIENCE);
            statement.execute("LOCK TABLE " + names + " IN SHARE MODE");
        }
        refuseWhileAlive(source, location);
    }

    private static void close(Database database) {
        try {
            database.close();
        } catch (SQLException e) {
            LOG.log(
                    Level.WARNING,
                    "{0} was not closed cleanly; no data is lost: {1}",
                    database.location(),
                    e.getMessage());
        }
    }

    private static void delete(@Nullable Path unfinished) {
        if (unfinished == null) {
            return;
        }
        try {
            Files.deleteIfExists(unfinished);
            for (String suffix : List.of("-wal", "-shm")) {
                Files.deleteIfExists(ReadOnlyStore.companion(unfinished, suffix));
            }
        } catch (IOException e) {
            LOG.log(Level.WARNING, "[{0}] could not be deleted; delete it by hand: {1}", unfinished, e.getMessage());
        }
    }
}
