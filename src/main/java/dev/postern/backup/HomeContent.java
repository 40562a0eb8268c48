package dev.postern.backup;

import dev.postern.backup.BackupManifest.Entry;
import dev.postern.backup.BackupManifest.Kind;
import dev.postern.config.HomeDirectory;
import dev.postern.net.OwnerOnlyFiles;
import dev.postern.store.HomeLock;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The content of a home that belongs in its backup: everything but the files that Postern makes again by itself, logs, and
 * backups. A symbolic link is kept as a link, because it may lead anywhere. A name that is no text is an error: a backup without
 * its file would miss it silently.
 */
final class HomeContent {

    static final String DATA = "data";
    static final String SECRETS = "secrets";

    /** The beginning of the name of a directory with the content that a restore has replaced. */
    static final String REPLACED = "replaced-";

    /** The directory in a home for backups, which a backup leaves out. */
    static final String BACKUPS = "backups";

    private static final Set<String> LEFT_OUT = Set.of("work", "log", "lost+found", BACKUPS, HomeDirectory.RESTORE);

    private HomeContent() {}

    /** True when {@code name}, directly in a home, is content. */
    private static boolean isContent(String name) {
        return !LEFT_OUT.contains(name) && !name.startsWith(REPLACED);
    }

    /**
     * The content of {@code home} without {@code data/}: each entry after its directory, without digests.
     *
     * @param leftOut further files that are no content, below {@code home}
     */
    static List<Entry> of(Path home, Set<Path> leftOut) throws IOException {
        List<Entry> entries = new ArrayList<>();
        for (Path top : children(home)) {
            String name = top.getFileName().toString();
            if (isContent(name) && !name.equals(DATA) && !name.equals(BackupManifest.NAME)) {
                Files.walkFileTree(top, new Collector(home, leftOut, entries));
            }
        }
        return entries;
    }

    /**
     * The parts of {@code home} that a restore replaces one by one, as paths in the home: what is directly in it or in its
     * {@code data/}. The home's lock stays where it is.
     */
    static List<String> parts(Path home) throws IOException {
        List<String> parts = new ArrayList<>();
        for (Path top : children(home)) {
            String name = top.getFileName().toString();
            if (name.equals(DATA) && Files.isDirectory(top)) {
                for (Path inner : children(top)) {
                    if (!inner.getFileName().toString().equals(HomeLock.FILE)) {
                        parts.add(DATA + "/" + inner.getFileName());
                    }
                }
            } else if (isContent(name)) {
                parts.add(name);
            }
        }
        return parts;
    }

    /** True when {@code home} has no content but empty directories, or is missing. */
    static boolean isEmpty(Path home) throws IOException {
        if (!Files.exists(home)) {
            return true;
        }
        for (String part : parts(home)) {
            try (Stream<Path> files = Files.walk(home.resolve(part))) {
                if (files.anyMatch(file -> !Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS))) {
                    return false;
                }
            }
        }
        return true;
    }

    private static List<Path> children(Path directory) throws IOException {
        try (Stream<Path> children = Files.list(directory)) {
            return children.sorted().toList();
        }
    }

    /** A visitor that lists what it finds; a socket or a pipe is no content. */
    static final class Collector extends SimpleFileVisitor<Path> {

        private final Path home;
        private final Set<Path> leftOut;
        private final List<Entry> entries;

        Collector(Path home, Set<Path> leftOut, List<Entry> entries) {
            this.home = home;
            this.leftOut = leftOut;
            this.entries = entries;
        }

        @Override
        public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) throws IOException {
            try {
                entries.add(new Entry(path(directory), Kind.DIRECTORY, mode(directory), 0, null, null));
            } catch (NoSuchFileException deletedMeanwhile) {
                return FileVisitResult.SKIP_SUBTREE;
            }
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
            try {
                if (attributes.isSymbolicLink()) {
                    entries.add(new Entry(path(file), Kind.LINK, null, 0, null, text(Files.readSymbolicLink(file))));
                } else if (attributes.isRegularFile() && !leftOut.contains(file)) {
                    entries.add(new Entry(path(file), Kind.FILE, mode(file), attributes.size(), null, null));
                }
            } catch (NoSuchFileException deletedMeanwhile) {
                return visitFileFailed(file, deletedMeanwhile);
            }
            return FileVisitResult.CONTINUE;
        }

        /** A file of an agent may be gone by now. */
        @Override
        public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
            if (e instanceof NoSuchFileException) {
                return FileVisitResult.CONTINUE;
            }
            throw e;
        }

        private String path(Path file) throws FileSystemException {
            return text(home.relativize(file)).replace(file.getFileSystem().getSeparator(), "/");
        }

        /** The text of {@code path}, if it leads back to the path: a name on the disk is bytes, which may be no text. */
        private static String text(Path path) throws FileSystemException {
            String text = path.toString();
            if (!isPath(path, text)) {
                throw new FileSystemException(
                        text,
                        null,
                        "this process's locale can't spell a name; rename it, or start Java with LC_ALL=C.UTF-8");
            }
            return text;
        }

        private static boolean isPath(Path path, String text) {
            try {
                return path.getFileSystem().getPath(text).equals(path);
            } catch (InvalidPathException e) {
                return false;
            }
        }

        private static @Nullable String mode(Path file) throws IOException {
            return OwnerOnlyFiles.isPosix(file)
                    ? PosixFilePermissions.toString(Files.getPosixFilePermissions(file))
                    : null;
        }
    }
}
