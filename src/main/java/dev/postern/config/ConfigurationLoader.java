package dev.postern.config;

import dev.postern.config.Configuration.Configured;
import dev.postern.config.Configuration.SetUp;
import dev.postern.config.Node.Fields;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Finds the home, reads its configuration file and its {@link MailFile}, lays single settings from JNDI, system properties
 * and environment variables over them, and checks the whole.
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
        FreshHome fresh = new FreshHome(home, problems);
        Optional<SetUp> setUp = mode == Mode.SERVE && fresh.isFresh() ? fresh.setUp() : Optional.empty();
        if (!problems.isEmpty()) {
            return problems.refused();
        }
        return read(home, MailFile.in(home.directory()).read(problems), Map.of(), setUp, problems);
    }

    /**
     * The configuration as it would be with {@code mail} in {@code home}, in which nothing is written.
     *
     * @param secrets what files that it refers to will hold
     */
    Configuration with(MailSection mail, Map<Path, String> secrets, Home home, Problems problems) {
        return read(home, Optional.of(mail), secrets, Optional.empty(), problems);
    }

    private Configuration read(
            Home home,
            Optional<MailSection> mail,
            Map<Path, String> secrets,
            Optional<SetUp> setUp,
            Problems problems) {
        Optional<Path> file = ConfigurationFile.find(home.directory(), problems);
        Map<Path, String> pending = new HashMap<>(secrets);
        Optional<Node> read = file.isPresent()
                ? ConfigurationFile.read(file.get(), problems)
                : withoutFile(home, mail.isPresent(), pending, problems);
        if (read.isEmpty() && !problems.isEmpty()) {
            return problems.refused(); // what a file that can't be read lacks is not worth listing
        }
        Node main = read.orElseGet(() -> Fields.empty(file.map(Origin::file).orElse(Origin.DEFAULT)));
        Node tree = mail.isPresent() ? mail.get().over(main, problems) : main;
        Overrides overrides = new Overrides(environment, problems);
        Node merged = tree instanceof Fields fields ? overrides.over(fields) : tree;
        References references = new References(home.directory(), environment.variables(), pending);
        Reading reading =
                new Reading(home.directory(), environment.userHome(), environment.zone(), references, problems);
        Supplier<Settings> settings = SettingsSection.read(new Section(reading, "", Declared.ROOT, merged));
        if (tree instanceof Fields) {
            new Strays(overrides.paths(), problems).judge(environment, references.referred());
        }
        List<Path> files = Stream.concat(file.stream(), mail.stream().map(MailSection::file))
                .toList();
        new FilePermissionCheck(home.directory(), problems).warn(files, references);
        if (!problems.isEmpty()) {
            return problems.refused(settings.get().hooks());
        }
        return new Configured(
                settings.get(),
                home,
                files,
                setUp,
                Effective.of(merged instanceof Fields fields ? fields : Fields.empty(merged.origin())),
                problems.warnings());
    }

    /**
     * What a home without a main file says: once it has been set up, where it is fresh.
     *
     * @param pending gets what files will hold by then
     */
    private Optional<Node> withoutFile(Home home, boolean mail, Map<Path, String> pending, Problems problems) {
        FreshHome fresh = new FreshHome(home, problems);
        String where = "is [" + home.directory() + "] and holds no postern.yaml";
        if (fresh.isFresh()) {
            problems.warn("home", home.source(), where + " yet; the first start will set it up");
            pending.putAll(fresh.secrets());
            return fresh.tree();
        }
        String rest = mail ? ", so that defaults apply beside " + MailFile.NAME : ", so that every default applies";
        problems.warn("home", home.source(), where + rest);
        return Optional.empty();
    }
}
