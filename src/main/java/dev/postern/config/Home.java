package dev.postern.config;

import java.nio.file.Path;

/**
 * The home directory and why it is the one.
 *
 * @param directory absolute; may not exist yet
 * @param source what named it, such as {@code environment variable POSTERN_HOME}
 */
public record Home(Path directory, Origin source) {

    @Override
    public String toString() {
        return directory + " (" + source + ")";
    }
}
