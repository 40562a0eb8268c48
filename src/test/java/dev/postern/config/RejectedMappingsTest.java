package dev.postern.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of the mapped hooks that a start rejects, and of the problems it reports. */
class RejectedMappingsTest {

    @TempDir
    Path home;

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{template: x, actoin: wake}|actoin",
                "{template: x, action: run}|action",
                "{template: x, action: true}|action",
                "{}|messageTemplate",
                "{action: wake}|textTemplate",
                "{messageTemplate: ''}|messageTemplate",
                "{messageTemplate: true}|messageTemplate",
                "{messageTemplate: {payload.title: x}}|messageTemplate",
                "{messageTemplate: [x]}|messageTemplate",
                "{messageTemplate: \"a\\0b\"}|messageTemplate",
                "{messageTemplate: x, template: y}|template",
                "{action: wake, textTemplate: x, template: y}|template",
                "{action: wake, messageTemplate: x}|messageTemplate",
                "{action: wake, textTemplate: x, messageTemplate: y}|messageTemplate",
                "{textTemplate: x}|textTemplate",
                "{messageTemplate: x, textTemplate: y}|textTemplate",
                "{template: x, id: 'a b'}|id",
                "{template: x, id: ''}|id",
                "{template: x, wakeMode: later}|wakeMode",
                "{template: x, thinking: hard}|thinking",
                "{template: x, agentId: 'a b'}|agentId",
                "{template: x, channel: fax}|channel",
                "{template: x, channel: [last]}|channel",
                "{template: x, deliver: sometimes}|deliver",
                "{template: x, timeoutSeconds: 0}|timeoutSeconds",
                "{template: x, timeoutSeconds: 86401}|timeoutSeconds",
                "{template: x, timeoutSeconds: '${payload.t}'}|timeoutSeconds",
                "{template: x, tools: search}|tools",
                "{template: x, idempotencyKey: always}|idempotencyKey",
                "{template: x, coalesce: yes}|coalesce",
                "{template: x, coalesce: {}}|coalesce.key",
                "{template: x, coalesce: {key: ''}}|coalesce.key",
                "{template: x, coalesce: {key: a, window: 0s}}|coalesce.window",
                "{template: x, coalesce: {key: a, window: 1m, maxWait: 30s}}|coalesce.maxWait",
                "{template: x, coalesce: {key: a, window: 10m}}|coalesce.window",
                "{template: x, coalesce: {key: a, keep: first}}|coalesce.keep",
                "{template: x, coalesce: {key: a, maxItems: 1}}|coalesce.maxItems",
                "{template: x, forEach: items, coalesce: {key: a}}|coalesce.key",
                "{template: x, forEach: '{{payload.items}}'}|forEach",
                "{template: x, forEach: payload.items}|forEach",
                "{template: x, instructions: ' '}|instructions",
                "{template: x, allowUnsafeExternalContent: maybe}|allowUnsafeExternalContent",
                "{template: x, payloads: some}|payloads",
                "{template: x, payloads: '{{payload.x}}'}|payloads",
                "{template: x, payloads: [all]}|payloads",
                "{template: x, sample: none.json}|sample",
                "{template: x, sample: .}|sample",
                "{template: x, match: github}|match",
                "{template: x, match: {url: github}}|match.url",
                "{template: x, match: {path: ''}}|match.path",
                "{template: x, match: {path: /}}|match.path",
                "{template: x, match: {path: wake}}|match.path",
                "{template: x, match: {path: /agent/}}|match.path",
                "{template: x, match: {path: runs}}|match.path",
                "{template: x, match: {path: runs/1}}|match.path",
                "{template: x, match: {path: a//b}}|match.path",
                "{template: x, match: {path: a/../b}}|match.path",
                "{template: x, match: {path: ./b}}|match.path",
                "{template: x, match: {path: 'a;b'}}|match.path",
                "{template: x, match: {path: 'a%2fb'}}|match.path",
                "{template: x, match: {path: 'a b'}}|match.path",
                "{template: x, match: {path: 'a?b'}}|match.path",
                "{template: x, match: {path: 'für'}}|match.path",
                "{template: x, match: {source: ''}}|match.source",
                "{template: x, match: {headers: [x-event]}}|match.headers",
                "{template: x, match: {headers: {'x event': y}}}|match.headers",
                "{template: x, match: {headers: {x-event: [y]}}}|match.headers",
                "{template: x, match: {headers: {x-event: y, X-Event: z}}}|match.headers",
                "{template: x, match: {headers: {Authorization: y}}}|match.headers",
                "{template: x, match: {headers: {X-Service-Token: y}}}|match.headers",
                "{template: x, match: {headers: {x-other: y}}}|match.headers",
                "{template: x, match: {headers: {X-Gitlab-Token: y}}}|match.headers",
                "{template: x, match: {headers: {Cookie: y}}}|match.headers",
                "{template: x, match: {headers: {stripe-signature: y}}}|match.headers",
                "{template: x, match: {headers: {X-Twilio-Signature: y}}}|match.headers",
                "{template: x, match: {headers: {x-shopify-hmac-sha256: y}}}|match.headers",
                "{template: x, match: {headers: {x-api-key: y}}}|match.headers"
            })
    void aMappingThatCanNotWorkIsRefusedAtItsField(String mapping, String field) {
        ConfigurationFixture configurationFixture = ConfigurationFixture.yaml(
                home,
                "hooks:\n  enabled: true\n  token: %s\n  tokenHeaders: [X-Other]\n  mappings:\n    - %s\n"
                        .formatted(ConfigurationFixture.TOKEN, mapping));
        assertThat(configurationFixture.problems()).singleElement().satisfies(problem -> {
            assertThat(problem.setting()).isEqualTo("hooks.mappings[0]." + field);
            assertThat(problem.origin().where()).startsWith(home + "/postern.yaml:6:");
            assertThat(problem.wrong()).isNotBlank();
            assertThat(problem.instead()).isNotBlank();
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"github", "{id: x}", "[github]", "5"})
    void mappingsAreAListOfMaps(String mappings) {
        assertThat(yaml("mappings: " + mappings).problems())
                .singleElement()
                .extracting(ConfigurationProblem::setting)
                .asString()
                .startsWith("hooks.mappings");
    }

    @Test
    void everyProblemOfEveryMappingIsReportedAtOnce() {
        ConfigurationFixture configurationFixture = ConfigurationFixture.yaml(
                home,
                """
                hooks:
                  enabled: true
                  token: a-token-that-is-long-enough-01
                  mappings:
                    - id: first
                      messageTemplate: fine
                    - id: first
                      mesageTemplate: mistyped
                      match:
                        path: wake
                    - action: wake
                      template: fine
                      wakeMode: latr
                """);
        assertThat(configurationFixture.problemLines())
                .containsExactlyInAnyOrder(
                        at("[1].id", "7:11") + "is [first], as is that of first (" + home
                                + "/postern.yaml:5:7); choose another id",
                        at("[1].mesageTemplate", "8:7")
                                + "is no setting of Postern; did you mean hooks.mappings[1].messageTemplate?",
                        at("[1].messageTemplate", "7:7")
                                + "is missing; write what the agent is told, such as \"New: {{payload.title}}\", or a"
                                + " transform that does",
                        at("[1].match.path", "10:15")
                                + "is [wake], which has a meaning of its own; choose another than wake, agent and runs",
                        at("[2].wakeMode", "13:17") + "is [latr]; write one of now, next-heartbeat");
    }

    private String at(String field, String place) {
        return "hooks.mappings" + field + " [" + home + "/postern.yaml:" + place + "]: ";
    }

    @Test
    void anUnquotedPlaceholderIsSaidToNeedQuotes() {
        assertThat(yaml("mappings: [{messageTemplate: {{payload.title}}}]").problemLines())
                .anySatisfy(line -> assertThat(line)
                        .startsWith("hooks.mappings[0].messageTemplate")
                        .contains("put it in quotes"));
    }

    @Test
    void aSessionKeyThatIsATemplateIsRefusedWithoutPrefixes() {
        assertThat(yaml("mappings: [{template: x, sessionKey: 'hook:x:{{payload.id}}'}]")
                        .problemLines())
                .singleElement()
                .asString()
                .startsWith("hooks.mappings[0].sessionKey [" + home + "/postern.yaml:4:")
                .contains("write allowedSessionKeyPrefixes: [\"hook:\"] below hooks");
    }

    @ParameterizedTest
    @ValueSource(strings = {"main", "main:main", "main:other", "'main:{{payload.id}}'"})
    void aSessionKeyOfPosternsOwnIsRefusedWhateverIsAllowed(String key) {
        assertThat(yaml("allowedSessionKeyPrefixes: ['hook:', main]\n  mappings: [{template: x, sessionKey: " + key
                                + "}]")
                        .problemLines())
                .singleElement()
                .asString()
                .startsWith("hooks.mappings[0].sessionKey")
                .contains("Postern's own", "such as hook:");
    }

    @ParameterizedTest
    @ValueSource(strings = {"ci:x", "'ci:${payload.id}'", "'c{{payload.id}}'"})
    void aSessionKeyThatNoPrefixAllowsIsRefused(String key) {
        assertThat(prefixed(key).problemLines())
                .singleElement()
                .asString()
                .startsWith("hooks.mappings[0].sessionKey")
                .contains("let it begin with one of hook:, or add its prefix there");
    }

    @ParameterizedTest
    @ValueSource(strings = {"hook:x", "'hook:${payload.id}'", "'ho{{payload.id}}'", "'{{payload.key}}'"})
    void aSessionKeyThatAPrefixMayAllowIsTaken(String key) {
        assertThat(prefixed(key).settings().hooks().mappings()).hasSize(1);
    }

    private ConfigurationFixture prefixed(String key) {
        return yaml("allowedSessionKeyPrefixes: ['hook:']\n  mappings: [{template: x, sessionKey: " + key + "}]");
    }

    @Test
    void badPrefixesAreOneProblemAndNotOneOfEachKeyToo() {
        assertThat(yaml("allowedSessionKeyPrefixes: []\n  mappings: [{template: x, sessionKey: hook:a},"
                                + " {template: x, sessionKey: 'hook:${payload.id}', match: {path: x}}]")
                        .problems())
                .extracting(ConfigurationProblem::setting)
                .containsExactly("hooks.allowedSessionKeyPrefixes");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "approve: [evrything/get-sum]|approve|of the agent a; did you mean everything?",
                "approve: [deploy/release]|approve|of the agent a; add it there, or write one of everything",
                "tools: [get-sum, wiki/find]|tools|of the agent a; add it there, or write one of everything",
                "agentId: c, approve: [everything/get-sum]|approve|of the agent c; add it there",
                "agentId: '{{payload.x}}', approve: [deploy/release]|approve|of any agent; add it there, or write one"
                        + " of everything, wiki"
            })
    void aToolOfAServerThatTheAgentHasNotIsRefused(String fields, String field, String text) {
        assertThat(withTools(fields).problemLines()).singleElement().satisfies(problem -> assertThat(problem)
                .startsWith("hooks.mappings[0]." + field + " [")
                .contains("], whose server is not in tools.mcp " + text));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "approve: [everything/get-sum, get-sum]",
                "agentId: nobody, tools: [everything/get-sum]",
                "agentId: '{{payload.x}}', tools: [wiki/find], approve: [everything/get-sum]",
                "action: wake, approve: [deploy/release]"
            })
    void aToolOfAServerThatAnAgentHasIsTaken(String fields) {
        assertThat(withTools(fields).load()).isInstanceOf(ConfigurationResult.Configured.class);
    }

    /** A mapping with {@code fields}, beside an agent with one tool server, one with another, and one without. */
    private ConfigurationFixture withTools(String fields) {
        String servers = "mcp: {everything: {url: 'http://x'}, wiki: {url: 'http://x'}, deploy: {url: 'http://x'}}\n";
        String agents =
                "agents: {list: [{id: a, tools: {mcp: [everything]}}, {id: b, tools: {mcp: [wiki]}}, {id: c}]}\n";
        return ConfigurationFixture.yaml(
                home,
                ConfigurationFixture.SERVING + "  mappings: [{template: x, " + fields + "}]\n" + servers + agents);
    }

    @Test
    void anAgentThatHooksMayNotNameIsRefused() {
        assertThat(yaml("allowedAgentIds: [ops]\n  mappings: [{template: x, agentId: main}]")
                        .problems())
                .extracting(ConfigurationProblem::setting)
                .containsExactly("hooks.mappings[0].agentId");
    }

    @Test
    void aModelThatItsAgentMayNotUseIsRefused() {
        String agents =
                "\nagents: {defaults: {models: {echo: offline/echo}}, list: [{id: a}, {id: b, models: [offline/b],"
                        + " model: offline/b}]}";
        String mappings = "mappings: [{template: x, model: offline/b, match: {path: a}}, {template: x, model: echo,"
                + " match: {path: b}}, {template: x, model: echo, agentId: b, match: {path: c}}, {template: x, model:"
                + " any, agentId: '${payload.agent}', match: {path: d}}]";
        assertThat(yaml(mappings + agents).problems())
                .extracting(ConfigurationProblem::setting)
                .containsExactly("hooks.mappings[0].model", "hooks.mappings[2].model");
    }

    private ConfigurationFixture yaml(String hooks) {
        return ConfigurationFixture.yaml(home, ConfigurationFixture.SERVING + "  " + hooks);
    }
}
