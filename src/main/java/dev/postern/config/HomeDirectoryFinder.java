package dev.postern.config;

import dev.postern.model.HomeSetting;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A finder of the home directory. The name from the smallest scope wins, so that two deployments in one server can
 * differ.
 */
final class HomeDirectoryFinder {

    private static final String HOW = "name a directory, for example with the environment variable POSTERN_HOME";

    private final ProcessEnvironment environment;
    private final ConfigurationProblems problems;

    HomeDirectoryFinder(ProcessEnvironment environment, ConfigurationProblems problems) {
        this.environment = environment;
        this.problems = problems;
    }

    /** The home; empty if the named directory can't be one, which is reported as a problem. */
    Optional<HomeDirectory> find() {
        Optional<JndiEntries.Bound> bound = environment.jndi().apply("POSTERN_HOME");
        ValueOrigin jndiOrigin =
                ValueOrigin.jndi(bound.map(JndiEntries.Bound::name).orElse("POSTERN_HOME"));
        if (bound.isPresent() && !(bound.get().value() instanceof String)) {
            problems.add("home", jndiOrigin, "is no java.lang.String", HOW);
            return Optional.empty();
        }
        String jndi = bound.map(named -> (String) named.value()).orElse(null);
        ValueOrigin paramOrigin = ValueOrigin.contextParam("postern.home");
        Optional<String> param = environment.contextParam().apply("postern.home");
        return home(HomeSetting.of(jndi, jndiOrigin.where())
                .or(() -> HomeSetting.of(param.orElse(null), paramOrigin.where()))
                .orElseGet(() ->
                        HomeSetting.ofProcess(environment.systemProperties()::get, environment.variables()::get)));
    }

    private Optional<HomeDirectory> home(HomeSetting name) {
        ValueOrigin origin = new ValueOrigin(name.origin());
        try {
            HomeDirectory home = new HomeDirectory(name.directory(environment.userHome()), origin);
            Path there = home.nearestExisting();
            if (!Files.isDirectory(there)) {
                String which = there.equals(home.directory()) ? "which" : "but [" + there + "]";
                problems.add("home", origin, "is [" + home.directory() + "], " + which + " is no directory", HOW);
                return Optional.empty();
            }
            return Optional.of(home);
        } catch (InvalidPathException malformed) {
            problems.add("home", origin, HomeSetting.wrong(malformed), HomeSetting.advice(malformed));
            return Optional.empty();
        }
    }
}
