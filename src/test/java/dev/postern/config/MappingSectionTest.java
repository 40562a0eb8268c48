package dev.postern.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.config.MappingSettings.Action;
import dev.postern.config.MappingSettings.TextField;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of mapped hooks that work. */
class MappingSectionTest {

    @TempDir
    Path home;

    @Test
    void shortestMappingTakesEveryRequestWithDefaults() {
        MappingSettings mapping = only("mappings: [{template: hello}]");
        assertThat(mapping)
                .isEqualTo(new MappingSettings(
                        /* id= */ "mappings[0]",
                        /* where= */ home + "/postern.yaml:4:14",
                        /* match= */ new MappingSettings.Match(null, null, Map.of()),
                        /* action= */ Action.AGENT,
                        /* texts= */ Map.of(
                                TextField.MESSAGE,
                                new MappingSettings.Text(
                                        "hello", "hooks.mappings[0].template [" + home + "/postern.yaml:4:25]")),
                        /* forEach= */ null,
                        /* transform= */ null,
                        /* turn= */ MappingSettings.TurnOptions.NONE,
                        /* verify= */ null,
                        /* payload= */ MappingSettings.Payload.DEFAULT,
                        /* response= */ MappingSettings.Response.DEFAULT,
                        /* load= */ MappingSettings.Load.DEFAULT,
                        /* trusted= */ false,
                        /* replyToSource= */ MappingSettings.ReplyToSource.NONE));
    }

    @Test
    void everyFieldIsRead() {
        MappingSettings mapping = ConfigurationFixture.yaml(
                        home,
                        ConfigurationFixture.SERVING
                                + """
                                  allowedSessionKeyPrefixes: ['hook:']
                                  mappings:
                                    - id: builds
                                      match:
                                        path: /ci//
                                        source: jenkins
                                        headers: {X-Event: build, x-number: 7}
                                      action: agent
                                      messageTemplate: |

                                        Build ${payload.number}
                                          failed

                                      instructions: Be brief.
                                      forEach: builds
                                      transform: {module: lib/ci.ts, export: summarise}
                                      name: CI
                                      agentId: "{{payload.agent}}"
                                      sessionKey: hook:ci:{{payload.id}}
                                      wakeMode: next-heartbeat
                                      deliver: false
                                      channel: inbox
                                      to: 12345
                                      model: offline/echo
                                      thinking: off
                                      timeoutSeconds: 90
                                      tools: []
                                      idempotencyKey: "{{headers.x-delivery}}"
                                      replyToSender: true
                                      successStatus: 200
                                      payloads: failed
                                      sample: samples/build.json
                                      allowUnsafeExternalContent: yes
                                """)
                .file("hooks/transforms/lib/ci.ts", "")
                .file("samples/build.json", "{}")
                .settings()
                .hooks()
                .mappings()
                .get(0);
        assertThat(mapping.id()).isEqualTo("builds");
        assertThat(mapping.match())
                .isEqualTo(new MappingSettings.Match("ci", "jenkins", Map.of("x-event", "build", "x-number", "7")));
        assertThat(texts(mapping))
                .containsExactlyInAnyOrderEntriesOf(Map.of(
                        "messageTemplate", "\nBuild ${payload.number}\n  failed",
                        "name", "CI",
                        "agentId", "{{payload.agent}}",
                        "sessionKey", "hook:ci:{{payload.id}}",
                        "wakeMode", "next-heartbeat",
                        "channel", "inbox",
                        "to", "12345",
                        "model", "offline/echo",
                        "thinking", "off",
                        "idempotencyKey", "{{headers.x-delivery}}"));
        assertThat(mapping.turn().instructions()).isEqualTo("Be brief.");
        assertThat(mapping.forEach()).isEqualTo("builds");
        assertThat(mapping.transform().module()).isEqualTo(home.resolve("hooks/transforms/lib/ci.ts"));
        assertThat(mapping.transform().export()).isEqualTo("summarise");
        assertThat(mapping.turn().deliver()).isFalse();
        assertThat(mapping.turn().timeout()).isEqualTo(Duration.ofSeconds(90));
        assertThat(mapping.turn().tools()).contains(List.of());
        assertThat(mapping.response().replyToSender()).isTrue();
        assertThat(mapping.response().successStatus()).isEqualTo(200);
        assertThat(mapping.payload().kept()).isEqualTo(Settings.KeptPayloads.FAILED);
        assertThat(mapping.payload().sample()).isEqualTo(home.resolve("samples/build.json"));
        assertThat(mapping.trusted()).isTrue();
    }

    @ParameterizedTest
    @CsvSource({"none, NONE", "failed, FAILED", "all, ALL"})
    void payloadsOfAMappingAreAWord(String written, Settings.KeptPayloads payloads) {
        assertThat(only("mappings: [{template: x, payloads: " + written + "}]")
                        .payload()
                        .kept())
                .isEqualTo(payloads);
    }

    @ParameterizedTest
    @CsvSource({
        "agent, template, MESSAGE",
        "agent, messageTemplate, MESSAGE",
        "wake, template, TEXT",
        "wake, textTemplate, TEXT"
    })
    void aTemplateIsWhicheverTheActionNeeds(String action, String setting, TextField field) {
        MappingSettings mapping = only("mappings: [{action: " + action + ", " + setting + ": hello}]");
        assertThat(mapping.texts()).containsOnlyKeys(field);
        assertThat(mapping.texts().get(field).where()).startsWith("hooks.mappings[0]." + setting + " [");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/github/", "github", "//github"})
    void aPathIsWithoutItsOuterSlashes(String path) {
        assertThat(only("mappings: [{template: x, match: {path: " + path + "}}]")
                        .match()
                        .path())
                .isEqualTo("github");
    }

    @ParameterizedTest
    @ValueSource(strings = {"github/push", "wake/up", "agents", "a.b/c_d~e-f", "run", "@team/x+y"})
    void aPathMayHaveSeveralSegments(String path) {
        assertThat(only("mappings: [{template: x, match: {path: '" + path + "'}}]")
                        .match()
                        .path())
                .isEqualTo(path);
    }

    @ParameterizedTest
    @ValueSource(strings = {"wakeMode", "thinking", "channel", "agentId", "model", "to", "name", "sessionKey"})
    void whatIsATemplateIsLeftToEachRequest(String field) {
        for (String template : List.of("${payload.x}", "{{payload.x}}", "<#if payload.x??>a</#if>")) {
            MappingSettings mapping = only("allowedSessionKeyPrefixes: ['hook:']\n  mappings: [{template: x, %s: '%s'}]"
                    .formatted(field, template));
            assertThat(texts(mapping)).containsEntry(field, template);
        }
    }

    @Test
    void aWholeListCanComeFromOutside() {
        List<MappingSettings> mappings = ConfigurationFixture.yaml(
                        home, ConfigurationFixture.SERVING + "  mappings: [{template: overridden}]")
                .variable(
                        "POSTERN_HOOKS_MAPPINGS",
                        """
                        [{"id": "a", "match": {"path": "a", "headers": {"x-event": "push"}}, "template": "{{payload.x}}",
                          "deliver": false, "timeoutSeconds": 5, "tools": ["search"]},
                         {"id": "b", "action": "wake", "textTemplate": "two\\nlines"}]
                        """)
                .settings()
                .hooks()
                .mappings();
        assertThat(mappings).extracting(MappingSettings::id).containsExactly("a", "b");
        assertThat(mappings).allSatisfy(mapping -> assertThat(mapping.where())
                .isEqualTo("environment variable POSTERN_HOOKS_MAPPINGS"));
        assertThat(mappings.get(0).turn().timeout()).isEqualTo(Duration.ofSeconds(5));
        assertThat(mappings.get(0).turn().tools()).contains(List.of("search"));
        assertThat(mappings.get(1).texts().get(TextField.TEXT).template()).isEqualTo("two\nlines");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "[{\"id\": \"a\"}, {\"id\": ]|hooks.mappings [|is a text that is no valid JSON at line 1, column 22; write a list",
                "[|hooks.mappings [|is a text that is no valid JSON at line 1, column 2; write a list",
                "{\"id\": \"a\"|hooks.mappings[0] [|is a text; write a map",
                "words|hooks.mappings[0] [|is a text; write a map"
            })
    void aBrokenListFromOutsideIsNamedWithThePlace(String value, String setting, String text) {
        assertThat(yaml("mappings: []")
                        .variable("POSTERN_HOOKS_MAPPINGS", value)
                        .problems())
                .anySatisfy(problem ->
                        assertThat(problem.toString()).startsWith(setting).contains(text));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{action: deliver, template: x}|channel|is missing, which action deliver needs",
                "{action: deliver, template: x, channel: last}|channel|without an agent there is no last reply",
                "{action: deliver, template: x, channel: slack}|channel|is [slack], which is no channel here",
                "{action: deliver, channel: inbox}|messageTemplate|write what is delivered",
                "{action: deliver, textTemplate: x, channel: inbox}|textTemplate|write messageTemplate instead"
            })
    void deliveryWithoutTextOrChannelIsNoMapping(String mapping, String field, String text) {
        assertThat(yaml("mappings: [" + mapping + "]").problems()).anySatisfy(problem -> assertThat(problem.toString())
                .startsWith("hooks.mappings[0]." + field + " [")
                .contains(text));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{template: x, instructions: 'Read {{payload.x}}'}|instructions|placeholder",
                "{template: x, agentId: nobody}|agentId|the default one, main, will act",
                "{template: x, channel: slack}|channel|not configured below channels",
                "{template: x, model: fast}|model|whose provider is not configured",
                "{template: x, model: openai/x}|model|whose provider is not configured",
                "{action: wake, template: x, agentId: nobody}|agentId|the default one, main, will act",
                "{action: wake, template: x, deliver: true}|deliver|used for nothing",
                "{action: deliver, template: x, channel: inbox, model: offline/echo}|model|action is deliver",
                "{action: deliver, template: x, channel: inbox, instructions: x}|instructions|used for nothing",
                "{action: wake, template: x, model: offline/echo}|model|used for nothing",
                "{template: x, match: {path: hooks/github}}|match.path|the address is /hooks/hooks/github"
            })
    void misleadingMappingIsTakenWithWarning(String mapping, String field, String text) {
        assertThat(yaml("mappings: [" + mapping + "]").warnings())
                .singleElement()
                .asString()
                .startsWith("hooks.mappings[0]." + field + " [")
                .contains(text);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{}|{}",
                "{}|{path: a}",
                "{path: a}|{path: a}",
                "{path: a}|{path: /a/, source: s}",
                "{source: s}|{path: a, source: s}",
                "{headers: {x: '1'}}|{headers: {x: '1', y: '2'}}"
            })
    void aMappingThatIsNeverReachedIsWarnedOf(String first, String second) {
        assertThat(ordered(first, second).warnings())
                .singleElement()
                .asString()
                .startsWith("hooks.mappings[1]")
                .contains("is never reached: first (" + home + "/postern.yaml:4:14)");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{path: a}|{}",
                "{path: a}|{path: b}",
                "{path: a, source: s}|{path: a}",
                "{path: a, source: s}|{path: a, source: t}",
                "{headers: {x: '1', y: '2'}}|{headers: {x: '1'}}",
                "{headers: {x: '1'}}|{headers: {x: '2'}}"
            })
    void aMappingThatMayBeReachedIsNotWarnedOf(String first, String second) {
        assertThat(ordered(first, second).warnings()).isEmpty();
    }

    @Test
    void aMappingWhoseSenderSignsIsReachedPastThoseWithoutAPath() {
        assertThat(
                        yaml("mappings: [{template: x}, {template: y, match: {path: a}, verify: {scheme: github, secret: abc}}]")
                                .warnings())
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "sessionKey: 'hook:{{payload.s}}'|sessionKey: hook:priv:deals",
                "sessionKey: 'hook:{{payload.s}}'|sessionKey: 'hook:priv:{{payload.id}}'",
                "sessionKey: 'hook:${payload.s}:deals'|sessionKey: hook:priv:deals",
                "sessionKey: 'hook:{{payload.s}}', agentId: '{{payload.a}}'|sessionKey: hook:priv:deals, agentId: other",
                "sessionKey: 'hook:{{payload.s}}'|name: x"
            })
    void aTemplatedSessionKeyThatCanComeOutAsAnothersIsWarnedOf(String first, String second) {
        assertThat(sessions(first, second).warnings())
                .singleElement()
                .asString()
                .startsWith("hooks.mappings[0].sessionKey [")
                .contains("of first (", "can come out as a session of second (");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "sessionKey: 'hook:first:{{payload.s}}'|sessionKey: hook:priv:deals",
                "sessionKey: 'hook:{{payload.s}}'|sessionKey: 'hook:{{payload.s}}'",
                "sessionKey: 'hook:{{payload.s}}:log'|sessionKey: hook:priv:deals",
                "sessionKey: hook:priv:deals|sessionKey: hook:priv:deals",
                "sessionKey: 'hook:{{payload.s}}'|sessionKey: hook:priv:deals, agentId: other",
                "sessionKey: 'hook:{{payload.s}}'|action: wake"
            })
    void sessionKeysThatStayApartAreNotWarnedOf(String first, String second) {
        assertThat(sessions(first, second).warnings()).isEmpty();
    }

    private ConfigurationFixture sessions(String first, String second) {
        return yaml("allowedSessionKeyPrefixes: ['hook:']\n  defaultSessionKey: hook:fixed\n"
                + "  mappings: [{id: first, template: x, match: {path: a}, %s}, {id: second, template: y, match: {path: b}, %s}]\n"
                        .formatted(first, second)
                + "agents: {list: [{id: main}, {id: other}]}");
    }

    private ConfigurationFixture ordered(String first, String second) {
        return yaml(
                "mappings: [{id: first, template: x, match: %s}, {template: y, match: %s}]".formatted(first, second));
    }

    @Test
    void theSummaryCountsThem() {
        assertThat(yaml("mappings: [{template: x, match: {path: a}}, {template: y}]")
                        .configured()
                        .summary())
                .contains("hooks at /hooks, 1 token, 2 mappings, agents main");
    }

    private static Map<String, String> texts(MappingSettings mapping) {
        Map<String, String> texts = new java.util.HashMap<>();
        mapping.texts().forEach((field, text) -> texts.put(field.settingName(), text.template()));
        return texts;
    }

    private MappingSettings only(String hooks) {
        List<MappingSettings> mappings = yaml(hooks).settings().hooks().mappings();
        assertThat(mappings).hasSize(1);
        return mappings.get(0);
    }

    private ConfigurationFixture yaml(String hooks) {
        return ConfigurationFixture.yaml(home, ConfigurationFixture.SERVING + "  " + hooks);
    }
}
