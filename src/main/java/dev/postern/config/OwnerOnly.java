package dev.postern.config;

import dev.postern.net.PrivateFiles;
import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * Makes files and directories that their owner alone can open.
 *
 * @param posix whether the file system knows owner, group and others; where it doesn't, access is narrowed right after
 *     creation, and before anything is written
 */
record OwnerOnly(boolean posix) {

    static OwnerOnly on(Path path) {
        return new OwnerOnly(PrivateFiles.isPosix(path));
    }

    /** Makes {@code directory} and what is missing above it; one that is there stays as it is. */
    void directory(Path directory) throws IOException {
        if (Files.isDirectory(directory)) {
            return;
        }
        PrivateFiles.createGroupDirectories(directory.toAbsolutePath().resolveSibling(""));
        try {
            Files.createDirectory(directory, attributes("rwx------"));
        } catch (FileAlreadyExistsException quicker) {
            return; // another process's set-up
        }
        if (!posix) {
            narrow(directory.toFile());
            directory.toFile().setExecutable(true, true);
        }
    }

    /**
     * Writes {@code file} whole: under another name first, to the disk, then under its own. Where one is there by then,
     * as when two processes set up the same home, that one stays.
     */
    void file(Path file, String content) throws IOException {
        Path unfinished = unfinished(file, content);
        try {
            give(unfinished, file);
        } finally {
            Files.deleteIfExists(unfinished);
        }
    }

    /** What is to become {@code file}, beside it under another name, on the disk. */
    Path unfinished(Path file, String content) throws IOException {
        Path unfinished = Files.createTempFile(
                file.toAbsolutePath().getParent(), file.getFileName() + ".", ".new", attributes("rw-------"));
        boolean written = false;
        try {
            write(unfinished, content);
            written = true;
            return unfinished;
        } finally {
            if (!written) {
                Files.deleteIfExists(unfinished);
            }
        }
    }

    /** A link never replaces what is there; a file system without links has to do with a look before. */
    private static void give(Path unfinished, Path file) throws IOException {
        try {
            Files.createLink(file, unfinished);
        } catch (FileAlreadyExistsException quicker) {
            System.getLogger(OwnerOnly.class.getName())
                    .log(System.Logger.Level.DEBUG, "{0} was made by another process", file);
        } catch (UnsupportedOperationException | FileSystemException noLinks) {
            if (!Files.exists(file)) {
                Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE);
            }
        }
    }

    private void write(Path unfinished, String content) throws IOException {
        try (FileChannel channel = FileChannel.open(unfinished, StandardOpenOption.WRITE)) {
            if (!posix) {
                narrow(unfinished.toFile());
            }
            ByteBuffer bytes = StandardCharsets.UTF_8.encode(content);
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            channel.force(true);
        }
    }

    private FileAttribute<?>[] attributes(String permissions) {
        return posix
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))
                }
                : new FileAttribute<?>[0];
    }

    private static void narrow(File file) throws IOException {
        boolean closed = file.setReadable(false, false) && file.setWritable(false, false);
        boolean opened = file.setReadable(true, true) && file.setWritable(true, true);
        if (!(closed && opened) && !System.getProperty("os.name", "").startsWith("Windows")) {
            throw new IOException("access to " + file + " can't be narrowed to its owner");
        }
    }
}
