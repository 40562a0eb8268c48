package dev.postern.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A test of the look-up of a home's database without the other settings. */
class DatabaseLookupTest {

    @TempDir
    Path home;

    @Test
    void rejectsAFileThatCannotBeRead() {
        assertThat(problems("database: {url: 'unfinished")).isNotEmpty();
    }

    @Test
    void rejectsADatabaseThatIsUnknown() {
        assertThat(problems("database: {url: 'jdbc:h2:mem:x'}")).startsWith("database.url [");
    }

    @Test
    void rejectsAPasswordThatIsNotThere() {
        assertThat(problems("database: {url: 'jdbc:postgresql:p', username: u, password: '${env:NOT_HERE}'}"))
                .startsWith("database.password [")
                .contains("NOT_HERE");
    }

    @Test
    void rejectsAHomeWhoseRestoreWasInterrupted() {
        ConfigurationFixture fixture =
                ConfigurationFixture.yaml(home, ConfigurationFixture.SERVING).file(".restore/plan.json", "{}");

        assertThat(DatabaseLookup.of(fixture.environment())).isInstanceOf(DatabaseLookup.Invalid.class);
        assertThat(fixture.problems())
                .singleElement()
                .hasToString("home [environment variable POSTERN_HOME]: is [" + home
                        + "], where a restore was interrupted; run the same restore again, which completes it");
    }

    @Test
    void findsTheDatabaseInTheHomeBesideMistakesElsewhere() {
        DatabaseLookup.Found found = found("hooks: {enabled: 7, token: '${env:NOT_HERE}'}\nunknown: 1\n");

        assertThat(found.home()).isEqualTo(home);
        assertThat(found.sqliteFile()).contains(home.resolve("data/postern.db"));
    }

    @Test
    void findsADatabaseElsewhere() {
        assertThat(found("database: {url: 'jdbc:sqlite:/srv/p.db'}").sqliteFile())
                .contains(Path.of("/srv/p.db"));
        assertThat(found("database: {url: 'jdbc:postgresql:p'}").sqliteFile()).isEmpty();
    }

    @Test
    void findsADatabaseThatAVariableNames() {
        ConfigurationFixture fixture =
                ConfigurationFixture.yaml(home, "hooks: {}").variable("POSTERN_DATABASE_URL", "jdbc:postgresql:p");

        assertThat(((DatabaseLookup.Found) DatabaseLookup.of(fixture.environment())).sqliteFile())
                .isEmpty();
    }

    private String problems(String yaml) {
        DatabaseLookup lookup =
                DatabaseLookup.of(ConfigurationFixture.yaml(home, yaml).environment());
        return ((DatabaseLookup.Invalid) lookup).problems().get(0).toString();
    }

    private DatabaseLookup.Found found(String yaml) {
        return (DatabaseLookup.Found)
                DatabaseLookup.of(ConfigurationFixture.yaml(home, yaml).environment());
    }
}
