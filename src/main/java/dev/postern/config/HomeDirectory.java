package dev.postern.config;

import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The home directory and why it is the one.
 *
 * @param directory absolute; may not exist yet
 * @param source what named it, such as {@code environment variable POSTERN_HOME}
 */
public record HomeDirectory(Path directory, ValueOrigin source) {

    /** The directory where it exists, else the nearest above it that does. */
    Path there() {
        Path there = directory;
        while (!Files.exists(there) && there.getParent() != null) {
            there = there.getParent();
        }
        return there;
    }

    @Override
    public String toString() {
        return directory + " (" + source + ")";
    }
}
