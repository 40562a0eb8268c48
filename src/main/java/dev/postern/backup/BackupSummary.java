package dev.postern.backup;

import java.nio.file.Path;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The facts about a sound backup.
 *
 * @param file the backup
 * @param bytes its size
 * @param program the version of the program that made it
 * @param createdAt the time when it was made, in ISO 8601
 * @param files the number of files in it, with the database
 * @param links the number of symbolic links in it
 * @param schemaText the database's schema, in words that follow the database's name
 * @param rows the number of rows of each of the database's tables
 * @param leftOut the files with secrets that are not in it, by their paths in the home
 * @param databaseFile the database's place if that was outside of the home; null in it
 */
public record BackupSummary(
        Path file,
        long bytes,
        String program,
        String createdAt,
        long files,
        long links,
        String schemaText,
        SortedMap<String, Long> rows,
        List<String> leftOut,
        @Nullable String databaseFile) {

    public BackupSummary {
        rows = new TreeMap<>(rows);
        leftOut = List.copyOf(leftOut);
    }

    static BackupSummary of(Path file, long bytes, BackupManifest manifest, String schemaText) {
        return new BackupSummary(
                file,
                bytes,
                manifest.program(),
                manifest.createdAt(),
                manifest.files(),
                /* links= */ manifest.entries().stream()
                        .filter(entry -> entry.kind() == BackupManifest.Kind.LINK)
                        .count(),
                schemaText,
                manifest.rows(),
                manifest.leftOut(),
                manifest.databaseFile());
    }
}
