package dev.postern.config;

import dev.postern.config.Configuration.Configured;
import dev.postern.config.Configuration.SetUp;
import dev.postern.config.Node.Fields;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Finds the home, reads its configuration file, lays single settings from JNDI, system properties and environment
 * variables over it, and checks the whole.
 */
public final class ConfigurationLoader {

    /** What the settings are wanted for. */
    public enum Mode {
        /** To run on them: a home that holds nothing is set up. */
        SERVE,
        /** To know whether they work: nothing is written anywhere. */
        CHECK
    }

    private final Environment environment;

    public ConfigurationLoader(Environment environment) {
        this.environment = environment;
    }

    /**
     * The configuration as it stands now.
     *
     * @return settings that work, or every problem there is; an unusable configuration is no exception
     */
    public Configuration load(Mode mode) {
        Problems problems = new Problems();
        Optional<Home> home = new HomeSearch(environment, problems).find();
        return home.isPresent() ? load(home.get(), mode, problems) : problems.refused();
    }

    private Configuration load(Home home, Mode mode, Problems problems) {
        if (mode == Mode.CHECK && !Files.isWritable(home.there())) {
            String where = "is [" + home.directory() + "], where this process may not write";
            problems.warn("home", home.source(), where + "; the one that serves has to");
        }
        Optional<SetUp> setUp = prepare(home, mode, problems);
        if (!problems.isEmpty()) {
            return problems.refused();
        }
        Optional<Path> file = ConfigurationFile.find(home.directory(), problems);
        Optional<Node> read = file.flatMap(found -> ConfigurationFile.read(found, problems));
        if (read.isEmpty() && !problems.isEmpty()) {
            return problems.refused(); // what a file that can't be read lacks is not worth listing
        }
        Node tree = read.orElseGet(() -> Fields.empty(file.map(Origin::file).orElse(Origin.DEFAULT)));
        return read(home, file, tree, setUp, Map.of(), problems);
    }

    /**
     * What a start would make of {@code tree}.
     *
     * @param file where it stands, or is to
     * @param pending what files that it refers to will hold, which are not written yet
     */
    Configuration read(Home home, Optional<Path> file, Node tree, Map<Path, String> pending, Problems problems) {
        return read(home, file, tree, Optional.empty(), pending, problems);
    }

    private Configuration read(
            Home home,
            Optional<Path> file,
            Node tree,
            Optional<SetUp> setUp,
            Map<Path, String> pending,
            Problems problems) {
        Overrides overrides = new Overrides(environment, problems);
        Node merged = tree instanceof Fields fields ? overrides.over(fields) : tree;
        References references = new References(home.directory(), environment.variables(), pending);
        Reading reading =
                new Reading(home.directory(), environment.userHome(), environment.zone(), references, problems);
        Supplier<Settings> settings = SettingsSection.read(new Section(reading, "", Declared.ROOT, merged));
        if (tree instanceof Fields) {
            new Strays(overrides.paths(), problems).judge(environment, references.referred());
        }
        new FilePermissionCheck(home.directory(), problems).warn(file, references);
        if (!problems.isEmpty()) {
            return problems.refused(settings.get().hooks());
        }
        return new Configured(
                settings.get(),
                home,
                file,
                setUp,
                Effective.of(merged instanceof Fields fields ? fields : Fields.empty(merged.origin())),
                problems.warnings());
    }

    /** Sets a fresh home up where that is wanted, and says what it means where there is no file. */
    private Optional<SetUp> prepare(Home home, Mode mode, Problems problems) {
        if (ConfigurationFile.find(home.directory(), problems).isPresent()) {
            return Optional.empty();
        }
        FreshHome fresh = new FreshHome(home, problems);
        String where = "is [" + home.directory() + "] and ";
        if (!fresh.isFresh()) {
            problems.warn("home", home.source(), where + "holds no postern.yaml, so that every default applies");
            return Optional.empty();
        }
        if (mode == Mode.CHECK) {
            problems.warn("home", home.source(), where + "holds nothing yet; the first start will set it up");
            return Optional.empty();
        }
        return fresh.setUp();
    }
}
