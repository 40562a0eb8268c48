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
 * An offline command that returns the space of deleted rows in a SQLite database to the disk. SQLite rewrites the
 * database in one transaction, so a process that is killed meanwhile leaves it unchanged.
 */
public final class SqliteCompaction {

    private static final System.Logger LOG = System.getLogger(SqliteCompaction.class.getName());

    private SqliteCompaction() {}

    /**
     * Compacts {@code database}.
     *
     * @param home locked meanwhile; {@code database} is locked too where it lies elsewhere
     * @throws AlreadyInUseException when a Postern uses one of them
     * @throws StoreException in words for the operator, when there is no database, no disk space for a copy of it, or
     *     it can't be read; the database is unchanged then
     */
    public static CompactionResult run(Path database, Path home) throws StoreException {
        Path file = database.toAbsolutePath();
        SqliteDatabase.requireFile(file);
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
                LOG.log(Level.WARNING, "[{0}] was not closed cleanly; no data is lost: {1}", file, e.getMessage());
            }
        }
    }

    private static long size(Path file) throws IOException {
        Path log = file.resolveSibling(file.getFileName() + "-wal");
        return Files.size(file) + (Files.exists(log) ? Files.size(log) : 0);
    }
}
