package dev.postern.app;

import dev.postern.backup.BackupException;
import dev.postern.backup.BackupSummary;
import dev.postern.backup.BackupVerification;
import dev.postern.backup.HomeBackup;
import dev.postern.backup.HomeRestore;
import dev.postern.config.ConfigurationProblem;
import dev.postern.config.DatabaseLookup;
import dev.postern.config.ProcessEnvironment;
import dev.postern.model.HomeSetting;
import dev.postern.model.ShellWord;
import dev.postern.store.AlreadyInUseException;
import dev.postern.store.LastDatabase;
import dev.postern.store.SqliteInspection;
import dev.postern.store.StoreException;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;

/** The commands {@code backup}, {@code restore} and {@code verify}. */
public final class BackupCommand {

    private static final String PROBLEM = "problem: ";

    /** The reservation about a database of a home that no Postern of this version has started on. */
    static final String UNKNOWN_DATABASE =
            "The SQLite file is the home's database unless a DataSource or a variable of the service"
                    + " names another: the next start records which one it is.";

    private BackupCommand() {}

    /**
     * Writes a backup of this process's home.
     *
     * @param out gets the facts about the backup
     * @param err gets the reasons why there is none
     * @param options {@code to}, and {@code without-secrets} to leave the secrets out
     * @param version the version of this program
     * @return 0 if there is a new backup, else 1
     */
    public static int create(PrintStream out, PrintStream err, Map<String, String> options, String version) {
        DatabaseLookup lookup = DatabaseLookup.of(ProcessEnvironment.ofProcess(name -> null));
        if (lookup instanceof DatabaseLookup.Invalid invalid) {
            invalid.problems().forEach((ConfigurationProblem problem) -> err.println(PROBLEM + problem));
            return 1;
        }
        DatabaseLookup.Found found = (DatabaseLookup.Found) lookup;
        Optional<Path> database = found.sqliteFile();
        if (database.isEmpty()) {
            err.println(
                    PROBLEM + "the database is PostgreSQL (database.url), which this command does not copy; nothing was"
                            + " done. Instead run");
            err.println("  (umask 077; pg_dump --format=custom --file=postern.dump DATABASE)");
            err.println("  (umask 077; tar --exclude=./data --exclude=./work -czf postern-home.tgz -C "
                    + ShellWord.of(found.home()) + " .)");
            err.println("The first copies the database, also while Postern runs. The second copies the home with its"
                    + " secrets. Nobody but their owner can read the copies.");
            return 1;
        }
        boolean withSecrets = !options.containsKey("without-secrets");
        return report(err, () -> {
            boolean isKnown = LastDatabase.require(database.get(), found.home());
            HomeBackup backup =
                    new HomeBackup(found.home(), database.get(), withSecrets, version, InstantSource.system());
            BackupSummary summary = backup.write(path(String.valueOf(options.get("to"))));
            out.println("The backup [" + summary.file() + "] has " + CountText.of(summary.bytes(), "byte") + ": "
                    + content(summary));
            if (!isKnown) {
                out.println(UNKNOWN_DATABASE);
            }
            if (summary.links() > 0) {
                out.println(
                        "Links are kept as links. The backup lacks the files outside of the home that they lead to.");
            }
            out.println(
                    withSecrets
                            ? "It holds the secrets of the home, so keep it where nobody else can read it."
                            : "It lacks the secrets of the home, without which it can't be used: keep them elsewhere.");
        });
    }

    /**
     * Restores this process's home from a backup.
     *
     * @param out gets the facts about the restored home
     * @param err gets the reasons why it was not restored
     * @param options {@code file}, and {@code replace} to move content that the home has aside
     * @return 0 if the home has the content of the backup, else 1
     */
    public static int restore(PrintStream out, PrintStream err, Map<String, String> options) {
        HomeSetting name = HomeSetting.ofProcess(System::getProperty, System::getenv);
        Path home;
        try {
            home = name.directory(HomeSetting.userHome(System::getProperty, System::getenv));
        } catch (InvalidPathException e) {
            err.println(
                    PROBLEM + "home [" + name.origin() + "]: " + HomeSetting.wrong(e) + "; " + HomeSetting.advice(e));
            return 1;
        }
        return report(err, () -> {
            boolean replaces = options.containsKey("replace");
            HomeRestore.Result result = new HomeRestore(home, replaces, InstantSource.system())
                    .run(path(String.valueOf(options.get("file"))));
            BackupSummary backup = result.backup();
            out.println((result.completed() ? "Completed the interrupted restore of [" : "Restored [") + home
                    + "] from the backup of " + backup.createdAt() + ", made by Postern " + backup.program() + ": "
                    + content(backup));
            if (result.replaced() != null) {
                out.println("The former content is in [" + result.replaced()
                        + "]. Delete it when nothing of it is missing.");
            }
            if (!backup.leftOut().isEmpty()) {
                out.println("The backup was made without secrets, and those of the home stay. A start needs these: "
                        + String.join(", ", backup.leftOut()));
            }
            if (backup.databaseFile() != null) {
                out.println(
                        "The database was in [" + backup.databaseFile() + "] and is in the home now: move it there, or"
                                + " take database.url out of the settings. Postern does not start before.");
            }
        });
    }

    /**
     * Verifies a backup, or a SQLite database.
     *
     * @param out gets the findings
     * @param err gets the reason why it can't be restored
     * @param options {@code file}
     * @return 0 if it is sound and this program could start on it, else 1
     */
    public static int verify(PrintStream out, PrintStream err, Map<String, String> options) {
        return report(err, () -> {
            Path file = path(String.valueOf(options.get("file")));
            if (isSqlite(file)) {
                SqliteInspection inspection = SqliteInspection.of(file, null);
                out.println("ok: [" + file + "] is a database of Postern " + inspection.schemaText());
                table(out, inspection.rows());
            } else {
                BackupSummary backup = BackupVerification.run(file);
                out.println("ok: [" + file + "] is a backup of " + backup.createdAt() + ", made by Postern "
                        + backup.program());
                out.println("ok: its " + backup.files() + " files are as they were written");
                out.println("ok: its database is sound, " + backup.schemaText());
                table(out, backup.rows());
                if (!backup.leftOut().isEmpty()) {
                    out.println(
                            "warning: it was made without secrets, and needs " + String.join(", ", backup.leftOut()));
                }
            }
        });
    }

    private static boolean isSqlite(Path file) throws BackupException {
        try {
            return Files.isRegularFile(file) && SqliteInspection.isSqlite(file);
        } catch (IOException e) {
            throw BackupException.of("[" + file + "] can't be read", e);
        }
    }

    private static void table(PrintStream out, SortedMap<String, Long> rows) {
        rows.forEach((table, number) -> out.println("  " + table + ": " + CountText.of(number, "row")));
    }

    private static Path path(String text) throws BackupException {
        try {
            return Path.of(text);
        } catch (InvalidPathException e) {
            throw new BackupException("the file's name " + HomeSetting.wrong(e), e);
        }
    }

    private static String content(BackupSummary backup) {
        long rows = backup.rows().values().stream().mapToLong(Long::longValue).sum();
        return CountText.of(backup.files(), "file") + ", among them the database of " + CountText.of(rows, "row") + ", "
                + backup.schemaText() + ".";
    }

    /** An action that prints what it has done. */
    private interface Action {
        void run() throws BackupException, StoreException;
    }

    private static int report(PrintStream err, Action action) {
        try {
            action.run();
            return 0;
        } catch (AlreadyInUseException e) {
            err.println(PROBLEM + e.fact() + "; stop it first");
        } catch (BackupException | StoreException e) {
            err.println(PROBLEM + e.getMessage());
        }
        return 1;
    }
}
