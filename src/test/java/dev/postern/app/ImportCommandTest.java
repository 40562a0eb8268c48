package dev.postern.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.postern.config.ConfigurationLoader;
import dev.postern.net.OwnerOnlyFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A test of the command {@code import}. */
class ImportCommandTest {

    @TempDir
    Path directory;

    private ImportFixture imported;

    @BeforeEach
    void nameHome() {
        imported = new ImportFixture(directory);
    }

    @Test
    void refusesAHomeWhoseRestoreWasInterrupted() throws IOException {
        ImportFixture.write(imported.home.resolve(".restore/plan.json"), "{}");

        assertThat(imported.run("{ " + ImportFixture.HOOKS + "} }")).isEqualTo(1);

        assertThat(imported.err())
                .contains("problem: home [system property postern.home]: is [" + imported.home
                        + "], where a restore was interrupted; run the same restore again, which completes it")
                .contains("Nothing was changed.");
        assertThat(imported.home.resolve("postern.yaml")).doesNotExist();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{ hooks: { enabled: true |:1:25]: is no valid JSON here",
                "{ hooks: { maxBodyBytes: 0x400 } }|:1:27]: has a hexadecimal number here; write it in decimal digits",
                "{ hooks: { path: '\\9' } }|:1:19]: has an escape here that JSON5 does not have",
                "{ a: 1 } { b: 2 }|goes on after its end",
                "[1, 2]|is a list; name a file with a map of settings",
                "5|is a number; name a file",
                "// nothing|is empty; name OpenClaw's openclaw.json",
                "{ $include: './none.json5' }|includes a file that does not exist",
                "{ $include: 5 }|includes a file that does not exist",
                "{ $include: { a: 1 } }|includes a map; name a file",
                "{ $include: './openclaw.json' }|includes a file that includes this one",
                "{ $include: '../../outside.json5' }|includes a file outside"
            })
    void changesNothingForAFileThatItCanNotRead(String content, String reason) throws IOException {
        Files.writeString(directory.resolveSibling("outside.json5"), "{ hooks: {} }");

        assertThat(imported.run(content)).isEqualTo(1);

        assertThat(imported.err()).contains("problem: ", reason, "Nothing was changed.");
        assertThat(imported.home).doesNotExist();
    }

    @Test
    void changesNothingWhereThereIsNoFile() throws IOException {
        assertThat(imported.run()).isEqualTo(1);

        assertThat(imported.err())
                .contains("openclaw.json]: can't be read: it does not exist;", "Nothing was changed.");
        assertThat(imported.home).doesNotExist();
    }

    @Test
    void refusesAFileThatIsTooLargeTooDeepOrBinary() throws IOException {
        assertThat(imported.run("{ hooks: {} } //" + "x".repeat(1024 * 1024))).isEqualTo(1);
        assertThat(imported.err()).contains("is larger than 1 MiB");

        assertThat(imported.run("{ a: ".repeat(5_000))).isEqualTo(1);
        assertThat(imported.err()).contains("is no valid JSON here");

        Files.write(imported.file, new byte[] {'{', (byte) 0xff, '}'});
        assertThat(imported.run()).isEqualTo(1);
        assertThat(imported.err()).contains("is not UTF-8 text");
        assertThat(imported.home).doesNotExist();
    }

    @Test
    void replacesNoFileThatSomeoneHasWritten() throws IOException {
        for (String name : List.of("postern.yaml", "postern.json5")) {
            Path present = ImportFixture.write(imported.home.resolve(name), "# mine\n");

            assertThat(imported.run("{ " + ImportFixture.HOOKS + "} }")).isEqualTo(1);

            assertThat(imported.err()).contains(present + " exists. Move it away", "Nothing was changed.");
            assertThat(present).hasContent("# mine\n");
            assertThat(imported.home.resolve("secrets")).doesNotExist();
            Files.delete(present);
        }
    }

    @Test
    void replacesTheFileThatOnlyTheSetUpHasWritten() throws IOException {
        new ConfigurationLoader(imported.environment()).load(ConfigurationLoader.Mode.SERVE);
        assertThat(imported.home.resolve("postern.yaml")).content().contains("made at the first start");

        assertThat(imported.run("{ " + ImportFixture.HOOKS + "path: '/in' } }")).isZero();

        assertThat(imported.home.resolve("postern.yaml")).content().contains("path: \"/in\"");
    }

    @Test
    void replacesNoSecretAndNoScriptOfAnotherContent() throws IOException {
        for (String name : List.of("secrets/openclaw-hooks-token", "hooks/transforms/t.js")) {
            imported.script("t.js", "export default () => null;");
            Path present = ImportFixture.write(imported.home.resolve(name), "another\n");

            assertThat(imported.run("{ " + ImportFixture.HOOKS + ImportFixture.mapping("transform: { module: 't.js' }")
                            + "} }"))
                    .isEqualTo(1);

            assertThat(imported.err())
                    .contains(present + " exists with another content")
                    .doesNotContain(ImportFixture.TOKEN);
            assertThat(present).hasContent("another\n");
            assertThat(imported.home.resolve("postern.yaml")).doesNotExist();
            Files.delete(present);
        }
    }

    @Test
    void takesFilesThatAreThereAlready() throws IOException {
        ImportFixture.write(imported.home.resolve("secrets/openclaw-hooks-token"), ImportFixture.TOKEN + "\n");

        assertThat(imported.run("{ " + ImportFixture.HOOKS + "} }")).isZero();

        assertThat(imported.configured().settings().hooks().tokens().get(0).reveal())
                .isEqualTo(ImportFixture.TOKEN);
    }

    @Test
    void leavesNothingInAHomeThatCanNotBeWritten() throws IOException {
        ImportFixture.write(directory.resolve("home"), "a file");

        assertThat(imported.run("{ " + ImportFixture.HOOKS + "} }")).isEqualTo(1);

        assertThat(imported.err()).contains("the home can't be written", "Nothing was changed.");
        assertThat(directory.resolve("home")).hasContent("a file");
    }

    @Test
    void leavesNoSecretWhereAScriptCanNotBeWritten() throws IOException {
        ImportFixture.write(imported.home.resolve("hooks/transforms/deep"), "a file");
        imported.script("deep/t.js", "export default () => null;");

        assertThat(imported.run("{ " + ImportFixture.HOOKS + ImportFixture.mapping("transform: { module: 'deep/t.js' }")
                        + "} }"))
                .isEqualTo(1);

        assertThat(imported.err()).contains("the home can't be written", "Nothing was changed.");
        assertThat(imported.home.resolve("postern.yaml")).doesNotExist();
        assertThat(imported.home.resolve("secrets")).isEmptyDirectory();
    }

    @Test
    void namesProblemsOfTheHomesOtherFiles() throws IOException {
        ImportFixture.write(imported.home.resolve("senders.yaml"), "senders: 5\n");

        assertThat(imported.run("{ " + ImportFixture.HOOKS + "} }")).isEqualTo(1);

        assertThat(imported.err()).contains("senders", "Nothing was changed.");
        assertThat(imported.home.resolve("postern.yaml")).doesNotExist();
    }

    @Test
    void keepsSecretsInFilesOfTheirOwnerAndShowsNone() throws IOException {
        String secrets = "{ env: { vars: { OWN: 'inline-secret-5' } }, " + ImportFixture.HOOKS
                + "gmail: { pushToken: 'push-secret-6' } },"
                + " gateway: { auth: { token: 'gateway-secret-7' } },"
                + " channels: { telegram: { botToken: 'telegram-secret-2' }, discord: { token: '${OWN}' } },"
                + " models: { providers: { p: { baseUrl: 'https://p.example', apiKey: 'provider-secret-4' } } } }";

        assertThat(imported.run(secrets)).isZero();

        String yaml = Files.readString(imported.home.resolve("postern.yaml"));
        for (String text : List.of(yaml, imported.out(), imported.err())) {
            assertThat(text).doesNotContain("secret-", ImportFixture.TOKEN);
        }
        assertThat(imported.home.resolve("secrets/openclaw-channels-telegram-botToken"))
                .hasContent("telegram-secret-2\n");
        assertThat(imported.home.resolve("secrets/openclaw-OWN")).hasContent("inline-secret-5\n");
        assumeTrue(OwnerOnlyFiles.isPosix(imported.home));
        try (Stream<Path> secretFiles = Files.list(imported.home.resolve("secrets"))) {
            assertThat(secretFiles).hasSizeGreaterThan(3).allSatisfy(ImportCommandTest::assertOwnerOnly);
        }
        assertOwnerOnly(imported.home.resolve("postern.yaml"));
    }

    private static void assertOwnerOnly(Path each) {
        try {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(each)))
                    .isEqualTo("rw-------");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void namesTheVariablesThatPosternNeeds() throws IOException {
        assertThat(imported.run("{ hooks: { enabled: true, token: '${HOOK_TOKEN}' } }"))
                .isZero();

        assertThat(imported.out()).contains("Set the environment variable HOOK_TOKEN");
        imported.variables.put("HOOK_TOKEN", ImportFixture.TOKEN);
        assertThat(imported.configured().settings().hooks().tokens().get(0).reveal())
                .isEqualTo(ImportFixture.TOKEN);
    }
}
