package dev.postern.config;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/**
 * A directory that confines the names in it: neither a name nor a symbolic link may lead out of it.
 *
 * @param directory absolute; need not exist
 */
record ConfinedDirectory(Path directory) {

    /** The result of looking up a name. */
    sealed interface LookupResult {}

    /** An existing file or directory inside; {@code real} holds no symbolic link. */
    record Inside(Path real) implements LookupResult {}

    /** A path that leads, or would lead, out of the directory. */
    record Outside() implements LookupResult {}

    /** A name without an existing file. */
    record Missing() implements LookupResult {}

    /** A path that could not be examined. */
    record Unreadable(String why) implements LookupResult {}

    /** Looks up {@code name}; a relative name is resolved against the directory. */
    LookupResult find(String name) {
        try {
            Path relative = Path.of(name).normalize();
            Path named = directory.resolve(relative).normalize();
            Path root = Files.exists(directory) ? directory.toRealPath() : directory;
            if (!relative.isAbsolute() && relative.startsWith("..")) {
                return new Outside();
            }
            if (!Files.exists(named)) {
                return named.startsWith(directory) || named.startsWith(root) ? new Missing() : new Outside();
            }
            Path real = named.toRealPath();
            return real.startsWith(root) ? new Inside(real) : new Outside();
        } catch (InvalidPathException | NoSuchFileException nothing) {
            return new Missing();
        } catch (IOException failed) {
            return new Unreadable(failed.getClass().getSimpleName());
        }
    }
}
