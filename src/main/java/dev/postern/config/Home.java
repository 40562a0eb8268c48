package dev.postern.config;

import java.nio.file.Path;

/**
 * The home directory and why it is the one.
 *
 * @param directory absolute; may not exist yet
 * @param source what named it, such as {@code environment variable POSTERN_HOME}
 */
public record Home(Path directory, Origin source) {

    /** {@code text} as an absolute path: {@code ~} stands for the user's home, a relative one stands against {@code base}. */
    static Path expand(String text, Path base, Path userHome) {
        Path path = text.equals("~") || text.startsWith("~/")
                ? userHome.resolve(text.substring(Math.min(2, text.length())))
                : base.resolve(text);
        return path.toAbsolutePath().normalize();
    }

    @Override
    public String toString() {
        return directory + " (" + source + ")";
    }
}
