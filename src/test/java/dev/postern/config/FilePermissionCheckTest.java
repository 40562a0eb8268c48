package dev.postern.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of the warnings about files that other users of the machine can open. */
class FilePermissionCheckTest {

    private static final String REFERRING = "hooks: {enabled: true, token: '${file:secrets/hook-token}'}\n";

    @TempDir
    Path directory;

    private Path home;

    @BeforeEach
    void begin() throws IOException {
        home = Files.createDirectory(directory.resolve("home"));
        chmod("rwx------", home);
    }

    private ConfigurationFixture given(String yaml) {
        return ConfigurationFixture.yaml(home, yaml).file("secrets/hook-token", ConfigurationFixture.TOKEN);
    }

    private static void chmod(String mode, Path path) throws IOException {
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(mode));
    }

    private void warnsAloneOf(
            Path path, String mode, String harm, String command, ConfigurationFixture configurationFixture) {
        String warning = "permissions [" + path + "]: has the mode " + mode + ", with which other users can " + harm
                + "; run chmod " + command;
        assertThat(configurationFixture.check().warnings())
                .extracting(ConfigurationWarning::toString)
                .containsExactly(warning);
        assertThat(configurationFixture.configured().warnings())
                .extracting(ConfigurationWarning::toString)
                .containsExactly(warning);
    }

    @Test
    void warnsOfSecretFileThatOthersCanRead() throws IOException {
        ConfigurationFixture configurationFixture = given(REFERRING);
        Path token = home.resolve("secrets/hook-token");
        chmod("rw-r--r--", token);

        warnsAloneOf(token, "644", "read it", "600 " + token, configurationFixture);
    }

    @Test
    void warnsOfSecretFileThatNothingRefersTo() throws IOException {
        ConfigurationFixture configurationFixture = given(REFERRING).file("secrets/old key", "x");
        Path old = home.resolve("secrets/old key");
        chmod("rw-rw----", old);

        warnsAloneOf(old, "660", "change it", "600 '" + old + "'", configurationFixture);
    }

    @Test
    void warnsOfReferredFileOutsideOfTheHome() throws IOException {
        Path elsewhere = directory.resolve("token");
        Files.writeString(elsewhere, ConfigurationFixture.TOKEN);
        chmod("rw----r--", elsewhere);

        warnsAloneOf(
                elsewhere,
                "604",
                "read it",
                "600 " + elsewhere,
                given("hooks: {enabled: true, token: '${file:" + elsewhere + "}'}\n"));
    }

    @Test
    void warnsOfConfigurationThatHoldsASecretItself() throws IOException {
        ConfigurationFixture configurationFixture = given(ConfigurationFixture.SERVING);
        Path file = home.resolve("postern.yaml");
        chmod("rw-r--r--", file);

        warnsAloneOf(file, "644", "read it", "600 " + file, configurationFixture);
    }

    @Test
    void warnsOfConfigurationWithoutSecretsOnlyIfOthersCanChangeIt() throws IOException {
        ConfigurationFixture configurationFixture = given(REFERRING);
        Path file = home.resolve("postern.yaml");
        chmod("rw-r--r--", file);
        assertThat(configurationFixture.check().warnings()).isEmpty();
        chmod("rw-rw-rw-", file);

        warnsAloneOf(file, "666", "change it", "644 " + file, configurationFixture);
    }

    @Test
    void warnsOfHomeThatOthersCanLookInto() throws IOException {
        ConfigurationFixture configurationFixture = given(REFERRING);
        chmod("rwxr-xr-x", home);

        warnsAloneOf(home, "755", "read it", "750 " + home, configurationFixture);
    }

    @Test
    void warnsOfScriptsThatOthersCanChange() throws IOException {
        ConfigurationFixture configurationFixture = given(REFERRING).file("hooks/transforms/a.js", "x");
        Path scripts = home.resolve("hooks/transforms");
        chmod("rwxrwxrwx", scripts);

        warnsAloneOf(scripts, "777", "change it", "755 " + scripts, configurationFixture);
    }

    @Test
    void warnsOfDatabaseThatOthersCanRead() throws IOException {
        ConfigurationFixture configurationFixture = given(REFERRING).file("data/postern.db-wal", "");
        Path database = home.resolve("data/postern.db-wal");
        chmod("rw-r-----", database);

        warnsAloneOf(database, "640", "read it", "600 " + database, configurationFixture);
    }

    @Test
    void isSilentAboutWhatTheGroupMayLookInto() throws IOException {
        ConfigurationFixture configurationFixture = given(REFERRING).file("data/postern.db", "");
        chmod("rwxr-x---", home);
        chmod("rwxr-x---", home.resolve("secrets"));
        chmod("rwxr-x---", home.resolve("data"));

        assertThat(configurationFixture.check().warnings()).isEmpty();
    }
}
