package dev.postern.config;

import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Finds the home: what the smallest scope names wins, so that two deployments in one server can differ. */
final class HomeSearch {

    private static final String HOW = "name a directory, for example with the environment variable POSTERN_HOME";

    private final Environment environment;
    private final Problems problems;

    HomeSearch(Environment environment, Problems problems) {
        this.environment = environment;
        this.problems = problems;
    }

    /** The home; empty when what is named can't be one, which is then a problem. */
    Optional<Home> find() {
        Object jndi = environment.jndi().apply("POSTERN_HOME").orElse(null);
        Origin jndiOrigin = Origin.jndi("POSTERN_HOME");
        if (jndi != null && !(jndi instanceof String)) {
            problems.add("home", jndiOrigin, "is no java.lang.String", HOW);
            return Optional.empty();
        }
        return named((String) jndi, jndiOrigin)
                .or(() -> named(
                        environment.contextParam().apply("postern.home").orElse(null),
                        Origin.contextParam("postern.home")))
                .or(() -> named(
                        environment.systemProperties().get("postern.home"), Origin.systemProperty("postern.home")))
                .or(() -> named(environment.variables().get("POSTERN_HOME"), Origin.variable("POSTERN_HOME")))
                .or(() -> Optional.of(new Named("~/.postern", Origin.DEFAULT)))
                .flatMap(this::home);
    }

    private record Named(String text, Origin origin) {}

    private static Optional<Named> named(@Nullable String text, Origin origin) {
        return text == null || text.isBlank() ? Optional.empty() : Optional.of(new Named(text.strip(), origin));
    }

    private Optional<Home> home(Named named) {
        try {
            Path directory = Home.expand(named.text(), Path.of(""), environment.userHome());
            if (Files.exists(directory) && !Files.isDirectory(directory)) {
                problems.add("home", named.origin(), "is [" + directory + "], which is no directory", HOW);
                return Optional.empty();
            }
            return Optional.of(new Home(directory, named.origin()));
        } catch (InvalidPathException malformed) {
            problems.add("home", named.origin(), "is no path", HOW);
            return Optional.empty();
        }
    }
}
