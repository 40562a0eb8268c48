package dev.postern.app;

import dev.postern.config.DatabaseLookup;
import dev.postern.config.ProcessEnvironment;
import dev.postern.store.AlreadyInUseException;
import dev.postern.store.CompactionResult;
import dev.postern.store.LastDatabase;
import dev.postern.store.SqliteCompaction;
import dev.postern.store.StoreException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;

/** The command {@code compact}, which shrinks a SQLite file to the size of its contents. By itself the file only grows. */
public final class CompactCommand {

    private static final String PROBLEM = "problem: ";

    private CompactCommand() {}

    /**
     * Compacts the database of this process's configuration.
     *
     * @param out gets the file's size before and after
     * @param err gets the reasons why it was not compacted
     * @return 0 if it is compact, or is a PostgreSQL database; else 1, and it is unchanged
     */
    public static int run(PrintStream out, PrintStream err) {
        DatabaseLookup lookup = DatabaseLookup.of(ProcessEnvironment.ofProcess(name -> null));
        if (lookup instanceof DatabaseLookup.Invalid invalid) {
            invalid.problems().forEach(problem -> err.println(PROBLEM + problem));
            return 1;
        }
        DatabaseLookup.Found found = (DatabaseLookup.Found) lookup;
        Optional<Path> file = found.sqliteFile();
        if (file.isPresent()) {
            return compact(file.get(), found.home(), out, err);
        }
        out.println(
                "The database is PostgreSQL (database.url), which uses freed space again by itself: nothing was done.");
        return 0;
    }

    private static int compact(Path file, Path home, PrintStream out, PrintStream err) {
        try {
            boolean isKnown = LastDatabase.require(file, home);
            CompactionResult result = SqliteCompaction.run(file, home);
            out.println("The database [" + result.file() + "] had " + megabytes(result.bytesBefore()) + " and has "
                    + megabytes(result.bytesAfter()) + " now.");
            if (!isKnown) {
                out.println(BackupCommand.UNKNOWN_DATABASE);
            }
            return 0;
        } catch (AlreadyInUseException e) {
            err.println(PROBLEM + e.fact() + "; stop it first");
        } catch (StoreException e) {
            err.println(PROBLEM + e.getMessage());
        }
        return 1;
    }

    private static String megabytes(long bytes) {
        return String.format(Locale.ROOT, "%.1f MB", bytes / 1e6);
    }
}
