package dev.postern.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.postern.model.Secret;
import dev.postern.net.OwnerOnlyFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Base64;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of the set-up of an empty home, and of the homes that are left unchanged. */
class HomeInitializerTest {

    @TempDir
    Path directory;

    @Test
    void aHomeThatCanNotBeSetUpIsRefusedWithWhatNamedIt() {
        ConfigurationFixture configurationFixture =
                ConfigurationFixture.home(directory).file("secrets", "no directory");
        assertThat(configurationFixture.problemLines())
                .singleElement()
                .asString()
                .startsWith(
                        "home [environment variable POSTERN_HOME]: is [" + directory + "], which could not be set up")
                .contains("name another home with POSTERN_HOME");
    }

    @Test
    void aHomeThatThereCanNotBeIsRefusedByCheckingToo() throws Exception {
        Path file = Files.writeString(directory.resolve("file"), "");
        ConfigurationResult outcome =
                ConfigurationFixture.home(file.resolve("deep/home")).check();
        assertThat(((ConfigurationResult.Rejected) outcome).problems())
                .extracting(ConfigurationProblem::wrong)
                .containsExactly("is [" + file.resolve("deep/home") + "], but [" + file + "] is no directory");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "/deep/home"})
    void refusesHomeOnLinkToNothing(String below) throws Exception {
        Path link = Files.createSymbolicLink(directory.resolve("link"), directory.resolve("unmounted"));
        Path home = Path.of(link + below);

        ConfigurationResult outcome = ConfigurationFixture.home(home).check();

        assertThat(((ConfigurationResult.Rejected) outcome).problems())
                .extracting(ConfigurationProblem::wrong)
                .containsExactly("is [" + home + "], " + (below.isEmpty() ? "which" : "but [" + link + "]")
                        + " is a link to no directory");
    }

    @Test
    void checkingWarnsOfAHomeThatThisProcessMayNotWrite() throws Exception {
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("r-x------"));
        assumeThat(Files.isWritable(directory)).isFalse(); // root may always
        assertThat(ConfigurationFixture.home(directory.resolve("home")).check().warnings())
                .anySatisfy(warning -> assertThat(warning.text()).contains("may not write"));
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx------"));
    }

    @Test
    void checkingTellsOnlyThatHomeCannotBeRead() throws Exception {
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("---------"));
        assumeThat(Files.isReadable(directory)).isFalse(); // root may always
        ConfigurationResult outcome = ConfigurationFixture.home(directory).check();
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx------"));

        assertThat(outcome.warnings()).isEmpty();
        assertThat(((ConfigurationResult.Rejected) outcome).problems())
                .extracting(ConfigurationProblem::wrong)
                .containsExactly("is [" + directory + "], which this process may not write or read");
    }

    @Test
    void checkingMakesNothing() throws Exception {
        Path home = directory.resolve("home");
        ConfigurationResult outcome = ConfigurationFixture.home(home).check();
        assertThat(outcome).isInstanceOf(ConfigurationResult.Configured.class);
        assertThat(outcome.warnings()).singleElement().asString().contains("the first start will set it up");
        assertThat(home).doesNotExist();
        Files.createDirectory(home);
        assertThat(ConfigurationFixture.home(home).check()).isInstanceOf(ConfigurationResult.Configured.class);
        assertThat(home).isEmptyDirectory();
    }

    @ParameterizedTest
    @ValueSource(strings = {"postern.yaml", "postern.yml", "postern.json", "postern.json5"})
    void aHomeWithAConfigurationFileIsNeverChanged(String name) throws Exception {
        ConfigurationFixture.home(directory).file(name, "{}").configured();
        assertThat(tree(directory)).containsExactly(name);
        assertThat(directory.resolve(name)).hasContent("{}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"data/postern.db", "notes.txt", "postern.yaml.bak"})
    void aHomeThatWasInUseIsNotSetUpAgain(String name) throws Exception {
        ConfigurationResult.Configured configured =
                ConfigurationFixture.home(directory).file(name, "x").configured();
        assertThat(configured.setUp()).isEmpty();
        assertThat(configured.files()).isEmpty();
        assertThat(configured.settings().hooks().enabled()).isFalse();
        assertThat(configured.warnings()).singleElement().asString().contains("holds no postern.yaml");
        assertThat(tree(directory)).contains(name).doesNotContain("postern.yaml", "secrets");
    }

    @Test
    void aHomeWhoseDatabaseIsElsewhereIsNotSetUpAgain() throws Exception {
        Path elsewhere = Files.createFile(directory.resolve("elsewhere.db"));
        for (String database : List.of("PostgreSQL at db.example:5432/postern", "SQLite in " + elsewhere)) {
            Path home = directory.resolve("home " + database.charAt(0));
            ConfigurationResult.Configured configured = ConfigurationFixture.home(home)
                    .file("data/postern.database", database + "\n")
                    .file("data/postern.lock", "")
                    .file("secrets/hook-token", "a-token-that-was-in-use-0123456789\n")
                    .configured();

            assertThat(configured.setUp()).isEmpty();
            assertThat(configured.settings().hooks().enabled()).isFalse();
            assertThat(configured.warnings()).singleElement().asString().contains("holds no postern.yaml");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"SQLite in data/postern.db\n", "SQLite in /nowhere/x.db\n", "PostgreSQL at db", ""})
    void aHomeThatRecordsNoOtherDatabaseIsSetUp(String record) throws Exception {
        assertThat(ConfigurationFixture.home(directory)
                        .file("data/postern.database", record)
                        .configured()
                        .setUp())
                .isPresent();
    }

    @Test
    void aHomeThatHoldsNothingIsSetUp() throws Exception {
        Path home = directory.resolve("deep/home");
        ConfigurationResult.Configured configured =
                ConfigurationFixture.home(home).configured();
        assertThat(tree(home))
                .containsExactlyInAnyOrder(
                        "agents",
                        "agents/main",
                        "data",
                        "hooks",
                        "hooks/transforms",
                        "postern.yaml",
                        "secrets",
                        "secrets/hook-token");
        assertThat(configured.setUp())
                .contains(new ConfigurationResult.SetUp(
                        home.resolve("postern.yaml"), home.resolve("secrets/hook-token")));
        String token = Files.readString(home.resolve("secrets/hook-token")).strip();
        assertThat(Base64.getUrlDecoder().decode(token)).hasSize(32);
        assertThat(configured.settings().hooks().enabled()).isTrue();
        assertThat(configured.settings().hooks().tokens()).containsExactly(new Secret(token));
        assertThat(configured.warnings()).isEmpty();
        assertThat(configured.toString()).doesNotContain(token);
        assertThat(Files.readString(home.resolve("postern.yaml"))).doesNotContain(token);
    }

    @Test
    void theOwnerAloneCanOpenWhatWasSetUp() throws Exception {
        Path home = directory.resolve("home");
        ConfigurationFixture.home(home).configured();
        assertThat(permissions(home.resolve("secrets"))).isEqualTo("rwx------");
        assertThat(permissions(home.resolve("data"))).isEqualTo("rwx------");
        assertThat(permissions(home.resolve("secrets/hook-token"))).isEqualTo("rw-------");
        assertThat(permissions(home.resolve("postern.yaml"))).isEqualTo("rw-------");
    }

    @Test
    void theOwnerAloneCanOpenItWithoutPosixPermissionsToo() throws Exception {
        OwnerOnlyFiles ownerOnly = new OwnerOnlyFiles(false);
        ownerOnly.createDirectory(directory.resolve("secrets"));
        ownerOnly.writeFile(directory.resolve("secrets/x"), "content");
        assertThat(permissions(directory.resolve("secrets"))).startsWith("rwx").doesNotContain("r--", "-w-");
        assertThat(permissions(directory.resolve("secrets/x"))).isEqualTo("rw-------");
        assertThat(directory.resolve("secrets/x")).hasContent("content");
    }

    @Test
    void aFileThatAnotherProcessMadeMeanwhileStays() throws Exception {
        OwnerOnlyFiles ownerOnly = OwnerOnlyFiles.on(directory);
        ownerOnly.writeFile(directory.resolve("x"), "the other's");
        ownerOnly.writeFile(directory.resolve("x"), "ours");
        assertThat(directory.resolve("x")).hasContent("the other's");
        assertThat(tree(directory)).containsExactly("x");
    }

    @Test
    void theNextStartReadsWhatTheFirstMade() {
        ConfigurationFixture configurationFixture = ConfigurationFixture.home(directory);
        ConfigurationResult.Configured first = configurationFixture.configured();
        ConfigurationResult.Configured second = configurationFixture.configured();
        assertThat(second.setUp()).isEmpty();
        assertThat(second.settings()).isEqualTo(first.settings());
    }

    @Test
    void aSetUpThatWasCutShortIsFinishedWithTheSameToken() throws Exception {
        String token = "a-token-from-the-first-attempt-0";
        ConfigurationResult.Configured configured = ConfigurationFixture.home(directory)
                .file("secrets/hook-token", token + "\n")
                .file("secrets/hook-token.1.new", "half")
                .file("postern.yaml.1.new", "hooks: {ena")
                .configured();
        assertThat(configured.setUp()).isPresent();
        assertThat(configured.settings().hooks().tokens()).containsExactly(new Secret(token));
    }

    @Test
    void anAgentsWorkspaceThatIsThereAlreadyIsKept() throws Exception {
        assertThat(ConfigurationFixture.home(directory)
                        .file("agents/main/AGENTS.md", "Be kind.")
                        .configured()
                        .setUp())
                .isPresent();
        assertThat(directory.resolve("agents/main/AGENTS.md")).hasContent("Be kind.");
    }

    @Test
    void theSummaryIsOneLineThatSaysWhatCounts() {
        ConfigurationResult.Configured configured = ConfigurationFixture.yaml(directory, ConfigurationFixture.SERVING)
                .configured();
        assertThat(configured.summary())
                .isEqualTo("hooks at /hooks, 1 token, agents main (offline/echo), channels inbox, database SQLite in"
                        + " data/ unless a DataSource is bound, metrics local, file " + directory
                        + "/postern.yaml, home " + directory + " (environment variable POSTERN_HOME)");
        assertThat(ConfigurationFixture.yaml(directory, "{}").configured().summary())
                .startsWith("hooks off (hooks.enabled is false)");
    }

    private static String permissions(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }

    private static List<String> tree(Path root) throws IOException {
        try (Stream<Path> paths = Files.walk(root)) {
            return paths.filter(path -> !path.equals(root))
                    .map(path -> root.relativize(path).toString())
                    .toList();
        }
    }
}
