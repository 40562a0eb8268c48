package dev.postern.config;

import dev.postern.config.ValueType.Invalid;
import dev.postern.config.ValueType.Parsed;
import dev.postern.config.ValueType.Valid;
import dev.postern.model.Secret;
import dev.postern.net.OwnerOnlyFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The password of the only user of {@code java -jar}. It is kept in the home, because there is no server that knows
 * users.
 *
 * @param file {@code secrets/console-password}, readable by its owner alone
 * @param password not blank
 */
public record OperatorPassword(Path file, Secret password) {

    private static final String SETTING = "console";
    private static final String NEEDED = "needs the file ";
    private static final String HOW =
            "write a password into it, or set console: off (and metrics: local) to do without one";

    /** Whether {@code settings} open a page to users who log in. */
    public static boolean isNeeded(Settings settings) {
        return settings.console() != Settings.Access.OFF || settings.metrics() == Settings.Access.VIEWER;
    }

    /**
     * Reads the password, and creates one if there is no file.
     *
     * @return empty if there is none to be had, which is reported as a problem
     */
    public static Optional<OperatorPassword> in(Path home, ConfigurationProblems problems) {
        Path file = fileOf(home);
        if (!ConfigurationFile.exists(file)) {
            try {
                OwnerOnlyFiles ownerOnly = OwnerOnlyFiles.on(home);
                ownerOnly.createDirectory(file.resolveSibling(""));
                ownerOnly.writeFile(file, HomeInitializer.newToken() + "\n");
            } catch (IOException failed) {
                problems.add(
                        SETTING,
                        ValueOrigin.file(file),
                        NEEDED + file + ", which " + HomeInitializer.why(failed, "made"),
                        HOW);
                return Optional.empty();
            }
        }
        return read(file, problems);
    }

    /** Reports as a problem, or a warning, what {@link #in} would fail for. Nothing is written. */
    public static void check(Path home, ConfigurationProblems problems) {
        Path file = fileOf(home);
        if (ConfigurationFile.exists(file)) {
            read(file, problems);
            return;
        }
        Path directory = HomeDirectory.nearestExisting(file.resolveSibling(""));
        ValueOrigin origin = ValueOrigin.file(file);
        if (!Files.isDirectory(directory)) {
            problems.add(SETTING, origin, NEEDED + file + ", but " + directory + " is no directory", HOW);
        } else if (!Files.isWritable(directory)) {
            String where = NEEDED + file + ", but this process may not write there";
            if (Files.isWritable(HomeDirectory.nearestExisting(home))) {
                problems.add(SETTING, origin, where, HOW);
            } else { // another user's home
                problems.warn(SETTING, origin, where + "; the one that serves has to");
            }
        }
    }

    private static Optional<OperatorPassword> read(Path file, ConfigurationProblems problems) {
        Parsed<String> content = SecretReferences.content(file, NEEDED, HOW);
        if (content instanceof Invalid<String> invalid) {
            problems.add(SETTING, ValueOrigin.file(file), invalid.wrong(), invalid.instead());
            return Optional.empty();
        }
        return Optional.of(new OperatorPassword(
                file, new Secret(((Valid<String>) content).value().strip())));
    }

    private static Path fileOf(Path home) {
        return home.resolve("secrets").resolve("console-password");
    }
}
