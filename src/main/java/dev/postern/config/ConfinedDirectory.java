package dev.postern.config;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/**
 * A directory that nothing named in it may leave, wherever symbolic links lead.
 *
 * @param directory absolute; may not exist
 */
record ConfinedDirectory(Path directory) {

    /** What a name stands for. */
    sealed interface Place {}

    /** Something in the directory; {@code real} holds no symbolic link. */
    record Inside(Path real) implements Place {}

    /** Something that is, or would be, elsewhere. */
    record Outside() implements Place {}

    /** Nothing that is there. */
    record Missing() implements Place {}

    /** Something that could not be looked at. */
    record Unreadable(String why) implements Place {}

    /** What {@code name} stands for; a relative one stands against the directory. */
    Place find(String name) {
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
