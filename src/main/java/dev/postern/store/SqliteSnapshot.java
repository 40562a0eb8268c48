package dev.postern.store;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A copier of a SQLite database while a Postern uses it. SQLite writes the copy in one read transaction: it has every
 * commit from before, and nothing half. Writers go on meanwhile. The copy is one file, without the space of deleted rows.
 */
public final class SqliteSnapshot {

    private SqliteSnapshot() {}

    /**
     * The files that belong to {@code database}, with links resolved: itself, those that SQLite keeps beside it, and the lock.
     * They need not be there.
     *
     * @throws IOException if {@code database} is not there or can't be reached
     */
    public static Set<Path> files(Path database) throws IOException {
        Path file = database.toRealPath();
        Path directory = database.toAbsolutePath().resolveSibling("").toRealPath();
        return new HashSet<>(List.of(
                file,
                ReadOnlyStore.companion(file, "-wal"),
                ReadOnlyStore.companion(file, "-shm"),
                ReadOnlyStore.companion(file, "-journal"),
                HomeLock.lockOf(directory.resolve(database.getFileName()))));
    }

    /**
     * Copies {@code database} to {@code target}.
     *
     * @param target an empty file, or none yet; incomplete after an exception
     * @param libraries the directory for SQLite's library, if it can be used; else the one for temporary files is
     * @throws StoreException in words for the operator, when there is no database, it can't be read, or the copy can't be
     *     written
     */
    public static void copy(Path database, Path target, Path libraries) throws StoreException {
        Path file = database.toAbsolutePath();
        SqliteDatabase.requireFile(file);
        // A Postern that starts meanwhile is seen by SQLite's own files, unless nobody can make them.
        boolean immutable = !ReadOnlyStore.hasCompanions(file) && !Files.isWritable(file.resolveSibling(""));
        try (ReadOnlyStore source = ReadOnlyStore.sqlite(file, immutable, libraries)) {
            source.copyTo(target);
        } catch (SQLException e) {
            throw StoreUnavailableException.orNever(
                    "[" + file + "] can't be copied to [" + target + "]: " + SqliteDatabase.lackOfRoom(target)
                            + e.getMessage(),
                    e);
        }
    }
}
