package dev.postern.store;

import java.nio.file.Path;

/**
 * The sizes of a SQLite database before and after its compaction.
 *
 * @param file the database file
 * @param bytesBefore the size of the file and its write-ahead log, in bytes, before the compaction
 * @param bytesAfter the same size after the compaction
 */
public record CompactionResult(Path file, long bytesBefore, long bytesAfter) {}
