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
 * The database, migrated and ready. What is written joins a group commit: the answer comes when the transaction is on
 * disk. Safe for use by many threads.
 */
public final class Store implements AutoCloseable {

    private static final System.Logger LOG = System.getLogger(Store.class.getName());

    private final Database database;
    private final GroupCommit commits;
    private final OutageTracker reads;
    private final InstantSource clock;
    private final @Nullable DatabaseClock shared;
    private final List<HomeLock> locks;
    private final AtomicBoolean closed = new AtomicBoolean();
    private volatile boolean quiet;

    /** Some answers are slow; should all be, this node's own clock counts until one is not. */
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
     * @param home is locked, here and below: every other Postern is kept out of it until {@link #close}
     * @param context names the web app in the commit thread's name
     * @throws StoreException in words for the operator, when the home is in use or the file can't be opened
     */
    public static Store open(Path home, String context, InstantSource clock) throws StoreException {
        return open(home, context, clock, sqlite(home.resolve("data").resolve("postern.db"), home));
    }

    /**
     * Opens the PostgreSQL behind {@code source}, which stays the caller's.
     *
     * @throws StoreException in words for the operator, when the home is in use, or {@code source} is no PostgreSQL or
     *     gives no connection
     */
    public static Store open(DataSource source, Path home, String context, InstantSource clock) throws StoreException {
        return open(home, context, clock, locks -> PostgresDatabase.of(source, context));
    }

    /**
     * Opens a {@code jdbc:postgresql:} URL with a pool of its own, or the file of a {@code jdbc:sqlite:} URL, which is
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
            return open(home, context, clock, sqlite(sqlite.file(), home));
        }
        if (target instanceof DatabaseUrl.Unfit unfit) {
            throw new StoreException("the database [" + OwnConnectionPool.withoutQuery(url) + "] " + unfit.wrong()
                    + "; " + unfit.instead());
        }
        return open(
                home, context, clock, locks -> PostgresDatabase.of(OwnConnectionPool.open(url, username, password)));
    }

    private static Opening sqlite(Path name, Path home) {
        Path file = name.toAbsolutePath();
        return locks -> {
            SqliteDatabase.prepare(file, home, locks);
            return SqliteDatabase.open(file);
        };
    }

    /** Opens a database, and adds the locks that it needs beside the home's. */
    private interface Opening {
        Database open(List<HomeLock> locks) throws StoreException;
    }

    private static Store open(Path home, String context, InstantSource clock, Opening opening) throws StoreException {
        List<HomeLock> locks = new ArrayList<>();
        @Nullable Database database = null;
        boolean opened = false;
        try {
            locks.add(HomeLock.ofHome(home.toAbsolutePath()));
            database = opening.open(locks);
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
     * Has {@code unit} join the next group commit. The future ends when that commit is on disk: with the unit's result,
     * or with a {@link StoreException} when nothing of it was kept ({@link UncertainCommitException}: when nobody knows), or with what
     * the unit itself threw unchecked.
     */
    public <T> CompletableFuture<T> write(UnitOfWork<T> unit) {
        return commits.write(unit);
    }

    /** As {@link #write(UnitOfWork)}, together with whatever else of {@code work} has come in. */
    public <I, O> CompletableFuture<O> write(BatchWrite<I, O> work, I input) {
        return commits.write(work, input);
    }

    /** As {@link #write(UnitOfWork)}, and waits for the end. */
    public <T> T writeAndWait(UnitOfWork<T> unit) throws StoreException {
        return GroupCommit.await(write(unit));
    }

    /** As {@link #write(BatchWrite, Object)}, and waits for the end. */
    public <I, O> O writeAndWait(BatchWrite<I, O> work, I input) throws StoreException {
        return GroupCommit.await(write(work, input));
    }

    /** Runs {@code unit}, which only reads, on a connection of its own; sees what is committed. */
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
     * The time that everything in the database is written and compared in: where nodes share it, the database's own, as
     * far as {@link #readClock} was called now and then; else this machine's.
     */
    public InstantSource clock() {
        return shared == null ? clock : shared;
    }

    /** Asks the database what time it is; false where its answer took too long to be of use. */
    public boolean readClock(SqlTransaction sql) throws SQLException {
        return shared == null || shared.read(sql);
    }

    /** The number of the schema that this program knows; the database may have a later one. */
    public static int knownSchema() {
        return SchemaMigrator.known();
    }

    /** Which database it is. */
    public SqlDialect dialect() {
        return database.dialect();
    }

    /** What a person calls it: kind and place, without user and password. */
    public String location() {
        return database.location();
    }

    /**
     * Has the log told from now on, or no longer, when reads and writes begin to fail. A start that is tried again and again tells of
     * its faults by itself.
     */
    public void tellFaults(boolean told) {
        quiet = !told;
        reads.tell(told);
        commits.tellFaults(told);
    }

    /** What the group commit did so far. */
    public StoreMetrics figures() {
        return commits.figures();
    }

    /**
     * False while the latest attempt to write was one that failed. It turns true with the next commit that changes
     * something, so somebody has to write now and then, whether or not requests come in.
     */
    public boolean takesWrites() {
        return commits.takesWrites();
    }

    /** False when nothing will ever be written again, since the commit thread has ended. */
    public boolean isAlive() {
        return commits.isAlive();
    }

    /**
     * Finishes what was queued, ends the commit thread, closes the database, lets go of the home. Safe to call twice.
     */
    @Override
    public void close() {
        if (!closed.getAndSet(true)) {
            commits.close();
            release(database, locks, quiet);
        }
    }

    /** What can't be closed keeps nothing else open. */
    private static void release(@Nullable Database database, List<HomeLock> locks, boolean quiet) {
        try {
            if (database != null) {
                database.close();
            }
        } catch (SQLException | RuntimeException e) {
            LOG.log(
                    quiet ? Level.DEBUG : Level.WARNING,
                    "The database was not closed cleanly; nothing is lost by that: {0}",
                    StoreException.kindOf(e));
        }
        try {
            JdbcDriverCleanup.deregisterOurs();
        } catch (SQLException e) {
            LOG.log(Level.WARNING, "A database driver stays registered, and keeps this web app in memory", e);
        }
        locks.forEach(HomeLock::close);
    }
}
