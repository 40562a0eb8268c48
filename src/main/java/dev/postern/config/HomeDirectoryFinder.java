package dev.postern.config;

import dev.postern.model.HomeSetting;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

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

    /** The home; empty if the named directory can't be one, or a restore of it was interrupted, which is reported. */
    Optional<HomeDirectory> find() {
        JndiLookup.@Nullable Entry entry =
                environment.jndi().find("POSTERN_HOME").orElse(null);
        ValueOrigin jndiOrigin = ValueOrigin.jndi(entry == null ? "POSTERN_HOME" : entry.name());
        if (entry instanceof JndiLookup.Unresolved unresolved) {
            problems.add("home", jndiOrigin, unresolved.wrong(), unresolved.instead());
            return Optional.empty();
        }
        @Nullable Object bound = entry instanceof JndiLookup.Bound given ? given.value() : null;
        if (bound != null && !(bound instanceof String)) {
            problems.add("home", jndiOrigin, "is no java.lang.String", HOW);
            return Optional.empty();
        }
        @Nullable String jndi = (String) bound;
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
                String what = Files.isSymbolicLink(there) ? " is a link to no directory" : " is no directory";
                problems.add("home", origin, "is [" + home.directory() + "], " + which + what, HOW);
                return Optional.empty();
            }
            return home.checkRestore(problems) ? Optional.of(home) : Optional.empty();
        } catch (InvalidPathException malformed) {
            problems.add("home", origin, HomeSetting.wrong(malformed), HomeSetting.advice(malformed));
            return Optional.empty();
        }
    }
}
