package dev.postern.model;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The setting that names the home directory, with its origin. The launcher, which unpacks the program into the home, and the
 * program itself find the home by this one rule.
 *
 * @param text a directory; {@code ~} stands for the user's home
 * @param origin the source of the setting, such as {@code environment variable POSTERN_HOME}
 */
public record HomeSetting(String text, String origin) {

    /** The system property that hands the value of the option {@code --home} to the program. */
    public static final String OPTION_PROPERTY = "dev.postern.home.option";

    /** Java's {@code user.home} for a user without an account. */
    private static final String UNKNOWN = "?";

    private static final String NO_USER_HOME = "no home of the user";

    /** The setting {@code text} of {@code origin}; empty if the text is null or blank. */
    public static Optional<HomeSetting> of(@Nullable String text, String origin) {
        return text == null || text.isBlank() ? Optional.empty() : Optional.of(new HomeSetting(text.strip(), origin));
    }

    /**
     * The setting of the whole process: the option {@code --home}, else the system property, else the environment variable, else
     * {@code ~/.postern}.
     */
    public static HomeSetting ofProcess(
            Function<String, @Nullable String> systemProperty, Function<String, @Nullable String> variable) {
        return of(systemProperty.apply(OPTION_PROPERTY), "--home")
                .or(() -> of(systemProperty.apply("postern.home"), "system property postern.home"))
                .or(() -> of(variable.apply("POSTERN_HOME"), "environment variable POSTERN_HOME"))
                .orElse(new HomeSetting("~/.postern", "default"));
    }

    /**
     * The directory that {@code ~} stands for: the environment variable HOME, else the home of the user's account; empty if
     * there is neither.
     */
    public static String userHome(
            Function<String, @Nullable String> systemProperty, Function<String, @Nullable String> variable) {
        @Nullable String home = variable.apply("HOME");
        String found = home == null || home.isBlank()
                ? Objects.requireNonNullElse(systemProperty.apply("user.home"), "")
                : home;
        return found.equals(UNKNOWN) ? "" : found;
    }

    /**
     * The directory as an absolute path.
     *
     * @throws InvalidPathException if no directory can have this name; {@link #wrong} and {@link #advice} describe the
     *     problem
     */
    public Path directory(String userHome) {
        return expand(text, Path.of(""), userHome);
    }

    /**
     * {@code text} as an absolute path: {@code ~} stands for the user's home, and a relative path is resolved against
     * {@code base}.
     *
     * @throws InvalidPathException as {@link #directory}; also if the user's home is needed and {@code userHome} is empty
     */
    public static Path expand(String text, Path base, String userHome) {
        boolean isBelowUserHome = text.equals("~") || text.startsWith("~/");
        if (isBelowUserHome && userHome.isEmpty()) {
            throw new InvalidPathException(text, NO_USER_HOME);
        }
        Path path = isBelowUserHome
                ? Path.of(userHome).resolve(text.substring(Math.min(2, text.length())))
                : base.resolve(text);
        return path.toAbsolutePath().normalize();
    }

    /** The problem with a name that no directory can have, as a predicate after the setting's name. */
    public static String wrong(InvalidPathException malformed) {
        if (malformed.getReason().equals(NO_USER_HOME)) {
            return "is below the home of this process's user, who has none";
        }
        return isOfLocale(malformed) ? "holds a letter that this process's locale can't spell" : "is no path";
    }

    /** The advice to the operator about such a name. */
    public static String advice(InvalidPathException malformed) {
        return isOfLocale(malformed)
                ? "start Java with LC_ALL=C.UTF-8 in its environment"
                : "name a directory, for example with the environment variable POSTERN_HOME";
    }

    /**
     * Whether it is the locale that can't spell the name. In a UTF-8 locale every letter can be encoded. In the locale C, which
     * services have, only ASCII letters can.
     */
    public static boolean isOfLocale(InvalidPathException malformed) {
        String name = malformed.getInput();
        return name.indexOf('\0') < 0 && name.chars().anyMatch(letter -> letter > 127);
    }
}
