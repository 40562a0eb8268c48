package dev.postern.store;

import com.zaxxer.hikari.HikariDataSource;
import dev.postern.model.DatabaseUrl;
import dev.postern.model.Secret;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The database, migrated and ready. What is written joins a group commit: the answer comes when the transaction is on
 * disk. Safe for use by many threads.
 */
public final class Store implements AutoCloseable {

    private final Database database;
    private final GroupCommit commits;
    private final Runnable unlock;
    private final AtomicBoolean closed = new AtomicBoolean();

    private Store(Database database, Runnable unlock, String context, InstantSource clock) throws StoreException {
        new Migrator(clock).migrate(database);
        this.database = database;
        this.unlock = unlock;
        this.commits = new GroupCommit(database, context);
        commits.start();
    }

    /**
     * Opens or makes {@code data/postern.db} in {@code home}, and keeps every other Postern out of that home.
     *
     * @param context names the web app in the commit thread's name
     * @throws StoreException in words for the operator, when the home is in use or the file can't be opened
     */
    public static Store open(Path home, String context, InstantSource clock) throws StoreException {
        return openFile(home.resolve("data").resolve("postern.db"), home, context, clock);
    }

    /**
     * Opens the PostgreSQL behind {@code source}, which stays the caller's.
     *
     * @throws StoreException in words for the operator, when it is no PostgreSQL or gives no connection
     */
    public static Store open(DataSource source, String context, InstantSource clock) throws StoreException {
        return new Store(PostgresSource.of(source, () -> {}), () -> {}, context, clock);
    }

    /**
     * Opens a {@code jdbc:postgresql:} URL with a pool of its own, or the file of a {@code jdbc:sqlite:} URL.
     *
     * @param home where SQLite's native library is unpacked
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
            return openFile(sqlite.file(), home, context, clock);
        }
        if (target instanceof DatabaseUrl.Unfit unfit) {
            throw new StoreException(
                    "the database [" + OwnPool.withoutQuery(url) + "] " + unfit.wrong() + "; " + unfit.instead());
        }
        HikariDataSource pool = OwnPool.open(url, username, password, "postern-" + context + "-db");
        boolean opened = false;
        try {
            Store store = new Store(PostgresSource.of(pool, pool::close), () -> {}, context, clock);
            opened = true;
            return store;
        } finally {
            if (!opened) {
                pool.close();
            }
        }
    }

    private static Store openFile(Path name, Path home, String context, InstantSource clock) throws StoreException {
        Path file = name.toAbsolutePath();
        Path directory = file.getParent();
        if (directory == null) {
            throw new StoreException("[" + file + "] is no file for a database");
        }
        try {
            PrivateFiles.createDirectories(directory);
        } catch (IOException e) {
            throw new StoreException("cannot make [" + directory + "]: " + PrivateFiles.reason(e), e);
        }
        String stem = file.getFileName().toString().replaceFirst("\\.db$", "");
        HomeLock lock = HomeLock.acquire(directory.resolve(stem + ".lock"));
        boolean opened = false;
        try {
            SqliteDriver.load(home.toAbsolutePath().resolve("work").resolve("sqlite"));
            Store store = new Store(SqliteFile.open(file), lock::close, context, clock);
            opened = true;
            return store;
        } finally {
            if (!opened) {
                lock.close();
            }
        }
    }

    /**
     * Has {@code unit} join the next group commit. The future ends when that commit is on disk: with the unit's result,
     * or with a {@link StoreException} when nothing of it was kept, or with what the unit itself threw unchecked.
     */
    public <T> CompletableFuture<T> write(Unit<T> unit) {
        return commits.write(unit);
    }

    /** As {@link #write(Unit)}, together with whatever else of {@code work} has come in. */
    public <I, O> CompletableFuture<O> write(Bulk<I, O> work, I input) {
        return commits.write(work, input);
    }

    /** As {@link #write(Unit)}, and waits for the end. */
    public <T> T writeAndWait(Unit<T> unit) throws StoreException {
        return GroupCommit.await(write(unit));
    }

    /** As {@link #write(Bulk, Object)}, and waits for the end. */
    public <I, O> O writeAndWait(Bulk<I, O> work, I input) throws StoreException {
        return GroupCommit.await(write(work, input));
    }

    /** Runs {@code unit}, which only reads, on a connection of its own; sees what is committed. */
    public <T> T read(Unit<T> unit) throws StoreException {
        try {
            return database.read(unit);
        } catch (SQLException e) {
            throw new StoreException("the database could not be read: " + e.getMessage(), e);
        }
    }

    /** Which database it is. */
    public Dialect dialect() {
        return database.dialect();
    }

    /** What the group commit did so far. */
    public StoreFigures figures() {
        return commits.figures();
    }

    /**
     * Finishes what was queued, ends the commit thread, closes the database, lets go of the home. Safe to call twice.
     */
    @Override
    public void close() {
        if (closed.getAndSet(true)) {
            return;
        }
        commits.close();
        try {
            database.close();
            Drivers.deregisterOurs();
        } catch (SQLException e) {
            System.getLogger(Store.class.getName())
                    .log(Level.WARNING, "The database was not closed cleanly; nothing is lost by that", e);
        } finally {
            unlock.run();
        }
    }
}
