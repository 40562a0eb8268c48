package dev.postern.store;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;

/**
 * A copier of a SQLite database while a Postern uses it. SQLite writes the copy in one read transaction: it has every
 * commit from before, and nothing half. Writers go on meanwhile. The copy is one file, without the space of deleted rows.
 */
public final class SqliteSnapshot {

    private SqliteSnapshot() {}

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
