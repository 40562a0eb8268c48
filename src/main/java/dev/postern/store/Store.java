package dev.postern.store;

import dev.postern.model.DatabaseUrl;
import dev.postern.model.Secret;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The store: the migrated database with its group commit. Writes join a group commit, and return when the transaction
 * is on disk. Safe for use by many threads.
 */
public final class Store implements StoreReader, AutoCloseable {

    private static final System.Logger LOG = System.getLogger(Store.class.getName());

    private final Database database;
    private final GroupCommit commits;
    private final OutageTracker reads;
    private final InstantSource clock;
    private final @Nullable DatabaseClock shared;
    private final List<HomeLock> locks;
    private final AtomicBoolean closed = new AtomicBoolean();
    private volatile boolean quiet;

    /**
     * The number of attempts to read the database's clock at the start. Some round trips are slow; if all are, this
     * node's own clock counts until one is not.
     */
    private static final int MOST_READINGS = 5;

    private Store(Database database, List<HomeLock> locks, String context, InstantSource clock) throws StoreException {
        new SchemaMigrator(clock).migrate(database);
        this.database = database;
        this.locks = locks;
        this.clock = clock;
        this.shared = database.dialect().shared() ? new DatabaseClock(clock, System::nanoTime) : null;
        this.reads = new OutageTracker("reads", clock);
        this.commits = new GroupCommit(database, context, clock);
        boolean told = false;
        for (int i = 0; i < MOST_READINGS && !told; i++) {
            told = read(this::readClock);
        }
        commits.start();
    }

    /**
     * Opens or makes {@code data/postern.db} in {@code home}.
     *
     * @param home locked until {@link #close}, here and in the methods below: no other Postern can use it
     * @param context the web app's name, for the name of the commit thread
     * @throws StoreException in words for the operator, when the home is in use or the file can't be opened
     */
    public static Store open(Path home, String context, InstantSource clock) throws StoreException {
        return openSqlite(home.resolve("data").resolve("postern.db"), home, context, clock);
    }

    /**
     * Opens the PostgreSQL behind {@code source}, which stays the caller's.
     *
     * @throws StoreException in words for the operator, when the home is in use, or {@code source} is not PostgreSQL or
     *     gives no connection
     */
    public static Store open(DataSource source, Path home, String context, InstantSource clock) throws StoreException {
        return open(home, null, context, clock, locks -> PostgresDatabase.of(source, context));
    }

    /**
     * Opens a {@code jdbc:postgresql:} URL with its own pool, or the file of a {@code jdbc:sqlite:} URL, which is
     * locked like the home.
     *
     * @throws StoreException in words for the operator, without the password; also for any other kind of URL
     */
    public static Store open(
            String url,
            @Nullable String username,
            @Nullable Secret password,
            Path home,
            String context,
            InstantSource clock)
            throws StoreException {
        DatabaseUrl target = DatabaseUrl.of(url);
        if (target instanceof DatabaseUrl.SqliteFile sqlite) {
            return openSqlite(sqlite.file(), home, context, clock);
        }
        if (target instanceof DatabaseUrl.Unsupported unsupported) {
            throw new StoreException("database.url " + unsupported.wrong() + "; " + unsupported.instead());
        }
        return open(
                home,
                null,
                context,
                clock,
                locks -> PostgresDatabase.of(OwnConnectionPool.open(url, username, password)));
    }

    private static Store openSqlite(Path name, Path home, String context, InstantSource clock) throws StoreException {
        Path file = name.toAbsolutePath();
        return open(home, file, context, clock, locks -> {
            SqliteDatabase.prepare(file, home, locks);
            return SqliteDatabase.open(file);
        });
    }

    /** An opener for one kind of database; it adds the locks that the database needs beside the home's. */
    private interface Opening {
        Database open(List<HomeLock> locks) throws StoreException;
    }

    /** @param sqlite the file of the database; null for another kind */
    private static Store open(Path home, @Nullable Path sqlite, String context, InstantSource clock, Opening opening)
            throws StoreException {
        List<HomeLock> locks = new ArrayList<>();
        @Nullable Database database = null;
        boolean opened = false;
        try {
            locks.add(HomeLock.ofHome(home.toAbsolutePath()));
            LastDatabase.requireNoneRestored(home, sqlite);
            database = opening.open(locks);
            LastDatabase.record(home, database.location());
            Store store = new Store(database, locks, context, clock);
            opened = true;
            return store;
        } finally {
            if (!opened) {
                release(database, locks, true);
            }
        }
    }

    /**
     * Adds {@code unit} to the next group commit. The future completes when that commit is on disk, with the unit's
     * result. It fails with a {@link StoreException} when nothing of the unit was kept, with a {@link RejectedWriteException}
     * when that would be so again, with an {@link UncertainCommitException} when that is unknown, or with the unit's own
     * unchecked exception.
     */
    public <T> CompletableFuture<T> write(UnitOfWork<T> unit) {
        return commits.write(unit);
    }

    /** As {@link #write(UnitOfWork)}, together with the other inputs for {@code work} that have come in. */
    public <I, O> CompletableFuture<O> write(BatchWrite<I, O> work, I input) {
        return commits.write(work, input);
    }

    /** As {@link #write(UnitOfWork)}, and waits for the result. */
    public <T> T writeAndWait(UnitOfWork<T> unit) throws StoreException {
        return GroupCommit.await(write(unit));
    }

    /** As {@link #write(BatchWrite, Object)}, and waits for the result. */
    public <I, O> O writeAndWait(BatchWrite<I, O> work, I input) throws StoreException {
        return GroupCommit.await(write(work, input));
    }

    /** Runs {@code unit}, which only reads, on a connection of its own. It sees committed data. */
    @Override
    public <T> T read(UnitOfWork<T> unit) throws StoreException {
        if (closed.get()) {
            throw new StoreException("the store is closed");
        }
        try {
            T result = database.read(unit);
            reads.worked();
            return result;
        } catch (SQLException e) {
            StoreException failure = StoreException.of("the database could not be read", e);
            reads.failed(1, failure);
            throw failure;
        }
    }

    /**
     * The clock for all times in the database. Where nodes share the database it is the database's own, as last read by
     * {@link #readClock}; else this machine's.
     */
    public InstantSource clock() {
        return shared == null ? clock : shared;
    }

    /** Reads the database's clock; false when the round trip took too long for the reading to count. */
    public boolean readClock(SqlTransaction sql) throws SQLException {
        return shared == null || shared.read(sql);
    }

    /** The number of the newest schema that this program knows; the database may have a later one. */
    public static int knownSchema() {
        return SchemaMigrator.known();
    }

    /** The database's dialect. */
    public SqlDialect dialect() {
        return database.dialect();
    }

    /** The database's name for people: kind and place, without user and password. */
    public String location() {
        return database.location();
    }

    /**
     * Turns the log messages about failing reads and writes on or off. A start that is retried again and again logs its
     * errors itself.
     */
    public void logOutages(boolean told) {
        quiet = !told;
        reads.logOutages(told);
        commits.logOutages(told);
    }

    /** The metrics of the group commit. */
    public StoreMetrics metrics() {
        return commits.metrics();
    }

    /**
     * False while the latest attempt to write has failed. It turns true with the next commit that changes something, so
     * a write is needed now and then, whether or not requests come in.
     */
    public boolean takesWrites() {
        return commits.takesWrites();
    }

    /** False when no write can succeed any more, because the commit thread has ended. */
    public boolean isAlive() {
        return commits.isAlive();
    }

    /**
     * Finishes the queued writes, ends the commit thread, closes the database and releases the home. Safe to call
     * twice.
     */
    @Override
    public void close() {
        if (!closed.getAndSet(true)) {
            commits.close();
            release(database, locks, quiet);
        }
    }

    /** Closes the database and releases the locks. An error in one step does not stop the others. */
    private static void release(@Nullable Database database, List<HomeLock> locks, boolean quiet) {
        try {
            if (database != null) {
                database.close();
            }
        } catch (SQLException | RuntimeException e) {
            LOG.log(
                    quiet ? Level.DEBUG : Level.WARNING,
                    "The database was not closed cleanly; no data is lost: {0}",
                    StoreException.kindOf(e));
        }
        try {
            JdbcDriverCleanup.deregisterOurs();
        } catch (SQLException e) {
            LOG.log(Level.WARNING, "Could not deregister the JDBC drivers; they keep this web app in memory", e);
        }
        locks.forEach(HomeLock::close);
    }
}
