package dev.postern.store;

import dev.postern.net.DirectoryTree;
import dev.postern.net.OwnerOnlyFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicReference;
import java.util.logging.Filter;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;
import org.sqlite.SQLiteJDBCLoader;

/**
 * A loader for SQLite's native library, from a directory of the home. The driver unpacks the library to
 * {@code java.io.tmpdir} unless the system property {@code org.sqlite.tmpdir} names another directory when its classes
 * are first used. A {@code /tmp} may forbid executables, and each killed process would leave a file there for good. The
 * property belongs to the whole process, so it is set only while the library loads, and an operator's own value is left
 * alone.
 *
 * <p>The driver starts a program to ask the operating system for its name. The JVM's thread that waits for programs to
 * end lives on for a minute, and must not keep the web app's class loader in memory.
 */
public final class SqliteDriver {

    private static final String TMPDIR = "org.sqlite.tmpdir";
    private static final String LIBRARIES = "sqlite-*";

    /** The beginning of the name of a directory in which a command has a library of its own. */
    private static final String COMMAND = "command-";

    /** The driver's logger, held here since the JVM may forget its filter otherwise. */
    private static final Logger LOADER_LOGGER = Logger.getLogger("org.sqlite.SQLiteJDBCLoader");

    private SqliteDriver() {}

    /** The directory of {@code home} for the library, which the first start makes. */
    public static Path directory(Path home) {
        return home.toAbsolutePath().resolve("work").resolve("sqlite");
    }

    /**
     * Loads the library through {@code directory}, after it has removed the files that killed processes left there.
     *
     * @throws StoreException in words for the operator, when it can't be unpacked or loaded there
     */
    static void load(Path directory) throws StoreException {
        try {
            OwnerOnlyFiles.createDirectories(directory);
            removeLeftovers(directory);
        } catch (IOException e) {
            throw new StoreException("cannot use [" + directory + "]: " + OwnerOnlyFiles.reason(e), e);
        }
        load(directory, TMPDIR);
    }

    /**
     * Loads the library for a command, beside which a Postern may use the home.
     *
     * @param preferred the first directory to try, if it is there and can be written; null for the directory for temporary
     *     files alone, which is the second
     * @return a new directory in one of them, to be deleted when the library is no longer in use
     * @throws StoreException in words for the operator, when the library can't be loaded from either
     */
    static Path loadForCommand(@Nullable Path preferred) throws StoreException, IOException {
        if (preferred != null && Files.isDirectory(preferred) && Files.isWritable(preferred)) {
            try {
                return loadInto(Files.createTempDirectory(preferred, COMMAND));
            } catch (StoreException | IOException e) {
                System.getLogger(SqliteDriver.class.getName())
                        .log(System.Logger.Level.DEBUG, "[" + preferred + "] can't hold SQLite's library", e);
            }
        }
        return loadInto(Files.createTempDirectory("postern-"));
    }

    private static Path loadInto(Path made) throws StoreException, IOException {
        boolean loaded = false;
        try {
            load(made, "java.io.tmpdir");
            loaded = true;
            return made;
        } finally {
            if (!loaded) {
                DirectoryTree.delete(made);
            }
        }
    }

    /** @param property the system property with which an operator can name another directory */
    private static void load(Path directory, String property) throws StoreException {
        boolean ours = System.getProperty(TMPDIR) == null;
        Thread thread = Thread.currentThread();
        ClassLoader webApp = thread.getContextClassLoader();
        if (ours) {
            System.setProperty(TMPDIR, directory.toString());
        }
        thread.setContextClassLoader(ClassLoader.getPlatformClassLoader());
        // The driver logs the reason with its stack trace, and throws an exception without it.
        AtomicReference<@Nullable Throwable> reason = new AtomicReference<>();
        Filter filter = LOADER_LOGGER.getFilter();
        LOADER_LOGGER.setFilter(entry -> {
            reason.compareAndSet(null, entry.getThrown());
            return false;
        });
        try {
            SQLiteJDBCLoader.initialize();
            narrow(directory);
        } catch (Exception e) {
            Throwable cause = reason.get() == null ? e : reason.get();
            throw new StoreException(
                    "SQLite's native library could not be loaded from ["
                            + (ours ? directory : System.getProperty(TMPDIR)) + "]: "
                            + (cause instanceof IOException file ? OwnerOnlyFiles.reason(file) : cause.getMessage())
                            + "; if its file system forbids executables, name another directory with -D"
                            + (ours ? property : TMPDIR) + "=DIR",
                    cause);
        } finally {
            LOADER_LOGGER.setFilter(filter);
            thread.setContextClassLoader(webApp);
            if (ours) {
                System.clearProperty(TMPDIR);
            }
        }
    }

    /** Restricts the unpacked files to the owner. The driver leaves their permissions to the umask. */
    private static void narrow(Path directory) throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, LIBRARIES)) {
            for (Path file : files) {
                OwnerOnlyFiles.narrow(file);
            }
        }
    }

    private static void removeLeftovers(Path directory) throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, LIBRARIES)) {
            for (Path file : files) {
                if (!file.toFile().delete()) {
                    System.getLogger(SqliteDriver.class.getName())
                            .log(System.Logger.Level.DEBUG, "[{0}] is still in use; not deleted", file);
                }
            }
        }
        try (DirectoryStream<Path> commands = Files.newDirectoryStream(directory, COMMAND + "*")) {
            for (Path command : commands) {
                removeLeftover(command);
            }
        }
    }

    /** A command that has not loaded its library yet takes another directory. */
    private static void removeLeftover(Path command) {
        try {
            DirectoryTree.delete(command);
        } catch (IOException | UncheckedIOException e) {
            System.getLogger(SqliteDriver.class.getName())
                    .log(System.Logger.Level.DEBUG, "[" + command + "] is still in use; not deleted", e);
        }
    }
}
