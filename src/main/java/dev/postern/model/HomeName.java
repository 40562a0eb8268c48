package dev.postern.model;

import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What the home directory was called, and by what. The launcher, which unpacks the program into the home, and the program
 * itself find it by this one rule.
 *
 * @param text a directory; {@code ~} stands for the user's home
 * @param origin such as {@code environment variable POSTERN_HOME}
 */
public record HomeName(String text, String origin) {

    /** What {@code origin} says, if it says anything; a blank text is nothing. */
    public static Optional<HomeName> of(@Nullable String text, String origin) {
        return text == null || text.isBlank() ? Optional.empty() : Optional.of(new HomeName(text.strip(), origin));
    }

    /** What the whole process says: the system property, else the environment variable, else {@code ~/.postern}. */
    public static HomeName ofProcess(
            Function<String, @Nullable String> systemProperty, Function<String, @Nullable String> variable) {
        return of(systemProperty.apply("postern.home"), "system property postern.home")
                .or(() -> of(variable.apply("POSTERN_HOME"), "environment variable POSTERN_HOME"))
                .orElse(new HomeName("~/.postern", "default"));
    }

    /**
     * The directory, absolute.
     *
     * @throws java.nio.file.InvalidPathException when no directory can be called so
     */
    public Path directory(Path userHome) {
        return expand(text, Path.of(""), userHome);
    }

    /** {@code text} as an absolute path: {@code ~} stands for the user's home, a relative one stands against {@code base}. */
    public static Path expand(String text, Path base, Path userHome) {
        Path path = text.equals("~") || text.startsWith("~/")
                ? userHome.resolve(text.substring(Math.min(2, text.length())))
                : base.resolve(text);
        return path.toAbsolutePath().normalize();
    }
}
