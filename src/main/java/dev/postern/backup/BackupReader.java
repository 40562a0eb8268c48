package dev.postern.backup;

import dev.postern.backup.BackupManifest.Entry;
import dev.postern.backup.BackupManifest.Kind;
import dev.postern.config.HomeDirectory;
import dev.postern.model.HomeSetting;
import dev.postern.model.Sha256;
import dev.postern.store.SqliteInspection;
import dev.postern.store.StoreException;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.security.DigestOutputStream;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.Set;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;
import org.jspecify.annotations.Nullable;

/** A reader of a backup, which believes nothing in it that it has not compared with the backup's list of contents. */
final class BackupReader implements AutoCloseable {

    private static final int BUFFER_BYTES = 1 << 16;

    private final Path file;
    private final long bytes;
    private final ZipFile zip;
    private final BackupManifest manifest;

    private BackupReader(Path file, long bytes, ZipFile zip, BackupManifest manifest) {
        this.file = file;
        this.bytes = bytes;
        this.zip = zip;
        this.manifest = manifest;
    }

    /**
     * Opens {@code file} and reads its list of contents.
     *
     * @throws BackupException when there is no such file, it is no backup, is cut short, or has an unknown format
     */
    static BackupReader open(Path file) throws BackupException {
        if (!Files.isRegularFile(file)) {
            throw new BackupException("there is no file [" + file + "]");
        }
        @Nullable ZipFile zip = null;
        boolean opened = false;
        try {
            zip = new ZipFile(file.toFile());
            BackupReader reader = new BackupReader(file, Files.size(file), zip, manifest(file, zip));
            reader.checkEntries();
            opened = true;
            return reader;
        } catch (ZipException e) {
            throw new BackupException("[" + file + "] is no backup of Postern, or is cut short: " + e.getMessage(), e);
        } catch (IOException e) {
            throw BackupException.of("the backup [" + file + "] can't be read", e);
        } finally {
            if (!opened && zip != null) {
                closeQuietly(zip);
            }
        }
    }

    private static BackupManifest manifest(Path file, ZipFile zip) throws IOException, BackupException {
        ZipEntry entry = zip.getEntry(BackupManifest.NAME);
        if (entry == null) {
            throw new BackupException("[" + file + "] is no backup of Postern: it has no " + BackupManifest.NAME);
        }
        byte[] json;
        try (InputStream in = zip.getInputStream(entry)) {
            json = in.readNBytes(BackupManifest.MAX_BYTES + 1);
        }
        if (json.length > BackupManifest.MAX_BYTES) {
            throw new BackupException("[" + file + "] has too many files for this version: its " + BackupManifest.NAME
                    + " has more than " + BackupManifest.MAX_BYTES + " bytes");
        }
        if (!isWhole(entry, json)) {
            throw new BackupException(
                    "[" + file + "] is damaged: its " + BackupManifest.NAME + " has a wrong checksum");
        }
        try {
            int format = BackupManifest.format(json);
            if (format > BackupManifest.FORMAT) {
                throw new BackupException(
                        "[" + file + "] has the format " + format + ", made by a newer version; this one"
                                + " knows format " + BackupManifest.FORMAT + ": run the newer version");
            }
            return BackupManifest.of(json);
        } catch (IOException | IllegalArgumentException | NullPointerException e) {
            throw new BackupException("[" + file + "] is damaged: its " + BackupManifest.NAME + " can't be read", e);
        }
    }

    /** Whether {@code content} has the checksum of the archive, which {@link ZipFile} does not compare. */
    private static boolean isWhole(ZipEntry entry, byte[] content) {
        CRC32 sum = new CRC32();
        sum.update(content);
        return sum.getValue() == entry.getCrc();
    }

    BackupManifest manifest() {
        return manifest;
    }

    /** The facts about the backup, whose file may have been moved since it was opened. */
    BackupSummary summary(String schemaText) {
        return BackupSummary.of(file, bytes, manifest, schemaText);
    }

    /**
     * Checks that this process can spell the paths, that each entry stays in the home and is listed once, and that the files
     * are in the backup.
     */
    private void checkEntries() throws BackupException {
        Set<String> paths = new HashSet<>();
        for (Entry entry : manifest.entries()) {
            if (!isInHome(entry.path()) || !paths.add(entry.path())) {
                throw BackupException.damaged(file, "its list has the impossible path [" + entry.path() + "]");
            }
            if (entry.kind() == Kind.LINK) {
                parse(String.valueOf(entry.target()));
            } else if (entry.kind() == Kind.FILE) {
                ZipEntry zipped = zip.getEntry(entry.path());
                if (zipped == null || zipped.getSize() != entry.size()) {
                    throw BackupException.damaged(file, "it lacks [" + entry.path() + "], or a part of it");
                }
            }
        }
        if (!paths.contains(BackupManifest.DATABASE)) {
            throw BackupException.damaged(file, "it has no database");
        }
    }

    private boolean isInHome(String path) throws BackupException {
        Path parsed = parse(path);
        return !path.isEmpty()
                && !parsed.isAbsolute()
                && parsed.equals(parsed.normalize())
                && !parsed.startsWith("..")
                && !parsed.startsWith(HomeDirectory.RESTORE)
                && (!parsed.startsWith(HomeContent.DATA) || path.equals(BackupManifest.DATABASE));
    }

    private Path parse(String path) throws BackupException {
        try {
            return Path.of(path);
        } catch (InvalidPathException e) {
            if (!HomeSetting.isOfLocale(e)) {
                throw BackupException.damaged(file, "its list has the impossible path [" + path + "]");
            }
            throw new BackupException(
                    "the path [" + path + "] in [" + file + "] " + HomeSetting.wrong(e) + "; " + HomeSetting.advice(e),
                    e);
        }
    }

    /** Reads every file, and compares it with the list. */
    void checkFiles() throws BackupException {
        checkFilesButDatabase();
        copy(database(), OutputStream.nullOutputStream());
    }

    /** Reads every file but the database, and compares it with the list. */
    void checkFilesButDatabase() throws BackupException {
        for (Entry entry : manifest.entries()) {
            if (entry.kind() == Kind.FILE && !entry.path().equals(BackupManifest.DATABASE)) {
                copy(entry, OutputStream.nullOutputStream());
            }
        }
    }

    /** Writes the content of the file {@code entry} to {@code out}, and compares it with the list. */
    void copy(Entry entry, OutputStream out) throws BackupException {
        String content;
        try (InputStream in = zip.getInputStream(zip.getEntry(entry.path()))) {
            content = copy(in, entry.size(), out);
        } catch (ZipException | EOFException e) {
            throw new BackupException("[" + file + "] is damaged: [" + entry.path() + "] can't be unpacked", e);
        } catch (IOException e) {
            throw BackupException.of("[" + entry.path() + "] can't be taken from the backup [" + file + "]", e);
        }
        if (!content.equals(entry.sha256())) {
            throw BackupException.damaged(file, "[" + entry.path() + "] is not as it was written");
        }
    }

    /** Copies at most one byte more than {@code size}; returns the digest of what was copied. */
    private static String copy(InputStream in, long size, OutputStream out) throws IOException {
        DigestOutputStream digesting = new DigestOutputStream(out, Sha256.digest());
        byte[] buffer = new byte[BUFFER_BYTES];
        long left = size + 1;
        for (int read = in.read(buffer); read > 0; read = in.read(buffer, 0, (int) Math.min(left, buffer.length))) {
            digesting.write(buffer, 0, read);
            left -= read;
            if (left <= 0) {
                break;
            }
        }
        digesting.flush();
        return HexFormat.of().formatHex(digesting.getMessageDigest().digest());
    }

    /**
     * Inspects the database, which was taken from the backup to {@code copy}.
     *
     * @param libraries the directory for SQLite's library, if it can be used; null for the one for temporary files
     * @throws StoreException when it is damaged, or this program could not start on it
     */
    SqliteInspection inspect(Path copy, @Nullable Path libraries) throws StoreException, BackupException {
        SqliteInspection inspection = SqliteInspection.of(copy, libraries);
        if (inspection.schema() != manifest.schema() || !inspection.rows().equals(manifest.rows())) {
            throw BackupException.damaged(file, "its database has other rows than its list says");
        }
        return inspection;
    }

    /** The entry of the database. */
    Entry database() {
        return manifest.entries().stream()
                .filter(entry -> entry.path().equals(BackupManifest.DATABASE))
                .findFirst()
                .orElseThrow();
    }

    @Override
    public void close() {
        closeQuietly(zip);
    }

    private static void closeQuietly(ZipFile zip) {
        try {
            zip.close();
        } catch (IOException e) {
            System.getLogger(BackupReader.class.getName())
                    .log(System.Logger.Level.WARNING, "Could not close the backup", e);
        }
    }
}
