package dev.postern.store;

import java.nio.file.Path;

/**
 * The sizes of a SQLite database before and after it was compacted.
 *
 * @param file the database
 * @param bytesBefore its size together with that of its log
 * @param bytesAfter likewise
 */
public record CompactionResult(Path file, long bytesBefore, long bytesAfter) {}
