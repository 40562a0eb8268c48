package dev.postern.store;

import dev.postern.net.OwnerOnlyFiles;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * An offline command that gives the space which deleted rows have left in a SQLite database back to the disk. SQLite writes the
 * database anew in one transaction, so that a process that is killed meanwhile leaves it as it was.
 */
public final class SqliteCompaction {

    private static final System.Logger LOG = System.getLogger(SqliteCompaction.class.getName());

    private SqliteCompaction() {}

    /**
     * Compacts {@code database}.
     *
     * @param home is locked meanwhile, and {@code database} too where it lies elsewhere
     * @throws AlreadyInUseException where a Postern has one of them
     * @throws StoreException in words for the operator, where there is no database, no room for a copy of it, or it can't be
     *     read; it is as it was then
     */
    public static CompactionResult run(Path database, Path home) throws StoreException {
        Path file = database.toAbsolutePath();
        if (!Files.isRegularFile(file)) {
            throw new StoreException("there is no SQLite database [" + file + "]");
        }
        List<HomeLock> locks = new ArrayList<>();
        try {
            locks.add(HomeLock.ofHome(home.toAbsolutePath()));
            SqliteDatabase.prepare(file, home, locks);
            long before = size(file);
            compact(file);
            return new CompactionResult(file, before, size(file));
        } catch (IOException e) {
            throw new StoreException("the size of [" + file + "] can't be read: " + OwnerOnlyFiles.reason(e), e);
        } finally {
            locks.forEach(HomeLock::close);
        }
    }

    private static void compact(Path file) throws StoreException {
        SqliteDatabase opened = SqliteDatabase.open(file);
        try {
            opened.compact();
        } finally {
            try {
                opened.close();
            } catch (SQLException e) {
                LOG.log(
                        Level.WARNING,
                        "[{0}] was not closed cleanly; nothing is lost by that: {1}",
                        file,
                        e.getMessage());
            }
        }
    }

    private static long size(Path file) throws IOException {
        Path log = file.resolveSibling(file.getFileName() + "-wal");
        return Files.size(file) + (Files.exists(log) ? Files.size(log) : 0);
    }
}
