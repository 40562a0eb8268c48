package dev.postern.store;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/** Files that their owner alone can read, wherever the file system knows owners. */
final class PrivateFiles {

    private PrivateFiles() {}

    /** Makes {@code file}, empty, unless it is there; it is there with owner-only permissions in the end. */
    static void create(Path file) throws IOException {
        try {
            Files.createFile(file, only(file, "rw-------"));
        } catch (FileAlreadyExistsException e) {
            if (posix(file)) {
                Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
            }
        }
    }

    /** Makes {@code directory} and its parents; what is there already keeps its permissions. */
    static void createDirectories(Path directory) throws IOException {
        Files.createDirectories(directory, only(directory, "rwx------"));
    }

    /** What went wrong, in words: the messages of file system exceptions are often a bare file name. */
    static String reason(IOException e) {
        return e.getClass().getSimpleName() + ", " + e.getMessage();
    }

    private static FileAttribute<?>[] only(Path path, String permissions) {
        if (!posix(path)) {
            return new FileAttribute<?>[0];
        }
        Set<PosixFilePermission> set = PosixFilePermissions.fromString(permissions);
        return new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(set)};
    }

    private static boolean posix(Path path) {
        return path.getFileSystem().supportedFileAttributeViews().contains("posix");
    }
}
