package dev.postern.store;

import dev.postern.net.OwnerOnlyFiles;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
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
final class SqliteDriver {

    private static final String TMPDIR = "org.sqlite.tmpdir";
    private static final String LIBRARIES = "sqlite-*";

    private SqliteDriver() {}

    /** Loads the library through {@code directory}, after it has removed the files that killed processes left there. */
    static void load(Path directory) throws StoreException {
        try {
            OwnerOnlyFiles.createDirectories(directory);
            removeLeftovers(directory);
        } catch (IOException e) {
            throw new StoreException("cannot use [" + directory + "]: " + OwnerOnlyFiles.reason(e), e);
        }
        boolean ours = System.getProperty(TMPDIR) == null;
        Thread thread = Thread.currentThread();
        ClassLoader webApp = thread.getContextClassLoader();
        if (ours) {
            System.setProperty(TMPDIR, directory.toString());
        }
        thread.setContextClassLoader(ClassLoader.getPlatformClassLoader());
        try {
            SQLiteJDBCLoader.initialize();
            narrow(directory);
        } catch (Exception e) {
            throw new StoreException(
                    "SQLite's native library could not be loaded from [" + directory + "]: " + e.getMessage(), e);
        } finally {
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
    }
}
