package dev.postern.store;

import dev.postern.net.OwnerOnlyFiles;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The record of the database that a home's Postern last ran on: one line in a file of {@code data/}, without user and
 * password. A command sees neither the server's DataSource nor the variables that only a service has. So it would take a
 * file that the home was on before for the home's database.
 */
public final class LastDatabase {

    /** The name of the file in {@code data/}. */
    public static final String FILE = "postern.database";

    private static final String SQLITE = "SQLite in ";
    private static final String POSTGRES = "PostgreSQL";

    /** The second line where the database has come from a backup of one that was elsewhere, until the first start on it. */
    private static final String RESTORED = "restored";

    private LastDatabase() {}

    /**
     * Records that the Postern of {@code home} runs on the database at {@code location}. A file in the home is recorded by
     * its path there, since a home may move.
     *
     * @throws StoreUnavailableException when it can't be written
     */
    static void record(Path home, String location) throws StoreException {
        Path file = file(home);
        String line = location.replace(SQLITE + home.toAbsolutePath() + File.separator, SQLITE) + "\n";
        try {
            if (!line.equals(text(file))) {
                OwnerOnlyFiles.create(file);
                Files.writeString(file, line);
            }
        } catch (IOException e) {
            throw new StoreUnavailableException("cannot write [" + file + "]: " + OwnerOnlyFiles.reason(e));
        }
    }

    /**
     * Records that {@code postern.db} in {@code data} has come from a backup of a database that was elsewhere, where the settings
     * may still look for it.
     */
    public static void recordRestored(Path data) throws IOException {
        Path file = data.resolve(FILE);
        OwnerOnlyFiles.create(file);
        Files.writeString(file, SQLITE + "data/postern.db\n" + RESTORED + "\n");
        OwnerOnlyFiles.sync(file);
    }

    /**
     * Rejects a start on another database while a restored one waits in {@code home}.
     *
     * @param sqlite the file to start on; null for another kind of database
     * @throws StoreException in words for the operator, when it is another one, or the record can't be read
     */
    static void requireNoneRestored(Path home, @Nullable Path sqlite) throws StoreException {
        Path file = file(home);
        try {
            List<String> lines = text(file).lines().toList();
            if (lines.size() < 2 || !lines.get(1).equals(RESTORED)) {
                return;
            }
            Path restored = home.resolve(lines.get(0).substring(SQLITE.length()));
            if (Files.exists(restored) && (sqlite == null || !isSame(lines.get(0), sqlite, home))) {
                throw new StoreException(
                        "the database of this home was restored as [" + restored
                                + "], and the settings name another one; move it there, or take database.url out of the settings");
            }
        } catch (IOException e) {
            throw new StoreException("cannot read [" + file + "]: " + OwnerOnlyFiles.reason(e), e);
        }
    }

    /**
     * Rejects a SQLite file that is not the database that the Postern of {@code home} last ran on.
     *
     * @return whether that is known
     * @throws StoreException in words for the operator, when it is another one, or the record can't be read
     */
    public static boolean require(Path sqlite, Path home) throws StoreException {
        Path file = file(home);
        try {
            Optional<String> last = text(file).lines().findFirst();
            if (last.isPresent() && !isSame(last.get(), sqlite.toAbsolutePath(), home)) {
                throw new StoreException("the Postern of this home last ran on " + last.get() + ", not on [" + sqlite
                        + "]; give this command the database.url of that Postern, or use the tools of its database");
            }
            return last.isPresent();
        } catch (IOException e) {
            throw new StoreException("cannot read [" + file + "]: " + OwnerOnlyFiles.reason(e), e);
        }
    }

    private static boolean isSame(String last, Path sqlite, Path home) throws IOException {
        if (!last.startsWith(SQLITE)) {
            return false;
        }
        Path recorded = home.resolve(last.substring(SQLITE.length()));
        return recorded.equals(sqlite)
                || (Files.exists(recorded) && Files.exists(sqlite) && Files.isSameFile(recorded, sqlite));
    }

    /** The record; empty if there is none, or if a cut of the power has left a part of it. */
    private static String text(Path file) throws IOException {
        try {
            String text = new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
            boolean complete = text.endsWith("\n") && (text.startsWith(SQLITE) || text.startsWith(POSTGRES));
            return complete ? text : "";
        } catch (NoSuchFileException none) {
            return "";
        }
    }

    private static Path file(Path home) {
        return home.resolve("data").resolve(FILE);
    }
}
