package dev.postern.it.standalone;

import java.nio.ByteBuffer;

/** An event of a {@link DiskRecording}: a system call that changes or syncs a file or directory, or the response to a request. */
sealed interface DiskEvent {

    /** The begin of a write. From here on, any part of it may be on the disk. */
    record Write(String path, long offset, ByteBuffer bytes) implements DiskEvent {

        byte[] content() {
            byte[] content = new byte[bytes.remaining()];
            bytes.duplicate().get(content);
            return content;
        }
    }

    /** A change of the size of a file, which has zeros where it got longer. */
    record Truncation(String path, long size) implements DiskEvent {}

    /** The creation of an empty file or directory, or nothing where there is one of this name. */
    record Creation(String path, boolean isDirectory) implements DiskEvent {}

    /** The removal of a name. */
    record Removal(String path) implements DiskEvent {}

    /**
     * The begin of an fsync of a file or directory: all earlier changes are covered by it.
     *
     * @param thread tells which {@link SyncEnd} belongs to it
     */
    record SyncBegin(String path, String thread) implements DiskEvent {}

    /** The end of a successful fsync: the changes that it covers are on the disk. */
    record SyncEnd(String path, String thread) implements DiskEvent {}

    /**
     * The begin of the response that accepts a request.
     *
     * @param id of the run or event
     */
    record Response(String id) implements DiskEvent {}
}
