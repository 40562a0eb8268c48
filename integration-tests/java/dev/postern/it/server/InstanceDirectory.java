package dev.postern.it.server;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Stream;

/**
 * The files and the port of one instance of a server.
 *
 * @param distribution what was unpacked, which is not written to
 * @param directory the instance's own, empty at first
 * @param war the packaged WAR
 * @param port to listen on, at 127.0.0.1
 */
record InstanceDirectory(Path distribution, Path directory, Path war, int port) {

    /**
     * A new one in {@code it.directory}, for the port {@code it.port}.
     *
     * @param unpacked a glob that one directory of {@code it.servers} matches
     */
    static InstanceDirectory create(String unpacked) throws IOException {
        Path directory = Path.of(System.getProperty("it.directory")).resolve("server");
        delete(directory);
        return new InstanceDirectory(
                only(Path.of(System.getProperty("it.servers")), unpacked),
                Files.createDirectories(directory),
                Path.of(System.getProperty("it.war")),
                Integer.getInteger("it.port"));
    }

    Path resolve(String name) {
        return directory.resolve(name);
    }

    /** Makes the file {@code name} hold {@code text}, at once: a server may look for changes meanwhile. */
    Path write(String name, String text) throws IOException {
        Path file = resolve(name);
        Files.createDirectories(file.resolveSibling("."));
        Path unfinished = Files.writeString(resolve(name + ".new"), text);
        return Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE);
    }

    /** Copies {@code source}, a file or a tree, to {@code name}. */
    void copy(Path source, String name) throws IOException {
        try (Stream<Path> paths = Files.walk(source)) {
            for (Path path : paths.toList()) {
                Path target = resolve(name).resolve(source.relativize(path).toString());
                if (Files.isDirectory(path)) {
                    Files.createDirectories(target);
                } else {
                    Files.createDirectories(target.resolveSibling("."));
                    Files.copy(path, target);
                }
            }
        }
    }

    /** Copies the jars of these libraries, named without their versions, from the WAR into the directory {@code name}. */
    void copyLibraries(String name, String... libraries) throws IOException {
        Files.createDirectories(resolve(name));
        try (JarFile archive = new JarFile(war.toFile())) {
            for (String library : libraries) {
                JarEntry jar = archive.stream()
                        .filter(entry -> entry.getName().matches("WEB-INF/lib/" + library + "-[0-9][^/]*\\.jar"))
                        .findFirst()
                        .orElseThrow(() -> new IOException("the WAR has no " + library));
                try (InputStream in = archive.getInputStream(jar)) {
                    Files.copy(in, resolve(name).resolve(Path.of(jar.getName()).getFileName()));
                }
            }
        }
    }

    /** Removes the file or the tree {@code name}. */
    void delete(String name) throws IOException {
        delete(resolve(name));
    }

    private static Path only(Path servers, String glob) throws IOException {
        List<Path> found = new ArrayList<>();
        try (DirectoryStream<Path> directories = Files.newDirectoryStream(servers, glob)) {
            directories.forEach(found::add);
        }
        if (found.size() != 1) {
            throw new IOException("one " + glob + " is wanted in [" + servers + "], not " + found + "; mvn clean");
        }
        return found.get(0);
    }

    private static void delete(Path tree) throws IOException {
        if (!Files.exists(tree)) {
            return;
        }
        try (Stream<Path> paths = Files.walk(tree)) {
            for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }
}
