package dev.postern.net;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashSet;
import java.util.Set;

/**
 * Files and directories that not everybody can open, wherever the file system knows owners, whatever the process's umask.
 * What is there already keeps its permissions, unless the method says otherwise.
 */
public final class PrivateFiles {

    private PrivateFiles() {}

    /** Makes {@code file}, empty, unless it is there; it is there with owner-only permissions in the end. */
    public static void create(Path file) throws IOException {
        try {
            Files.createFile(file, only(file, "rw-------"));
        } catch (FileAlreadyExistsException e) {
            if (isPosix(file)) {
                Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
            }
        }
    }

    /** Takes the permissions of all but the owner from {@code file}. */
    public static void narrow(Path file) throws IOException {
        if (isPosix(file)) {
            Set<PosixFilePermission> permissions = new HashSet<>(Files.getPosixFilePermissions(file));
            permissions.retainAll(PosixFilePermissions.fromString("rwx------"));
            Files.setPosixFilePermissions(file, permissions);
        }
    }

    /** Makes {@code directory} and its parents, which their owner alone can open. */
    public static Path createDirectories(Path directory) throws IOException {
        return Files.createDirectories(directory, only(directory, "rwx------"));
    }

    /** Makes {@code directory} and its parents, which the owner's group may look into as well, unless the umask forbids it. */
    public static Path createGroupDirectories(Path directory) throws IOException {
        return Files.createDirectories(directory, only(directory, "rwxr-x---"));
    }

    /** What went wrong, in words: the messages of file system exceptions are often a bare file name. */
    public static String reason(IOException e) {
        return e.getClass().getSimpleName() + ", " + e.getMessage();
    }

    /** Whether {@code path} is in a file system that knows owner, group and others. */
    public static boolean isPosix(Path path) {
        return path.getFileSystem().supportedFileAttributeViews().contains("posix");
    }

    private static FileAttribute<?>[] only(Path path, String permissions) {
        return isPosix(path)
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))
                }
                : new FileAttribute<?>[0];
    }
}
