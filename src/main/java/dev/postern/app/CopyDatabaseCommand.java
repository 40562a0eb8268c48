package dev.postern.app;

import dev.postern.config.DatabaseLookup;
import dev.postern.config.ProcessEnvironment;
import dev.postern.config.Settings;
import dev.postern.model.DatabaseUrl;
import dev.postern.model.Secret;
import dev.postern.store.AlreadyInUseException;
import dev.postern.store.DatabaseCopy;
import dev.postern.store.LastDatabase;
import dev.postern.store.StoreException;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The command {@code copy-database}, which moves a home from SQLite to PostgreSQL or back. */
public final class CopyDatabaseCommand {

    private static final String PROBLEM = "problem: ";

    private CopyDatabaseCommand() {}

    /**
     * Copies the database of this process's home to an empty one.
     *
     * @param in gives the password of the target, if there is no terminal
     * @param out gets a line for each table
     * @param err gets the question for the password, and the reason why nothing was copied
     * @param options {@code to}, a JDBC URL, and {@code username}, for which a password is asked
     * @return 0 if the target has everything, else 1, and then it has nothing
     */
    public static int run(InputStream in, PrintStream out, PrintStream err, Map<String, String> options) {
        DatabaseLookup lookup = DatabaseLookup.of(ProcessEnvironment.ofProcess(name -> null));
        if (lookup instanceof DatabaseLookup.Invalid invalid) {
            invalid.problems().forEach(problem -> err.println(PROBLEM + problem));
            return 1;
        }
        DatabaseLookup.Found found = (DatabaseLookup.Found) lookup;
        String url = String.valueOf(options.get("to"));
        if (DatabaseUrl.of(url) instanceof DatabaseUrl.Unsupported unsupported) {
            err.println(PROBLEM + "--to " + unsupported.wrong()
                    + "; write jdbc:postgresql://host/database or jdbc:sqlite:/path/to/file.db");
            return 1;
        }
        Rows rows = new Rows(out);
        try {
            Optional<Path> file = found.sqliteFile();
            if (file.isPresent() && !LastDatabase.require(file.get(), found.home())) {
                out.println(BackupCommand.UNKNOWN_DATABASE);
            }
            Settings.Database target = target(in, err, url, options.get("username"));
            DatabaseCopy.run(found.database(), target, found.home(), InstantSource.system(), rows);
        } catch (AlreadyInUseException e) {
            err.println(PROBLEM + e.fact() + "; stop it first");
            return 1;
        } catch (StoreException e) {
            err.println(PROBLEM + e.getMessage());
            return 1;
        } catch (IOException e) {
            err.println(PROBLEM + "the password can't be read: " + e.getMessage());
            return 1;
        }
        out.println("Copied " + CountText.of(rows.total, "row")
                + ". Each was compared with its source, which stays as it was.");
        out.println(
                "Now set database.url to the target. Start no Postern on the source again, or it does the same work.");
        return 0;
    }

    private static Settings.Database target(InputStream in, PrintStream err, String url, @Nullable String username)
            throws IOException {
        if (username == null) {
            return new Settings.Database(url, null, null);
        }
        String password =
                new TerminalPrompt(System.console(), in, err).secret("Password of " + username + " at the target");
        return new Settings.Database(url, username, password.isEmpty() ? null : new Secret(password));
    }

    /** A counter of rows that prints each table. */
    private static final class Rows implements DatabaseCopy.Progress {

        private final PrintStream out;
        private long total;

        Rows(PrintStream out) {
            this.out = out;
        }

        @Override
        public void copying(String table, long rows) {
            out.println(table + ": " + rows + " rows so far");
        }

        @Override
        public void copied(String table, long rows, String sha256) {
            total += rows;
            out.println(table + ": " + CountText.of(rows, "row") + ", compared, SHA-256 " + sha256);
        }
    }
}
