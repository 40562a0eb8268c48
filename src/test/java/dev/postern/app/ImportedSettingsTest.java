package dev.postern.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.config.MappingSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A test of what the command {@code import} takes, and of what it leaves out. */
class ImportedSettingsTest {

    @TempDir
    Path directory;

    private ImportFixture imported;

    @BeforeEach
    void nameHome() {
        imported = new ImportFixture(directory);
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
        assertThat(imported.run("{\n  hooks: {\n  " + setting + ",\n  maxBodyBytes: 1000 } }"))
                .isZero();

        assertThat(imported.out()).contains(imported.file + ":3: " + note);
        assertThat(Files.readString(imported.home.resolve("postern.yaml"))).contains("maxBodyBytes: 1000");
        assertThat(imported.configured()).isNotNull();
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
        imported.script("t.js", "export default () => null;");
        Path outside = ImportFixture.write(directory.resolve("outside.js"), "export default () => null;");
        Files.createSymbolicLink(imported.file.resolveSibling("hooks/transforms/link.js"), outside);
        String later = "{ id: 'later', messageTemplate: 'takes everything' }";
        String first = "{ id: 'first', match: { path: 'first' }, messageTemplate: 'm' }";

        assertThat(imported.run("{ " + ImportFixture.HOOKS + "mappings: [ " + first
                        + ",\n{ id: 'bad', messageTemplate: 'm', " + part + " }, " + later + " ] } }"))
                .isZero();

        assertThat(imported.out()).containsPattern(":2: hooks\\.mappings\\[1].*not taken");
        assertThat(imported.configured().settings().hooks().mappings())
                .extracting(MappingSettings::id)
                .containsExactly("first");
    }

    @Test
    void takesScriptsThatRunInPosternWithWhatTheyImport() throws IOException {
        imported.script("deep/t.mjs", "import { x } from './lib/x.mjs';\nexport const go = () => ({ message: x });");
        imported.script("deep/lib/x.mjs", "import { y } from '../../y.js';\nexport const x = y;");
        imported.script("y.js", "export const y = 'y';");
        imported.script("unused.js", "export default 1;");
        imported.script("deep/broken.js", "export default () => {");
        imported.script("deep/node.js", "import fs from 'node:fs';\nexport default () => fs.x;");
        String mappings = Stream.of(
                        "module: 't.mjs', export: 'go'", "module: 'broken.js'", "module: 'node.js'", "module: 't.mjs'")
                .map(transform -> "\n{ match: { path: \"" + transform.replaceAll("[^a-z]", "") + "\" }, transform: { "
                        + transform + " } }")
                .collect(Collectors.joining(", "));

        assertThat(imported.run("{ " + ImportFixture.HOOKS
                        + "transformsDir: '~/.openclaw/hooks/transforms/deep', mappings: [" + mappings + "] } }"))
                .isZero();

        assertThat(imported.home.resolve("hooks/transforms/deep/lib/x.mjs")).exists();
        assertThat(imported.home.resolve("hooks/transforms/unused.js")).doesNotExist();
        assertThat(imported.out())
                .containsPattern(":3: hooks\\.mappings\\[1]: not taken: .*broken\\.js")
                .containsPattern(":4: hooks\\.mappings\\[2]: not taken: .*node\\.js")
                .containsPattern(":5: hooks\\.mappings\\[3]: not taken: .*t\\.mjs");
        assertThat(imported.configured().settings().hooks().mappings())
                .extracting(mapping -> mapping.match().path())
                .containsExactly("moduletmjsexportgo");
    }

    @Test
    void switchesHooksOffWhereARestrictionIsNotAccepted() throws IOException {
        assertThat(imported.run("{ " + ImportFixture.HOOKS + "allowedSessionKeyPrefixes: ['other:'] } }"))
                .isZero();

        assertThat(imported.out())
                .contains("hooks.allowedSessionKeyPrefixes: not taken", "hooks are off until you write it");
        assertThat(imported.configured().settings().hooks().enabled()).isFalse();
    }

    @Test
    void givesEachListOfATransformItsOwnAdapter() throws IOException {
        imported.script("m.js", "export const one = () => null;\nexport const two = () => null;");
        imported.script("m.each-2.js", "export default () => null;");
        String mappings = Stream.of(
                        "forEach: 'messages', transform: { module: 'm.js', export: 'one' }",
                        "forEach: 'events', transform: { module: 'm.js', export: 'two' }",
                        "forEach: 'events', transform: { module: 'm.js', export: 'one' }",
                        "forEach: 'messages', transform: { module: 'm.js', export: 'one' }",
                        "transform: { module: 'm.each-2.js' }")
                .map(part -> "{ match: { path: '" + part.hashCode() + "' }, " + part + " }")
                .collect(Collectors.joining(", "));

        assertThat(imported.run("{ " + ImportFixture.HOOKS + "mappings: [" + mappings + "] } }"))
                .isZero();

        Path transforms = imported.home.resolve("hooks/transforms");
        assertThat(transforms.resolve("m.each.js")).content().contains("original.one", "\"messages\"");
        assertThat(transforms.resolve("m.each-2.js")).hasContent("export default () => null;");
        assertThat(transforms.resolve("m.each-3.js")).content().contains("original.two", "\"events\"");
        assertThat(transforms.resolve("m.each-4.js")).content().contains("original.one", "\"events\"");
        assertThat(transforms.resolve("m.each-5.js")).doesNotExist();
        assertThat(Files.readString(imported.home.resolve("postern.yaml")))
                .containsSubsequence("m.each.js", "m.each-3.js", "m.each-4.js", "m.each.js", "m.each-2.js");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "allowedSessionKeyPrefixes|['${UNSET}']",
                "allowedSessionKeyPrefixes|\"hook:\"",
                "allowedSessionKeyPrefixes|[true, {}]",
                "allowedSessionKeyPrefixes|{ hook: true }",
                "allowedAgentIds|['${UNSET}']",
                "allowedAgentIds|\"main\"",
                "allowedAgentIds|\"\"",
                "allowedAgentIds|[['main']]"
            })
    void switchesHooksOffWhereARestrictionCanNotBeRead(String name, String value) throws IOException {
        assertThat(imported.run(
                        "{ " + ImportFixture.HOOKS + "allowRequestSessionKey: true,\n" + name + ": " + value + " } }"))
                .isZero();

        assertThat(imported.out())
                .contains(imported.file + ":2: hooks." + name
                        + ": not taken: nothing in it can be read; hooks are off until you write it and enabled: true");
        assertThat(imported.configured().settings().hooks().enabled()).isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "allowedSessionKeyPrefixes|['hook:', '${UNSET}']",
                "allowedSessionKeyPrefixes|['hook:', 5000, false]",
                "allowedAgentIds|['main', '${UNSET}']"
            })
    void notesTheEntryOfARestrictionThatCanNotBeRead(String name, String value) throws IOException {
        assertThat(imported.run("{ " + ImportFixture.HOOKS + "\n" + name + ": " + value + " } }"))
                .isZero();

        assertThat(imported.out()).contains(imported.file + ":2: hooks." + name + ": not taken: it ");
        assertThat(imported.configured().settings().hooks().enabled()).isTrue();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "defaults: { modelPolicy: { allow: ['${UNSET}'] } }|defaults",
                "defaults: { modelPolicy: { allow: 'offline/echo' } }|defaults",
                "defaults: { modelPolicy: { allow: ['none/*'] } }|defaults",
                "defaults: { modelPolicy: ['offline/echo'] }|defaults",
                "defaults: { models: { 'a/b': {} }, modelPolicy: { allow: ['${UNSET}'] } }|defaults",
                "list: [ { id: 'ops', modelPolicy: { allow: ['${UNSET}'] } } ]|list[0]"
            })
    void switchesHooksOffWhereNoAllowedModelCanBeRead(String agents, String agent) throws IOException {
        assertThat(imported.run("{ agents: { " + agents + " }, " + ImportFixture.HOOKS + "} }"))
                .isZero();

        assertThat(imported.out())
                .contains("agents." + agent + ".modelPolicy: not taken: nothing in it can be used;"
                        + " hooks are off until you write models there and enabled: true");
        assertThat(imported.configured().settings().hooks().enabled()).isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "model: 'local/one', modelPolicy: { allow: ['${UNSET}'] }|local/one",
                "modelPolicy: { allow: ['offline/echo', '${UNSET}'] }|offline/echo",
                "models: { 'offline/other': {} }, modelPolicy: { allow: ['offline/echo', 5] }|offline/echo"
            })
    void allowsTheModelsOfAPolicyThatCanBeRead(String defaults, String model) throws IOException {
        String provider = "models: { providers: { local: { baseUrl: 'http://127.0.0.1:11434/v1', api: 'ollama' } } }";

        assertThat(imported.run("{ agents: { defaults: { " + defaults + " } }, " + provider + ", " + ImportFixture.HOOKS
                        + "} }"))
                .isZero();

        var settings = imported.configured().settings();
        assertThat(settings.hooks().enabled()).isTrue();
        assertThat(settings.agents().defaults().models())
                .hasValueSatisfying(models -> assertThat(models.ids()).containsExactly(model));
    }

    @ParameterizedTest
    @ValueSource(strings = {"allowedSessionKeyPrefixes: []", "allowedAgentIds: []", "allowedAgentIds: ['*']"})
    void keepsHooksOnWhereNoRestrictionIsLost(String setting) throws IOException {
        assertThat(imported.run("{ " + ImportFixture.HOOKS + setting + " } }")).isZero();

        assertThat(imported.configured().settings().hooks().enabled()).isTrue();
    }

    @Test
    void namesAgentsAsOpenClawDoes() throws IOException {
        assertThat(imported.run("{ agents: { list: [\n{ id: 'first' },\n{ id: ' Night Ops! ', default: true } ] }, "
                        + ImportFixture.HOOKS + "\nallowedAgentIds: ['NIGHT ops', '*x', 'first'],\n"
                        + ImportFixture.mapping("agentId: 'Night Ops'") + " } }"))
                .isZero();

        assertThat(imported.out())
                .contains(
                        ":3: agents.list[1].id: differs: it is [night-ops], which OpenClaw makes of it;"
                                + " Postern's requests have to name it so",
                        ":4: hooks.allowedAgentIds: differs: it is [x], which OpenClaw makes of it",
                        ":5: hooks.mappings[0].agentId: differs: it is [night-ops], which OpenClaw makes of it")
                .doesNotContain(":2: agents.list[0]");
        var settings = imported.configured().settings();
        assertThat(settings.agents().defaultAgent().id()).isEqualTo("night-ops");
        assertThat(settings.hooks().allowedAgentIds()).hasValue(List.of("night-ops", "x", "first"));
        assertThat(settings.hooks().mappings()).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{ list: [ { id: 'ops' }, { id: 'Ops' } ] }|agents.list[1]",
                "{ entries: { ops: {}, OPS: {} } }|agents.entries.OPS"
            })
    void takesTheFirstOfTwoAgentsThatOpenClawCallsTheSame(String agents, String second) throws IOException {
        assertThat(imported.run("{ agents: " + agents + " }")).isZero();

        assertThat(imported.out()).contains(":1: " + second + ": not taken: an agent before it is called ops too");
        assertThat(imported.configured().settings().agents().list())
                .extracting(agent -> agent.id())
                .containsExactly("ops");
    }

    @Test
    void turnsHooksOnForNoTokenOfItsOwn() throws IOException {
        assertThat(imported.run("{ hooks: { enabled: true } }")).isZero();

        assertThat(imported.out()).contains("hooks.enabled: not taken: there is no hooks.token");
        assertThat(imported.configured().settings().hooks().enabled()).isFalse();
    }
}
