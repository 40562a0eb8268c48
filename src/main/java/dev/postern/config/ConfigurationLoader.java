package dev.postern.config;

import dev.postern.config.ConfigurationNode.Fields;
import dev.postern.config.ConfigurationResult.Configured;
import dev.postern.config.ConfigurationResult.SetUp;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * A loader of the whole configuration. It finds the home and reads its configuration file, its {@link MailFile} and
 * its {@link SendersFile}. Then it applies single settings from JNDI, system properties and environment variables, and checks the result.
 */
public final class ConfigurationLoader {

    /** The directories of a home into which a Postern that serves writes. */
    private static final List<String> WRITTEN = List.of("data", "work");

    /** A mode of loading the configuration. */
    public enum Mode {
        /** The mode for running Postern: an empty home is set up. */
        SERVE,
        /** The mode for checking the settings: nothing is written anywhere. */
        CHECK
    }

    private final ProcessEnvironment environment;

    public ConfigurationLoader(ProcessEnvironment environment) {
        this.environment = environment;
    }

    /**
     * Loads the current configuration.
     *
     * @return settings that work, or every problem; an unusable configuration throws no exception
     */
    public ConfigurationResult load(Mode mode) {
        ConfigurationProblems problems = new ConfigurationProblems();
        Optional<HomeDirectory> home = new HomeDirectoryFinder(environment, problems).find();
        return home.isPresent() ? load(home.get(), mode, problems) : problems.rejected();
    }

    /** Warns, with {@code what} as the beginning, if this process may not write into {@code directory}, or not enter it. */
    private static void warnOfUnwritable(
            HomeDirectory home, String what, Path directory, ConfigurationProblems problems) {
        if (!Files.isWritable(directory) || !Files.isExecutable(directory)) {
            problems.warn(
                    "home", home.source(), what + ", where this process may not write; the one that serves has to");
        }
    }

    private ConfigurationResult load(HomeDirectory home, Mode mode, ConfigurationProblems problems) {
        HomeInitializer fresh = new HomeInitializer(home, problems);
        boolean isFresh = fresh.isFresh();
        Optional<SetUp> setUp = mode == Mode.SERVE && isFresh ? fresh.setUp() : Optional.empty();
        if (!problems.isEmpty()) {
            return problems.rejected(); // what a home lacks that can't be read is not worth listing
        }
        if (mode == Mode.CHECK) {
            warnOfUnwritable(home, "is [" + home.directory() + "]", home.nearestExisting(), problems);
            for (String below : WRITTEN) {
                Path directory = home.directory().resolve(below);
                if (!Files.notExists(directory)) {
                    warnOfUnwritable(home, "has [" + directory + "]", directory, problems);
                }
            }
        }
        return read(
                home,
                MailFile.in(home.directory()).read(problems),
                SendersFile.in(home.directory()).read(problems),
                Map.of(),
                setUp,
                problems);
    }

    /**
     * Loads the configuration that the home would have if {@code file} took the place of its main file. Nothing is written.
     *
     * @param file a file in YAML, or in JSON if its name says so; need not be in the home
     */
    public ConfigurationResult loadInstead(Path file) {
        ConfigurationProblems problems = new ConfigurationProblems();
        Optional<HomeDirectory> home = new HomeDirectoryFinder(environment, problems).find();
        if (home.isEmpty()) {
            return problems.rejected();
        }
        Optional<MailSection> mail = MailFile.in(home.get().directory()).read(problems);
        return evaluate(
                home.get(),
                Optional.of(file),
                ConfigurationFile.readMain(file, problems),
                mail,
                SendersFile.in(home.get().directory()).read(problems),
                references(home.get(), Map.of()),
                Optional.empty(),
                problems);
    }

    /**
     * Loads the configuration that the home would have with {@code text} in its main file. Nothing is written. Who sends the
     * text need not have a right to this machine's files: a reference is resolved only if the present configuration has it.
     *
     * @param text YAML or JSON
     */
    public ConfigurationResult loadText(String text) {
        ConfigurationProblems problems = new ConfigurationProblems();
        Optional<HomeDirectory> found = new HomeDirectoryFinder(environment, problems).find();
        if (found.isEmpty()) {
            return problems.rejected();
        }
        HomeDirectory home = found.get();
        Optional<MailSection> mail = MailFile.in(home.directory()).read(problems);
        Optional<Fields> senders = SendersFile.in(home.directory()).read(problems);
        SecretReferences present = references(home, Map.of());
        ConfigurationProblems presentProblems = new ConfigurationProblems();
        Optional<Path> file = ConfigurationFile.find(home.directory(), presentProblems);
        evaluate(
                home,
                file,
                file.flatMap(main -> ConfigurationFile.readMain(main, presentProblems)),
                mail,
                senders,
                present,
                Optional.empty(),
                presentProblems);
        return evaluate(
                home,
                Optional.empty(),
                ConfigurationFile.tree(Path.of("postern.yaml"), text, problems),
                mail,
                senders,
                present.known(),
                Optional.empty(),
                problems);
    }

    private SecretReferences references(HomeDirectory home, Map<Path, String> pending) {
        return new SecretReferences(home.directory(), environment.variables(), pending);
    }

    /**
     * The configuration that {@code home} would have with {@code mail}. Nothing is written.
     *
     * @param secrets the future contents of files that {@code mail} refers to, by path
     */
    ConfigurationResult with(
            MailSection mail, Map<Path, String> secrets, HomeDirectory home, ConfigurationProblems problems) {
        Optional<Fields> senders = SendersFile.in(home.directory()).read(problems);
        return read(home, Optional.of(mail), senders, secrets, Optional.empty(), problems);
    }

    /** The configuration that {@code home} would have with {@code senders} in its {@link SendersFile}. Nothing is written. */
    ConfigurationResult with(Fields senders, HomeDirectory home, ConfigurationProblems problems) {
        Optional<MailSection> mail = MailFile.in(home.directory()).read(problems);
        return read(home, mail, Optional.of(senders), Map.of(), Optional.empty(), problems);
    }

    private ConfigurationResult read(
            HomeDirectory home,
            Optional<MailSection> mail,
            Optional<Fields> senders,
            Map<Path, String> secrets,
            Optional<SetUp> setUp,
            ConfigurationProblems problems) {
        Optional<Path> file = ConfigurationFile.find(home.directory(), problems);
        Map<Path, String> pending = new HashMap<>(secrets);
        Optional<ConfigurationNode> read = file.isPresent()
                ? ConfigurationFile.readMain(file.get(), problems)
                : withoutFile(home, mail.isPresent(), pending, problems);
        return evaluate(home, file, read, mail, senders, references(home, pending), setUp, problems);
    }

    private ConfigurationResult evaluate(
            HomeDirectory home,
            Optional<Path> file,
            Optional<ConfigurationNode> read,
            Optional<MailSection> mail,
            Optional<Fields> senders,
            SecretReferences references,
            Optional<SetUp> setUp,
            ConfigurationProblems problems) {
        if (read.isEmpty() && !problems.isEmpty()) {
            return problems.rejected(); // settings missing from an unreadable file are not worth listing
        }
        ConfigurationNode main =
                read.orElseGet(() -> Fields.empty(file.map(ValueOrigin::file).orElse(ValueOrigin.DEFAULT)));
        ConfigurationNode withMail = mail.isPresent() ? mail.get().addTo(main, problems) : main;
        ConfigurationNode tree = senders.isPresent() ? SendersFile.addTo(withMail, senders.get(), problems) : withMail;
        SettingOverrides overrides = new SettingOverrides(environment, problems);
        ConfigurationNode merged = tree instanceof Fields fields ? overrides.applyTo(fields) : tree;
        ReadContext readContext = new ReadContext(
                home.directory(),
                environment.userHome(),
                environment.zone(),
                environment.variables(),
                references,
                problems);
        Supplier<Settings> settings =
                SettingsSection.read(new SectionReader(readContext, "", DeclaredSettings.ROOT, merged));
        if (tree instanceof Fields) {
            UnknownOverrides unknown = new UnknownOverrides(overrides.paths(), problems);
            unknown.check(environment, references.referred());
            unknown.check(environment.jndi());
        }
        List<Path> files = Stream.of(
                        file.stream(),
                        mail.stream().map(MailSection::file),
                        senders.stream()
                                .map(present -> SendersFile.in(home.directory()).path()))
                .flatMap(paths -> paths)
                .toList();
        new FilePermissionCheck(home.directory(), problems).warn(files, references);
        if (!problems.isEmpty()) {
            return problems.rejected(settings.get());
        }
        return new Configured(
                settings.get(),
                home,
                files,
                setUp,
                EffectiveSettingsReport.of(merged instanceof Fields fields ? fields : Fields.empty(merged.origin())),
                problems.warnings());
    }

    /**
     * The configuration tree of a home without a main file. For a fresh home it is the tree that the set-up writes.
     *
     * @param pending receives the future contents of the files that the set-up writes, by path
     */
    private Optional<ConfigurationNode> withoutFile(
            HomeDirectory home, boolean mail, Map<Path, String> pending, ConfigurationProblems problems) {
        HomeInitializer fresh = new HomeInitializer(home, problems);
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
