package dev.postern.mapping.script;

import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The files below the transforms root. Symbolic links are followed first; a file that then lies outside the root does not
 * exist for a transform.
 */
final class TransformFiles {

    private static final long LARGEST_BYTES = 1024 * 1024;
    private static final List<String> ENDINGS = List.of("", ".ts", ".js", ".mts", ".mjs", ".cts", ".cjs", ".json");
    private static final List<String> INDEXES = List.of("index.ts", "index.js", "index.mjs", "index.cjs");

    private final Path root;

    TransformFiles(Path root) {
        this.root = root;
    }

    /**
     * A stamp that tells one version of a file from another, symbolic links followed.
     *
     * @param bytes -1 if there is no such file
     * @param key identifies the file, if the file system can; another file may have taken its place
     */
    record Stamp(long modifiedMillis, long bytes, @Nullable Object key) {

        private static final Stamp NONE = new Stamp(0, -1, null);

        static Stamp of(Path file) {
            try {
                BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
                return attributes.isDirectory()
                        ? NONE
                        : new Stamp(attributes.lastModifiedTime().toMillis(), attributes.size(), attributes.fileKey());
            } catch (IOException e) {
                return NONE;
            }
        }
    }

    /** An exception for a file that can't be used; the message is for the operator. */
    static final class UnusableFileException extends Exception {

        private static final long serialVersionUID = 1L;

        UnusableFileException(String sentence) {
            super(sentence);
        }
    }

    /** The path of a module, with its symbolic links. */
    Path path(Path module) {
        return root.resolve(module);
    }

    /** The path of a module, with symbolic links followed. */
    Path realPath(Path module) throws UnusableFileException {
        try {
            Path real = path(module).toRealPath();
            if (!real.startsWith(root.toRealPath())) {
                throw new UnusableFileException("it is outside the transforms root; move it inside");
            }
            return real;
        } catch (IOException e) {
            throw new UnusableFileException(
                    "there is no such file under the transforms root; create it, or mend the name");
        }
    }

    /** The name of a module for messages, with or without symbolic links followed: relative to the root, with slashes. */
    String name(Path module) {
        Path given = path(module);
        return Stream.of(realRoot(), root.toAbsolutePath().normalize())
                .filter(given::startsWith)
                .findFirst()
                .map(base -> base.relativize(given).toString().replace('\\', '/'))
                .orElseGet(() -> String.valueOf(given.getFileName()));
    }

    private Path realRoot() {
        try {
            return root.toRealPath();
        } catch (IOException e) {
            return root.toAbsolutePath().normalize();
        }
    }

    String read(Path file) throws UnusableFileException {
        try {
            if (Files.size(file) > LARGEST_BYTES) {
                throw new UnusableFileException("it is larger than " + LARGEST_BYTES + " bytes; make it smaller");
            }
            String text = Files.readString(file, StandardCharsets.UTF_8);
            return text.startsWith("\uFEFF") ? text.substring(1) : text;
        } catch (MalformedInputException e) {
            throw new UnusableFileException("it is not UTF-8; save it as UTF-8");
        } catch (IOException e) {
            throw new UnusableFileException(
                    "it can't be read (" + e.getClass().getSimpleName() + "); look at its permissions");
        }
    }

    /** The paths that {@code specifier}, as written in {@code importer}, may mean; the first that exists wins. */
    List<Path> candidates(Path importer, String specifier) throws UnusableFileException {
        boolean relative = specifier.startsWith("./") || specifier.startsWith("../") || specifier.matches("\\.\\.?");
        if (!relative) {
            throw new UnusableFileException(
                    "[" + specifier + "] is not part of the transforms root; only relative imports such as"
                            + " [./name] are to be had: copy what is needed next to the module");
        }
        Path directory = sibling(importer, specifier);
        if (!directory.startsWith(realRoot())) {
            throw new UnusableFileException(
                    "[" + specifier + "] leads out of the transforms root; keep what is imported inside");
        }
        String typed = directory.toString().replaceFirst("\\.([cm]?)js$", ".$1ts");
        return Stream.of(
                        ENDINGS.stream().map(ending -> Path.of(directory + ending)),
                        Stream.of(Path.of(typed)),
                        INDEXES.stream().map(directory::resolve))
                .flatMap(paths -> paths)
                .distinct()
                .toList();
    }

    private static Path sibling(Path importer, String specifier) throws UnusableFileException {
        try {
            return importer.resolveSibling(specifier).normalize();
        } catch (InvalidPathException e) {
            throw new UnusableFileException(
                    "[" + specifier.replaceAll("\\p{Cntrl}", "?") + "] is no name of a file; mend it");
        }
    }

    /** The path of a candidate, with symbolic links followed; null if it is no file. */
    @Nullable
    Path found(Path candidate) throws UnusableFileException {
        return Files.isRegularFile(candidate) ? realPath(candidate) : null;
    }
}
