package dev.postern.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.postern.config.ConfigurationLoader;
import dev.postern.config.ConfigurationResult.Configured;
import dev.postern.config.MappingSettings;
import dev.postern.config.ProcessEnvironment;
import dev.postern.net.OwnerOnlyFiles;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A test of the command {@code import}. */
class ImportCommandTest {

    private static final String TOKEN = "hook-token-that-nobody-may-see-1";
    private static final String HOOKS = "hooks: { enabled: true, token: '" + TOKEN + "', ";

    @TempDir
    Path directory;

    private final Map<String, String> variables = new HashMap<>();
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private Path home;
    private Path file;

    @BeforeEach
    void namePaths() {
        home = directory.resolve("home");
        file = directory.resolve("claw").resolve("openclaw.json");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{ hooks: { enabled: true |:1:25]: is no valid JSON here",
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

        assertThat(run(content)).isEqualTo(1);

        assertThat(err()).contains("problem: ", reason, "Nothing was changed.");
        assertThat(home).doesNotExist();
    }

    @Test
    void changesNothingWhereThereIsNoFile() throws IOException {
        assertThat(run()).isEqualTo(1);

        assertThat(err()).contains("openclaw.json", "is no regular file", "Nothing was changed.");
        assertThat(home).doesNotExist();
    }

    @Test
    void refusesAFileThatIsTooLargeTooDeepOrBinary() throws IOException {
        assertThat(run("{ hooks: {} } //" + "x".repeat(1024 * 1024))).isEqualTo(1);
        assertThat(err()).contains("is larger than 1 MiB");

        assertThat(run("{ a: ".repeat(5_000))).isEqualTo(1);
        assertThat(err()).contains("is no valid JSON here");

        Files.write(file, new byte[] {'{', (byte) 0xff, '}'});
        assertThat(run()).isEqualTo(1);
        assertThat(err()).contains("is not UTF-8 text");
        assertThat(home).doesNotExist();
    }

    @Test
    void replacesNoFileThatSomeoneHasWritten() throws IOException {
        for (String name : List.of("postern.yaml", "postern.json5")) {
            Path present = write(home.resolve(name), "# mine\n");

            assertThat(run("{ " + HOOKS + "} }")).isEqualTo(1);

            assertThat(err()).contains(present + " exists. Move it away", "Nothing was changed.");
            assertThat(present).hasContent("# mine\n");
            assertThat(home.resolve("secrets")).doesNotExist();
            Files.delete(present);
        }
    }

    @Test
    void replacesTheFileThatOnlyTheSetUpHasWritten() throws IOException {
        new ConfigurationLoader(environment()).load(ConfigurationLoader.Mode.SERVE);
        assertThat(home.resolve("postern.yaml")).content().contains("made at the first start");

        assertThat(run("{ " + HOOKS + "path: '/in' } }")).isZero();

        assertThat(home.resolve("postern.yaml")).content().contains("path: \"/in\"");
    }

    @Test
    void replacesNoSecretAndNoScriptOfAnotherContent() throws IOException {
        for (String name : List.of("secrets/openclaw-hooks-token", "hooks/transforms/t.js")) {
            script("t.js", "export default () => null;");
            Path present = write(home.resolve(name), "another\n");

            assertThat(run("{ " + HOOKS + mapping("transform: { module: 't.js' }") + "} }"))
                    .isEqualTo(1);

            assertThat(err()).contains(present + " exists with another content").doesNotContain(TOKEN);
            assertThat(present).hasContent("another\n");
            assertThat(home.resolve("postern.yaml")).doesNotExist();
            Files.delete(present);
        }
    }

    @Test
    void takesFilesThatAreThereAlready() throws IOException {
        write(home.resolve("secrets/openclaw-hooks-token"), TOKEN + "\n");

        assertThat(run("{ " + HOOKS + "} }")).isZero();

        assertThat(configured().settings().hooks().tokens().get(0).reveal()).isEqualTo(TOKEN);
    }

    @Test
    void leavesNothingInAHomeThatCanNotBeWritten() throws IOException {
        write(directory.resolve("home"), "a file");

        assertThat(run("{ " + HOOKS + "} }")).isEqualTo(1);

        assertThat(err()).contains("the home can't be written", "Nothing was changed.");
        assertThat(directory.resolve("home")).hasContent("a file");
    }

    @Test
    void leavesNoSecretWhereAScriptCanNotBeWritten() throws IOException {
        write(home.resolve("hooks/transforms/deep"), "a file");
        script("deep/t.js", "export default () => null;");

        assertThat(run("{ " + HOOKS + mapping("transform: { module: 'deep/t.js' }") + "} }"))
                .isEqualTo(1);

        assertThat(err()).contains("the home can't be written", "Nothing was changed.");
        assertThat(home.resolve("postern.yaml")).doesNotExist();
        assertThat(home.resolve("secrets")).isEmptyDirectory();
    }

    @Test
    void namesProblemsOfTheHomesOtherFiles() throws IOException {
        write(home.resolve("senders.yaml"), "senders: 5\n");

        assertThat(run("{ " + HOOKS + "} }")).isEqualTo(1);

        assertThat(err()).contains("senders", "Nothing was changed.");
        assertThat(home.resolve("postern.yaml")).doesNotExist();
    }

    @Test
    void keepsSecretsInFilesOfTheirOwnerAndShowsNone() throws IOException {
        String secrets =
                "{ env: { vars: { OWN: 'inline-secret-5' } }, " + HOOKS + "gmail: { pushToken: 'push-secret-6' } },"
                        + " gateway: { auth: { token: 'gateway-secret-7' } },"
                        + " channels: { telegram: { botToken: 'telegram-secret-2' }, discord: { token: '${OWN}' } },"
                        + " models: { providers: { p: { baseUrl: 'https://p.example', apiKey: 'provider-secret-4' } } } }";

        assertThat(run(secrets)).isZero();

        String yaml = Files.readString(home.resolve("postern.yaml"));
        for (String text : List.of(yaml, out(), err())) {
            assertThat(text).doesNotContain("secret-", TOKEN);
        }
        assertThat(home.resolve("secrets/openclaw-channels-telegram-botToken")).hasContent("telegram-secret-2\n");
        assertThat(home.resolve("secrets/openclaw-OWN")).hasContent("inline-secret-5\n");
        assumeTrue(OwnerOnlyFiles.isPosix(home));
        try (Stream<Path> secretFiles = Files.list(home.resolve("secrets"))) {
            assertThat(secretFiles).hasSizeGreaterThan(3).allSatisfy(ImportCommandTest::assertOwnerOnly);
        }
        assertOwnerOnly(home.resolve("postern.yaml"));
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
        assertThat(run("{ hooks: { enabled: true, token: '${HOOK_TOKEN}' } }")).isZero();

        assertThat(out()).contains("Set the environment variable HOOK_TOKEN");
        variables.put("HOOK_TOKEN", TOKEN);
        assertThat(configured().settings().hooks().tokens().get(0).reveal()).isEqualTo(TOKEN);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "enabled: 'yes'|hooks.enabled: not taken: it is a text; write true or false",
                "path: '/'|hooks.path: not taken: it is [/]",
                "path: ['/x']|hooks.path: not taken: it is a list; write a text",
                "token: 5, mappings: {}|hooks.mappings: not taken: it is a map; write a list",
                "presets: ['gmail', 'other']|hooks.presets: not taken: OpenClaw has no preset other",
                "mapings: []|hooks.mapings: not taken: Postern has no such setting of hooks",
                "internal: { enabled: true }|hooks.internal: not taken",
                "mappings: [5]|hooks.mappings[0]: not taken: it is a number; write a map"
            })
    void namesWhatIsOfTheWrongFormAndTakesTheRest(String setting, String note) throws IOException {
        assertThat(run("{\n  hooks: {\n  " + setting + ",\n  maxBodyBytes: 1000 } }"))
                .isZero();

        assertThat(out()).contains(file + ":3: " + note);
        assertThat(Files.readString(home.resolve("postern.yaml"))).contains("maxBodyBytes: 1000");
        assertThat(configured()).isNotNull();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "match: { path: 5000, hosts: 'x' }",
                "match: { path: ['a'] }",
                "match: 'a'",
                "match: { path: '${UNSET}' }",
                "action: 'reply'",
                "allowUnsafeExternalContent: 'no'",
                "agentId: '{{agent}}x y'",
                "deliver: 'false'",
                "extra: 1",
                "transform: { module: '../../../etc/x.js' }",
                "transform: { module: '/etc/x.js' }",
                "transform: { module: 'none.js' }",
                "transform: { module: 'link.js' }",
                "transform: { module: 't.js', export: 'no name' }",
                "transform: 't.js'"
            })
    void leavesAMappingOutThatWouldDoSomethingElse(String part) throws IOException {
        script("t.js", "export default () => null;");
        Path outside = write(directory.resolve("outside.js"), "export default () => null;");
        Files.createSymbolicLink(file.resolveSibling("hooks/transforms/link.js"), outside);
        String later = "{ id: 'later', messageTemplate: 'takes everything' }";
        String first = "{ id: 'first', match: { path: 'first' }, messageTemplate: 'm' }";

        assertThat(run("{ " + HOOKS + "mappings: [ " + first + ",\n{ id: 'bad', messageTemplate: 'm', " + part + " }, "
                        + later + " ] } }"))
                .isZero();

        assertThat(out()).containsPattern(":2: hooks\\.mappings\\[1].*not taken");
        assertThat(configured().settings().hooks().mappings())
                .extracting(MappingSettings::id)
                .containsExactly("first");
    }

    @Test
    void takesScriptsThatRunInPosternWithWhatTheyImport() throws IOException {
        script("deep/t.mjs", "import { x } from './lib/x.mjs';\nexport const go = () => ({ message: x });");
        script("deep/lib/x.mjs", "import { y } from '../../y.js';\nexport const x = y;");
        script("y.js", "export const y = 'y';");
        script("unused.js", "export default 1;");
        script("deep/broken.js", "export default () => {");
        script("deep/node.js", "import fs from 'node:fs';\nexport default () => fs.x;");
        String mappings = Stream.of(
                        "module: 't.mjs', export: 'go'", "module: 'broken.js'", "module: 'node.js'", "module: 't.mjs'")
                .map(transform -> "\n{ match: { path: \"" + transform.replaceAll("[^a-z]", "") + "\" }, transform: { "
                        + transform + " } }")
                .collect(Collectors.joining(", "));

        assertThat(run("{ " + HOOKS + "transformsDir: '~/.openclaw/hooks/transforms/deep', mappings: [" + mappings
                        + "] } }"))
                .isZero();

        assertThat(home.resolve("hooks/transforms/deep/lib/x.mjs")).exists();
        assertThat(home.resolve("hooks/transforms/unused.js")).doesNotExist();
        assertThat(out())
                .containsPattern(":3: hooks\\.mappings\\[1]: not taken: .*broken\\.js")
                .containsPattern(":4: hooks\\.mappings\\[2]: not taken: .*node\\.js")
                .containsPattern(":5: hooks\\.mappings\\[3]: not taken: .*t\\.mjs");
        assertThat(configured().settings().hooks().mappings())
                .extracting(mapping -> mapping.match().path())
                .containsExactly("moduletmjsexportgo");
    }

    @Test
    void switchesHooksOffWhereARestrictionIsNotAccepted() throws IOException {
        assertThat(run("{ " + HOOKS + "allowedSessionKeyPrefixes: ['other:'] } }"))
                .isZero();

        assertThat(out()).contains("hooks.allowedSessionKeyPrefixes: not taken", "hooks are off until you write it");
        assertThat(configured().settings().hooks().enabled()).isFalse();
    }

    @Test
    void turnsHooksOnForNoTokenOfItsOwn() throws IOException {
        assertThat(run("{ hooks: { enabled: true } }")).isZero();

        assertThat(out()).contains("hooks.enabled: not taken: there is no hooks.token");
        assertThat(configured().settings().hooks().enabled()).isFalse();
    }

    private static String mapping(String part) {
        return "mappings: [ { id: 'a', match: { path: 'a' }, messageTemplate: 'm', " + part + " } ] ";
    }

    private ProcessEnvironment environment() {
        return ProcessEnvironment.ofProcess(name -> null).forTrial(home, variables);
    }

    private Configured configured() {
        var result = new ConfigurationLoader(environment()).load(ConfigurationLoader.Mode.CHECK);
        assertThat(result).as(result.toString()).isInstanceOf(Configured.class);
        return (Configured) result;
    }

    private int run(String content) throws IOException {
        write(file, content);
        return run();
    }

    private int run() {
        out.reset();
        err.reset();
        return ImportCommand.run(
                environment(),
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                Map.of("file", file.toString()));
    }

    private void script(String name, String content) throws IOException {
        write(file.resolveSibling("hooks/transforms").resolve(name), content);
    }

    private static Path write(Path target, String content) throws IOException {
        Files.createDirectories(target.getParent());
        return Files.writeString(target, content);
    }

    private String out() {
        return out.toString(StandardCharsets.UTF_8);
    }

    private String err() {
        return err.toString(StandardCharsets.UTF_8);
    }
}
