package dev.postern.config;

import dev.postern.config.ConfigurationNode.Fields;
import dev.postern.model.DatabaseUrl;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The result of looking up a home's database in the configuration, for commands that work on the database alone. A mistake
 * in other settings, or a variable that only the service has, does not keep an operator from a backup.
 */
public sealed interface DatabaseLookup {

    /**
     * A database of a home.
     *
     * @param home the home, absolute
     */
    record Found(Path home, Settings.Database database) implements DatabaseLookup {

        /** The database's file, absolute; empty for PostgreSQL. */
        public Optional<Path> sqliteFile() {
            String url = database.url();
            if (url == null) {
                return Optional.of(home.resolve("data").resolve("postern.db"));
            }
            return DatabaseUrl.of(url) instanceof DatabaseUrl.SqliteFile sqlite
                    ? Optional.of(sqlite.file().toAbsolutePath())
                    : Optional.empty();
        }
    }

    /**
     * A result without a database.
     *
     * @param problems the problems with the home, its configuration file as a whole, or {@code database}; never empty
     */
    record Invalid(List<ConfigurationProblem> problems) implements DatabaseLookup {

        public Invalid {
            problems = List.copyOf(problems);
        }
    }

    /** Looks up the database of the process's home. Nothing is written. */
    static DatabaseLookup of(ProcessEnvironment environment) {
        ConfigurationProblems problems = new ConfigurationProblems();
        Optional<HomeDirectory> found = new HomeDirectoryFinder(environment, problems).find();
        Optional<Path> file = found.flatMap(home -> ConfigurationFile.find(home.directory(), problems));
        Optional<ConfigurationNode> tree = file.flatMap(main -> ConfigurationFile.readMain(main, problems));
        if (found.isEmpty() || !problems.isEmpty()) {
            return new Invalid(problems.rejected().problems());
        }
        Path home = found.get().directory();
        Fields fields = tree.orElse(null) instanceof Fields given ? given : Fields.empty(ValueOrigin.DEFAULT);
        ReadContext readContext = new ReadContext(
                home,
                environment.userHome(),
                environment.zone(),
                environment.variables(),
                new SecretReferences(home, environment.variables(), Map.of()),
                problems);
        SectionReader root = new SectionReader(
                readContext, "", DeclaredSettings.ROOT, new SettingOverrides(environment, problems).applyTo(fields));
        Settings.Database database = SettingsSection.database(root.section(DeclaredSettings.DATABASE));
        List<ConfigurationProblem> ofDatabase = problems.rejected().problems().stream()
                .filter(problem -> isOfDatabase(problem.setting()))
                .toList();
        return ofDatabase.isEmpty() ? new Found(home, database) : new Invalid(ofDatabase);
    }

    private static boolean isOfDatabase(String setting) {
        String database = DeclaredSettings.DATABASE.name();
        return setting.equals(database) || setting.startsWith(database + ".");
    }
}
