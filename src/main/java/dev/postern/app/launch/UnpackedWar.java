package dev.postern.app.launch;

import dev.postern.model.FileErrorText;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.System.Logger.Level;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.List;
import java.util.Objects;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Stream;

/** A directory with the unpacked WAR, which is needed since no class loader reads a jar inside a jar. */
final class UnpackedWar {

    private static final System.Logger LOG = System.getLogger(UnpackedWar.class.getName());
    private static final String PREFIX = "postern-";
    private static final String UNFINISHED = "unpacking-";

    private final Path directory;

    private UnpackedWar(Path directory) {
        this.directory = directory;
    }

    /**
     * Unpacks {@code war} below {@code parent}, or finds it unpacked there by an earlier start of the same file. The
     * directory gets its final name when it is complete, so that an interrupted start leaves nothing that looks complete. A
     * failed one leaves nothing: the next start would leave as much again on a full disk.
     */
    static UnpackedWar of(Path war, Path parent) throws IOException {
        String name =
                PREFIX + Files.size(war) + "-" + Files.getLastModifiedTime(war).toMillis();
        Path whole = parent.resolve(name);
        if (!Files.isDirectory(whole)) {
            makeOwnerOnly(parent);
            Path partial = Files.createTempDirectory(parent, UNFINISHED);
            try {
                extract(war, partial);
                moveInto(partial, whole);
            } catch (IOException e) {
                deleteAfter(e, partial);
                throw e;
            }
        }
        return new UnpackedWar(whole);
    }

    Path directory() {
        return directory;
    }

    /** A class loader for the launcher and the embedded server, without the program. */
    ClassLoader serverLoader() throws IOException {
        List<Path> places = new ArrayList<>(jars("WEB-INF/embedded"));
        places.add(0, directory);
        return loader("server", places);
    }

    /** A class loader for the program, as a web application has it. */
    URLClassLoader programLoader() throws IOException {
        return loader("program", jars("WEB-INF/lib"));
    }

    /**
     * Deletes the directories that earlier versions of the WAR and interrupted starts left beside this one, and nothing else.
     * Each loses its final name first, so that an interrupted deletion leaves nothing that looks complete. One that can't be
     * deleted stays, and the log says so. Only the process that holds the home may call this.
     */
    void deleteOthers() {
        Path parent = Objects.requireNonNull(directory.getParent());
        try (Stream<Path> siblings = Files.list(parent)) {
            siblings.filter(this::isLeftOver).toList().forEach(UnpackedWar::deleteLeftOver);
        } catch (IOException | UncheckedIOException e) {
            warn(parent + " can't be read", e);
        }
    }

    private static void deleteLeftOver(Path leftOver) {
        String name = leftOver.getFileName().toString();
        Path place = leftOver;
        try {
            if (name.startsWith(PREFIX)) {
                place = Files.move(leftOver, leftOver.resolveSibling(UNFINISHED + name));
            }
            delete(place);
        } catch (IOException | UncheckedIOException e) {
            warn(place + ", which an earlier start left, can't be deleted", e);
        }
    }

    private static void warn(String what, Exception why) {
        String reason = why instanceof IOException e ? FileErrorText.of(e) : String.valueOf(why.getMessage());
        LOG.log(Level.WARNING, what + ": " + reason);
    }

    private boolean isLeftOver(Path sibling) {
        String name = sibling.getFileName().toString();
        return !sibling.equals(directory) && (name.startsWith(PREFIX) || name.startsWith(UNFINISHED));
    }

    /** Deletes {@code tree}, whose unpacking failed with {@code failure}. */
    private static void deleteAfter(IOException failure, Path tree) {
        try {
            delete(tree);
        } catch (IOException | UncheckedIOException left) {
            failure.addSuppressed(left);
        }
    }

    static void delete(Path tree) throws IOException {
        try (Stream<Path> paths = Files.walk(tree)) {
            for (Path path : paths.sorted(java.util.Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        }
    }

    private List<Path> jars(String folder) throws IOException {
        try (Stream<Path> files = Files.list(directory.resolve(folder))) {
            return files.sorted().toList();
        }
    }

    private static URLClassLoader loader(String name, List<Path> places) throws MalformedURLException {
        List<URL> urls = new ArrayList<>();
        for (Path place : places) {
            urls.add(place.toUri().toURL());
        }
        return new URLClassLoader(name, urls.toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
    }

    /** Makes {@code directory} and its missing parents, which may include the home, accessible to their owner only. */
    static Path makeOwnerOnly(Path directory) throws IOException {
        return Files.createDirectories(directory, ownerOnly(directory, "rwx------"));
    }

    /** {@code permissions} for a new file at {@code path}, with any umask; none on a file system without POSIX permissions. */
    private static FileAttribute<?>[] ownerOnly(Path path, String permissions) {
        return path.getFileSystem().supportedFileAttributeViews().contains("posix")
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))
                }
                : new FileAttribute<?>[0];
    }

    private static void extract(Path war, Path target) throws IOException {
        try (JarFile jar = new JarFile(war.toFile())) {
            for (Enumeration<JarEntry> entries = jar.entries(); entries.hasMoreElements(); ) {
                JarEntry entry = entries.nextElement();
                Path file = target.resolve(entry.getName()).normalize();
                if (!file.startsWith(target)) {
                    throw new IOException("the WAR has an entry outside itself: " + entry.getName());
                }
                if (entry.isDirectory()) {
                    makeOwnerOnly(file);
                } else {
                    makeOwnerOnly(Objects.requireNonNull(file.getParent()));
                    Files.createFile(file, ownerOnly(file, "rw-------"));
                    try (InputStream in = jar.getInputStream(entry);
                            OutputStream out = Files.newOutputStream(file)) {
                        in.transferTo(out);
                    }
                }
            }
        }
    }

    private static void moveInto(Path partial, Path whole) throws IOException {
        try {
            Files.move(partial, whole, StandardCopyOption.ATOMIC_MOVE);
        } catch (FileSystemException e) { // more than one class says "directory not empty"
            if (!Files.isDirectory(whole)) {
                throw e;
            }
            delete(partial); // another start was quicker
        }
    }
}
