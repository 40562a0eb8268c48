package dev.postern.app;

import dev.postern.config.ConfigurationLoader;
import dev.postern.config.ConfigurationResult;
import dev.postern.config.ConfigurationResult.Configured;
import dev.postern.config.ConfigurationResult.Rejected;
import dev.postern.config.ProcessEnvironment;
import dev.postern.config.Settings;
import dev.postern.model.DatabaseUrl;
import dev.postern.store.AlreadyInUseException;
import dev.postern.store.CompactionResult;
import dev.postern.store.SqliteCompaction;
import dev.postern.store.StoreException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.Locale;

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
        ConfigurationResult configuration = new ConfigurationLoader(ProcessEnvironment.ofProcess(name -> null))
                .load(ConfigurationLoader.Mode.CHECK);
        if (configuration instanceof Rejected rejected) {
            rejected.problems().forEach(problem -> err.println(PROBLEM + problem));
            return 1;
        }
        Settings settings = ((Configured) configuration).settings();
        String url = settings.database().url();
        if (url == null) {
            return compact(settings.home().resolve("data").resolve("postern.db"), settings.home(), out, err);
        }
        if (DatabaseUrl.of(url) instanceof DatabaseUrl.SqliteFile sqlite) {
            return compact(sqlite.file(), settings.home(), out, err);
        }
        out.println(
                "The database is PostgreSQL (database.url), which uses freed space again by itself: nothing was done.");
        return 0;
    }

    private static int compact(Path file, Path home, PrintStream out, PrintStream err) {
        try {
            CompactionResult result = SqliteCompaction.run(file, home);
            out.println("The database [" + result.file() + "] had " + megabytes(result.bytesBefore()) + " and has "
                    + megabytes(result.bytesAfter()) + " now.");
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
