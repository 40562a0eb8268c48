package dev.postern.net;

import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * A creator of files and directories with restricted permissions, whatever the process's umask. Existing files keep their
 * permissions, unless the method says otherwise. What root creates gets the owner of its directory, unless the method says
 * otherwise: the user who sets Postern up is not always the one who runs it.
 *
 * @param posix whether the file system knows owner, group and others; if it doesn't, {@link #createDirectory} and {@link #writeFile}
 *     restrict access right after creation, and before anything is written
 */
public record OwnerOnlyFiles(boolean posix) {

    private static final String FILE = "rw-------";
    private static final String DIRECTORY = "rwx------";

    /** A creator for the file system of {@code path}. */
    public static OwnerOnlyFiles on(Path path) {
        return new OwnerOnlyFiles(isPosix(path));
    }

    /** Whether {@code path} is in a file system that knows owner, group and others. */
    public static boolean isPosix(Path path) {
        return path.getFileSystem().supportedFileAttributeViews().contains("posix");
    }

    /** Creates an empty {@code file} unless it exists. In either case only the owner has permissions afterwards. */
    public static void create(Path file) throws IOException {
        try {
            Files.createFile(file, on(file).attributes(FILE));
            adoptOwner(file);
        } catch (FileAlreadyExistsException e) {
            if (isPosix(file)) {
                Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(FILE));
            }
        }
    }

    /** Takes the permissions of everyone but the owner from {@code file}. */
    public static void narrow(Path file) throws IOException {
        if (isPosix(file)) {
            Set<PosixFilePermission> permissions = new HashSet<>(Files.getPosixFilePermissions(file));
            permissions.retainAll(PosixFilePermissions.fromString(DIRECTORY));
            Files.setPosixFilePermissions(file, permissions);
        }
    }

    /** Creates {@code directory} and its missing parents, which only their owner can open. */
    public static Path createDirectories(Path directory) throws IOException {
        List<Path> missing = missing(directory);
        Path created = Files.createDirectories(directory, on(directory).attributes(DIRECTORY));
        for (Path each : missing) {
            adoptOwner(each);
        }
        return created;
    }

    /** As {@link #createDirectories}; the disk has the new names when it returns, as far as the file system allows that. */
    public static void createDurableDirectories(Path directory) throws IOException {
        createDurably(directory, on(directory).attributes(DIRECTORY));
    }

    /**
     * Creates {@code directory} and its missing parents, which the owner's group can read as well, unless the umask forbids
     * it. The disk has the new names when it returns, as far as the file system allows that.
     */
    public static Path createGroupDirectories(Path directory) throws IOException {
        return createDurably(directory, on(directory).attributes("rwxr-x---"));
    }

    /** A description of the error: the messages of file system exceptions are often a bare file name. */
    public static String reason(IOException e) {
        return e.getClass().getSimpleName() + ", " + e.getMessage();
    }

    /**
     * Creates {@code directory} for the owner alone, and its missing parents for the group too. An existing directory stays
     * unchanged.
     */
    public void createDirectory(Path directory) throws IOException {
        if (Files.isDirectory(directory)) {
            return;
        }
        createGroupDirectories(directory.toAbsolutePath().resolveSibling(""));
        try {
            Files.createDirectory(directory, attributes(DIRECTORY));
            adoptOwner(directory);
            syncNames(directory.toAbsolutePath().resolveSibling(""));
        } catch (FileAlreadyExistsException quicker) {
            return; // another process's set-up
        }
        if (!posix) {
            narrow(directory.toFile());
            directory.toFile().setExecutable(true, true);
        }
    }

    /**
     * Writes {@code file} as a whole: under another name first, to the disk, then under its own. If the file exists by then,
     * as when two processes set up the same home, the existing one stays. A cut of the power loses neither content nor name
     * afterwards, as far as the file system allows that.
     */
    public void writeFile(Path file, String content) throws IOException {
        Path unfinished = writeTemporaryFile(file, content);
        try {
            give(unfinished, file);
            syncNames(unfinished.resolveSibling(""));
        } finally {
            Files.deleteIfExists(unfinished);
        }
    }

    /** Writes {@code content} to the disk beside {@code file}, under another name, and returns the path. */
    public Path writeTemporaryFile(Path file, String content) throws IOException {
        Path unfinished = Files.createTempFile(
                file.toAbsolutePath().getParent(), file.getFileName() + ".", ".new", attributes(FILE));
        boolean written = false;
        try {
            write(unfinished, content);
            adoptOwner(unfinished);
            written = true;
            return unfinished;
        } finally {
            if (!written) {
                Files.deleteIfExists(unfinished);
            }
        }
    }

    /**
     * Creates an empty file beside {@code file}, under another name, which only this process's user can open. If it is still
     * there when the process ends, the JVM deletes it.
     */
    public static Path createTemporaryFile(Path file) throws IOException {
        Path absolute = file.toAbsolutePath();
        Path unfinished = Files.createTempFile(
                absolute.getParent(),
                absolute.getFileName() + ".",
                ".new",
                on(absolute).attributes(FILE));
        unfinished.toFile().deleteOnExit();
        return unfinished;
    }

    /**
     * Gives the finished file {@code unfinished} its name {@code file} in the same directory. The disk has content and name
     * when it returns, as far as the file system allows that.
     *
     * @throws FileAlreadyExistsException if there is such a file by now, which stays as it is
     */
    public static void publish(Path unfinished, Path file) throws IOException {
        sync(unfinished);
        link(unfinished, file);
        Files.deleteIfExists(unfinished);
        syncNames(file.toAbsolutePath().resolveSibling(""));
    }

    /** Writes the content of {@code file} to the disk. */
    public static void sync(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.force(true);
        }
    }

    private static Path createDurably(Path directory, FileAttribute<?>... attributes) throws IOException {
        List<Path> missing = missing(directory);
        Path created = Files.createDirectories(directory, attributes);
        for (Path each : missing) {
            adoptOwner(each);
            syncNames(each.resolveSibling(""));
        }
        return created;
    }

    /** The directories that {@code directory} needs and that are not there, the outermost first. */
    private static List<Path> missing(Path directory) {
        List<Path> missing = new ArrayList<>();
        for (Path each = directory.toAbsolutePath(); each != null && Files.notExists(each); each = each.getParent()) {
            missing.add(0, each);
        }
        return missing;
    }

    /**
     * Gives what root has created the owner and the group of its directory. A root without the right to do so, as in some
     * containers, stays the owner.
     */
    public static void adoptOwner(Path created) throws IOException {
        Path directory = created.toAbsolutePath().resolveSibling("");
        if (!created.getFileSystem().supportedFileAttributeViews().contains("unix")
                || !Files.getAttribute(created, "unix:uid", LinkOption.NOFOLLOW_LINKS)
                        .equals(0)
                || Files.getAttribute(directory, "unix:uid").equals(0)) {
            return;
        }
        PosixFileAttributes like = Files.readAttributes(directory, PosixFileAttributes.class);
        PosixFileAttributeView view = Objects.requireNonNull(
                Files.getFileAttributeView(created, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS));
        try {
            view.setGroup(like.group());
            view.setOwner(like.owner());
        } catch (FileSystemException e) {
            System.getLogger(OwnerOnlyFiles.class.getName())
                    .log(System.Logger.Level.DEBUG, "[" + created + "] stays root's", e);
        }
    }

    /** Writes the names in {@code directory} to the disk. Some file systems, and Windows, have no call for that. */
    public static void syncNames(Path directory) {
        try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
            channel.force(true);
        } catch (IOException unsupported) {
            System.getLogger(OwnerOnlyFiles.class.getName())
                    .log(System.Logger.Level.DEBUG, "the names in [" + directory + "] can't be synced", unsupported);
        }
    }

    private static void give(Path unfinished, Path file) throws IOException {
        try {
            link(unfinished, file);
        } catch (FileAlreadyExistsException quicker) {
            System.getLogger(OwnerOnlyFiles.class.getName())
                    .log(System.Logger.Level.DEBUG, "{0} was made by another process", file);
        }
    }

    /** A link never replaces an existing file. A file system without links gets a check before the move. */
    private static void link(Path unfinished, Path file) throws IOException {
        try {
            Files.createLink(file, unfinished);
        } catch (FileAlreadyExistsException quicker) {
            throw quicker;
        } catch (UnsupportedOperationException | FileSystemException noLinks) {
            if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
                throw new FileAlreadyExistsException(file.toString());
            }
            Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE);
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
