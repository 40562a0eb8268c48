package dev.postern.backup;

import dev.postern.backup.BackupManifest.Entry;
import dev.postern.backup.BackupManifest.Kind;
import dev.postern.model.Sha256;
import dev.postern.net.OwnerOnlyFiles;
import dev.postern.store.SqliteDriver;
import dev.postern.store.SqliteInspection;
import dev.postern.store.SqliteSnapshot;
import dev.postern.store.StoreException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * A writer of backups: ZIP files with a home's database, configuration and secrets, for their owner alone. The home may be
 * in use. The database is copied first, so that every key that it needs is in the files, which are read after it.
 */
public final class HomeBackup {

    private final Path home;
    private final Path database;
    private final boolean withSecrets;
    private final String program;
    private final InstantSource clock;
    private final int maxManifestBytes;

    /**
     * @param home an existing home
     * @param database the file of its SQLite database
     * @param withSecrets false to leave {@code secrets/} out
     * @param program the version of this program
     */
    public HomeBackup(Path home, Path database, boolean withSecrets, String program, InstantSource clock) {
        this(home, database, withSecrets, program, clock, BackupManifest.MAX_BYTES);
    }

    /** @param maxManifestBytes the most bytes that the list of contents may have */
    HomeBackup(
            Path home, Path database, boolean withSecrets, String program, InstantSource clock, int maxManifestBytes) {
        this.home = home;
        this.database = database;
        this.withSecrets = withSecrets;
        this.program = program;
        this.clock = clock;
        this.maxManifestBytes = maxManifestBytes;
    }

    /**
     * Writes a backup to {@code file}: complete, on the disk, and read again as a restore would, or not at all.
     *
     * @return the new file, as its content was checked
     * @throws BackupException in words for the operator
     * @throws StoreException in words for the operator, when the database can't be read or is damaged
     */
    public BackupSummary write(Path file) throws BackupException, StoreException {
        Path target = file.toAbsolutePath().normalize();
        requirePlace(target);
        List<Path> unfinished = new ArrayList<>();
        try {
            Path copy = OwnerOnlyFiles.createTemporaryFile(target);
            unfinished.add(copy);
            SqliteSnapshot.copy(database, copy, SqliteDriver.directory(home));
            SqliteInspection inspection = SqliteInspection.of(copy, SqliteDriver.directory(home));
            Path archive = OwnerOnlyFiles.createTemporaryFile(target);
            unfinished.add(archive);
            BackupManifest manifest = write(archive, copy, inspection);
            check(archive, target);
            OwnerOnlyFiles.publish(archive, target);
            return BackupSummary.of(target, Files.size(target), manifest, inspection.schemaText());
        } catch (FileAlreadyExistsException e) {
            throw exists(target);
        } catch (IOException e) {
            throw BackupException.of("the backup [" + target + "] can't be written", e);
        } finally {
            delete(unfinished);
        }
    }

    private void requirePlace(Path target) throws BackupException {
        Path directory = target.resolveSibling("");
        if (Files.exists(target, LinkOption.NOFOLLOW_LINKS)) {
            throw exists(target);
        }
        if (!Files.isDirectory(directory)) {
            throw new BackupException(
                    "the directory [" + directory + "] is not there; make it, for Postern's user alone");
        }
        try {
            Path real = directory.toRealPath();
            if (real.startsWith(home.toRealPath())
                    && !real.startsWith(home.toRealPath().resolve(HomeContent.BACKUPS))) {
                throw new BackupException(
                        "[" + target + "] is in the home, whose next backup would contain it; name a file"
                                + " elsewhere, or in [" + home.resolve(HomeContent.BACKUPS) + "]");
            }
        } catch (IOException e) {
            throw BackupException.of("the home [" + home + "] can't be read", e);
        }
    }

    private static BackupException exists(Path target) {
        return new BackupException("[" + target + "] is there already; name a new file");
    }

    /** Rejects an archive that a restore would reject. Its database is the inspected one, byte by byte. */
    private static void check(Path archive, Path target) throws BackupException {
        try (BackupReader reader = BackupReader.open(archive)) {
            reader.checkFiles();
        } catch (BackupException e) {
            throw new BackupException(
                    "the backup [" + target + "] could not be restored, so it was deleted: " + e.getMessage(), e);
        }
    }

    private BackupManifest write(Path archive, Path copy, SqliteInspection inspection)
            throws IOException, BackupException {
        List<Entry> entries = new ArrayList<>();
        List<String> leftOut = new ArrayList<>();
        try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(archive))) {
            entries.add(add(zip, new Entry(BackupManifest.DATABASE, Kind.FILE, null, 0, null, null), copy));
            for (Entry entry : HomeContent.of(home.toRealPath(), SqliteSnapshot.files(database))) {
                if (!withSecrets && isSecret(entry)) {
                    if (entry.kind() != Kind.DIRECTORY) {
                        leftOut.add(entry.path());
                    }
                } else if (entry.kind() == Kind.FILE) {
                    try {
                        entries.add(add(zip, entry, home.resolve(entry.path())));
                    } catch (NoSuchFileException deletedMeanwhile) {
                        System.getLogger(HomeBackup.class.getName())
                                .log(
                                        System.Logger.Level.DEBUG,
                                        "{0} is gone, so it is not in the backup",
                                        entry.path());
                    }
                } else {
                    entries.add(entry);
                }
            }
            BackupManifest manifest = new BackupManifest(
                    BackupManifest.FORMAT,
                    UUID.randomUUID().toString(),
                    program,
                    clock.instant().truncatedTo(ChronoUnit.SECONDS).toString(),
                    databaseElsewhere(),
                    inspection.schema(),
                    inspection.rows(),
                    leftOut,
                    entries);
            byte[] json = manifest.toJson();
            if (json.length > maxManifestBytes) {
                throw new BackupException("the home [" + home + "] has too many files for a backup: the list of its "
                        + manifest.files() + " files has " + json.length + " bytes, and may have " + maxManifestBytes
                        + "; move files that need no backup out of the home");
            }
            zip.putNextEntry(new ZipEntry(BackupManifest.NAME));
            zip.write(json);
            zip.closeEntry();
            return manifest;
        }
    }

    private static boolean isSecret(Entry entry) {
        return entry.path().equals(HomeContent.SECRETS) || entry.path().startsWith(HomeContent.SECRETS + "/");
    }

    private @Nullable String databaseElsewhere() {
        Path inHome = home.resolve(BackupManifest.DATABASE).toAbsolutePath().normalize();
        return database.toAbsolutePath().normalize().equals(inHome) ? null : database.toString();
    }

    /** Adds the content of {@code file} to the backup; returns {@code entry} with its size and digest. */
    private static Entry add(ZipOutputStream zip, Entry entry, Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file);
                DigestInputStream digesting = new DigestInputStream(in, Sha256.digest())) {
            zip.putNextEntry(new ZipEntry(entry.path()));
            long size = digesting.transferTo((OutputStream) zip);
            zip.closeEntry();
            String sha256 =
                    HexFormat.of().formatHex(digesting.getMessageDigest().digest());
            return new Entry(entry.path(), Kind.FILE, entry.mode(), size, sha256, null);
        }
    }

    private static void delete(List<Path> unfinished) {
        for (Path file : unfinished) {
            try {
                Files.deleteIfExists(file);
            } catch (IOException e) {
                System.getLogger(HomeBackup.class.getName())
                        .log(System.Logger.Level.WARNING, "[{0}] could not be deleted; delete it by hand", file);
            }
        }
    }
}
