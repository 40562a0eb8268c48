package dev.postern.backup;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The list of a backup's contents. It is the file {@link #NAME} in the backup.
 *
 * @param format the version of this list, {@link #FORMAT} today
 * @param id identifies the backup
 * @param program the version of the program that made the backup
 * @param createdAt the time of the backup, in ISO 8601
 * @param databaseFile the database's place if that was outside of the home; null in it
 * @param schema the number of the database's schema
 * @param rows the number of rows of each of the database's tables
 * @param leftOut the files with secrets that were left out, by their paths in the home
 * @param entries the files, directories and links of the home, each after the directory that it is in
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record BackupManifest(
        int format,
        String id,
        String program,
        String createdAt,
        @Nullable String databaseFile,
        int schema,
        SortedMap<String, Long> rows,
        List<String> leftOut,
        List<Entry> entries) {

    static final String NAME = "postern-backup.json";
    static final int FORMAT = 1;

    /** The most bytes that a reader takes, for some 600,000 files. A damaged or false backup can't fill the memory. */
    static final int MAX_BYTES = 128 << 20;

    /** The database's path in a backup. */
    static final String DATABASE = "data/postern.db";

    private static final ObjectMapper JSON =
            new ObjectMapper().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);

    BackupManifest {
        rows = new TreeMap<>(rows);
        leftOut = List.copyOf(leftOut);
        entries = List.copyOf(entries);
    }

    /** The kinds of entries. */
    enum Kind {
        FILE,
        DIRECTORY,
        LINK
    }

    /**
     * One file, directory or symbolic link.
     *
     * @param path the path in the home, with slashes
     * @param mode the permissions, such as {@code rw-------}; null where the file system has none, and for a link
     * @param size the size of a file in bytes, else 0
     * @param sha256 the digest of a file's content in hexadecimal, else null
     * @param target where a link leads, else null
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Entry(
            String path,
            Kind kind,
            @Nullable String mode,
            long size,
            @Nullable String sha256,
            @Nullable String target) {}

    /** The size of all files together, in bytes. */
    long bytes() {
        return entries.stream().mapToLong(Entry::size).sum();
    }

    /** The number of files. */
    long files() {
        return entries.stream().filter(entry -> entry.kind() == Kind.FILE).count();
    }

    byte[] toJson() throws IOException {
        return JSON.writeValueAsBytes(this);
    }

    /**
     * Reads a manifest.
     *
     * @throws IOException if {@code json} is none
     */
    static BackupManifest of(byte[] json) throws IOException {
        return JSON.readValue(json, BackupManifest.class);
    }

    /** The format that {@code json} says, which may be a later one. */
    static int format(byte[] json) throws IOException {
        return JSON.readValue(json, Version.class).format();
    }

    /** The one field that manifests of every format have. */
    private record Version(int format) {}
}
