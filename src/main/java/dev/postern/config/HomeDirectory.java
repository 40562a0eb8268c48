package dev.postern.config;

import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The home directory and the origin of its name.
 *
 * @param directory absolute; need not exist yet
 * @param source the origin of its name, such as {@code environment variable POSTERN_HOME}
 */
public record HomeDirectory(Path directory, ValueOrigin source) {

    /** The directory if it exists, else the nearest one above it that does. */
    Path nearestExisting() {
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
