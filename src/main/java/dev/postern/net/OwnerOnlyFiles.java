package dev.postern.net;

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
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashSet;
import java.util.Set;

/**
 * A maker of files and directories that not everybody can open, whatever the process's umask. What is there already keeps
 * its permissions, unless the method says otherwise.
 *
 * @param posix whether the file system knows owner, group and others; where it doesn't, {@link #directory} and
 *     {@link #file} narrow the access right after creation, and before anything is written
 */
public record OwnerOnlyFiles(boolean posix) {

    private static final String FILE = "rw-------";
    private static final String DIRECTORY = "rwx------";

    /** For the file system of {@code path}. */
    public static OwnerOnlyFiles on(Path path) {
        return new OwnerOnlyFiles(isPosix(path));
    }

    /** Whether {@code path} is in a file system that knows owner, group and others. */
    public static boolean isPosix(Path path) {
        return path.getFileSystem().supportedFileAttributeViews().contains("posix");
    }

    /** Makes {@code file}, empty, unless it is there; it is there with owner-only permissions in the end. */
    public static void create(Path file) throws IOException {
        try {
            Files.createFile(file, on(file).attributes(FILE));
        } catch (FileAlreadyExistsException e) {
            if (isPosix(file)) {
                Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(FILE));
            }
        }
    }

    /** Takes the permissions of all but the owner from {@code file}. */
    public static void narrow(Path file) throws IOException {
        if (isPosix(file)) {
            Set<PosixFilePermission> permissions = new HashSet<>(Files.getPosixFilePermissions(file));
            permissions.retainAll(PosixFilePermissions.fromString(DIRECTORY));
            Files.setPosixFilePermissions(file, permissions);
        }
    }

    /** Makes {@code directory} and its parents, which their owner alone can open. */
    public static Path createDirectories(Path directory) throws IOException {
        return Files.createDirectories(directory, on(directory).attributes(DIRECTORY));
    }

    /** Makes {@code directory} and its parents, which the owner's group may look into as well, unless the umask forbids it. */
    public static Path createGroupDirectories(Path directory) throws IOException {
        return Files.createDirectories(directory, on(directory).attributes("rwxr-x---"));
    }

    /** What went wrong, in words: the messages of file system exceptions are often a bare file name. */
    public static String reason(IOException e) {
        return e.getClass().getSimpleName() + ", " + e.getMessage();
    }

    /** Makes {@code directory}, and what is missing above it for the group too; one that is there stays as it is. */
    public void directory(Path directory) throws IOException {
        if (Files.isDirectory(directory)) {
            return;
        }
        createGroupDirectories(directory.toAbsolutePath().resolveSibling(""));
        try {
            Files.createDirectory(directory, attributes(DIRECTORY));
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
    public void file(Path file, String content) throws IOException {
        Path unfinished = unfinished(file, content);
        try {
            give(unfinished, file);
        } finally {
            Files.deleteIfExists(unfinished);
        }
    }

    /** What is to become {@code file}, beside it under another name, on the disk. */
    public Path unfinished(Path file, String content) throws IOException {
        Path unfinished = Files.createTempFile(
                file.toAbsolutePath().getParent(), file.getFileName() + ".", ".new", attributes(FILE));
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
            System.getLogger(OwnerOnlyFiles.class.getName())
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
