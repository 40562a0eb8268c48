package dev.postern.model;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Objects;
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
public record HomeSetting(String text, String origin) {

    /** What {@code origin} says, if it says anything; a blank text is nothing. */
    public static Optional<HomeSetting> of(@Nullable String text, String origin) {
        return text == null || text.isBlank() ? Optional.empty() : Optional.of(new HomeSetting(text.strip(), origin));
    }

    /** What the whole process says: the system property, else the environment variable, else {@code ~/.postern}. */
    public static HomeSetting ofProcess(
            Function<String, @Nullable String> systemProperty, Function<String, @Nullable String> variable) {
        return of(systemProperty.apply("postern.home"), "system property postern.home")
                .or(() -> of(variable.apply("POSTERN_HOME"), "environment variable POSTERN_HOME"))
                .orElse(new HomeSetting("~/.postern", "default"));
    }

    /** The directory that {@code ~} stands for: the environment variable HOME, else the home of the user's account. */
    public static String userHome(
            Function<String, @Nullable String> systemProperty, Function<String, @Nullable String> variable) {
        @Nullable String home = variable.apply("HOME");
        return home == null || home.isBlank()
                ? Objects.requireNonNullElse(systemProperty.apply("user.home"), "")
                : home;
    }

    /**
     * The directory, absolute.
     *
     * @throws InvalidPathException when no directory can be called so; {@link #wrong} and {@link #advice} say more
     */
    public Path directory(String userHome) {
        return expand(text, Path.of(""), userHome);
    }

    /** {@code text} as an absolute path: {@code ~} stands for the user's home, a relative one stands against {@code base}. */
    public static Path expand(String text, Path base, String userHome) {
        Path path = text.equals("~") || text.startsWith("~/")
                ? Path.of(userHome).resolve(text.substring(Math.min(2, text.length())))
                : base.resolve(text);
        return path.toAbsolutePath().normalize();
    }

    /** What is wrong with a name that no directory can have, to follow the setting's name. */
    public static String wrong(InvalidPathException malformed) {
        return isOfLocale(malformed) ? "holds a letter that this process's locale can't spell" : "is no path";
    }

    /** What to do about such a name. */
    public static String advice(InvalidPathException malformed) {
        return isOfLocale(malformed)
                ? "start Java with LC_ALL=C.UTF-8 in its environment"
                : "name a directory, for example with the environment variable POSTERN_HOME";
    }

    /** In a UTF-8 locale every letter can be spelled; in the locale C, which services have, those of ASCII alone. */
    private static boolean isOfLocale(InvalidPathException malformed) {
        String name = malformed.getInput();
        return name.indexOf('\0') < 0 && name.chars().anyMatch(letter -> letter > 127);
    }
}
