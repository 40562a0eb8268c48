package dev.postern.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of the settings that a start rejects, and of the problems it reports. */
class RejectedSettingsTest {

    @TempDir
    Path home;

    @Test
    void enabledHooksWithoutATokenAreRefused() {
        assertThat(yaml("hooks:\n  enabled: true\n").problemLines())
                .containsExactly("hooks.token [" + home
                        + "/postern.yaml:2:3]: is missing while hooks.enabled is true and there are no senders;"
                        + " write a long random text, ${env:NAME} or ${file:secrets/hook-token}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"''", "'   '", "['']", "[a-token-that-is-long-enough-01, ' ']"})
    void aBlankTokenIsRefused(String token) {
        assertThat(yaml("hooks:\n  enabled: true\n  token: " + token + "\n").problemLines())
                .singleElement()
                .asString()
                .startsWith("hooks.token [" + home + "/postern.yaml:3:10]: is blank");
    }

    @Test
    void aBlankTokenIsRefusedEvenWhileHooksAreOff() {
        assertThat(yaml("hooks: {enabled: false, token: ''}").problems())
                .extracting(ConfigurationProblem::setting)
                .containsExactly("hooks.token");
    }

    @ParameterizedTest
    @ValueSource(strings = {"[a, b, c]", "[]", "{value: x}", "true"})
    void aTokenIsOneTextOrTwo(String token) {
        assertThat(yaml("hooks: {enabled: true, token: " + token + "}").problems())
                .extracting(ConfigurationProblem::setting)
                .containsExactly("hooks.token");
    }

    @ParameterizedTest
    @ValueSource(strings = {"long enough but with spaces in it", "long-enough-but-ümlauts-in-it-0"})
    void aTokenThatNoHeaderCarriesIsRefused(String token) {
        assertThat(yaml("hooks: {enabled: true, token: '" + token + "'}").problemLines())
                .singleElement()
                .asString()
                .contains("which no header carries safely")
                .doesNotContain(token);
    }

    @Test
    void theSameTokenTwiceIsRefused() {
        assertThat(yaml("hooks: {enabled: true, token: [%1$s, %1$s]}".formatted(ConfigurationFixture.TOKEN))
                        .problemLines())
                .singleElement()
                .asString()
                .contains("holds the same token twice");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "channels: {slack: {botToken: T}}",
                "providers: {openai: {apiKey: T}}\nagents: {defaults: {model: openai/x}}",
                "mcp: {tools: {url: 'https://tools.example', headers: {X-Key: T}}}",
                "mcp: {tools: {url: 'https://tools.example', headers: {Authorization: Bearer T}}}",
                "database: {url: 'jdbc:postgresql://db/x', password: T}"
            })
    void tokenThatIsAnotherSecretTooIsRefused(String rest) {
        String other = rest.replaceAll("\\bT\\b", ConfigurationFixture.TOKEN);
        assertThat(yaml(ConfigurationFixture.SERVING + other).problemLines())
                .singleElement()
                .asString()
                .startsWith("hooks.token [")
                .contains("is the same secret as ")
                .doesNotContain(ConfigurationFixture.TOKEN);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "//", "''", "' '", "/a/../b", "/a;b", "/a b", "/a%2fb", "/a?x", "/.hidden", "/a//b"})
    void aPathThatCanNotWorkIsRefused(String path) {
        assertThat(yaml(ConfigurationFixture.SERVING + "  path: '" + path.replace("'", "") + "'\n"
                                + "  mappings: [{id: a, match: {path: a}, messageTemplate: x}]")
                        .problems())
                .extracting(ConfigurationProblem::setting)
                .containsExactly("hooks.path");
    }

    @ParameterizedTest
    @ValueSource(strings = {"{default: true}, {thinking: low}", "{id: 'a b'}, {id: 'c d'}, {id: main}"})
    void anAgentWithoutAGoodIdIsNoSecondMain(String agents) {
        assertThat(yaml(ConfigurationFixture.SERVING + "agents: {list: [" + agents + "]}")
                        .problemLines())
                .hasSize(2)
                .noneMatch(line -> line.contains("called already"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"{}", "[]"})
    void anEmptyListOfModelsIsRefused(String models) {
        assertThat(yaml(ConfigurationFixture.SERVING + "agents: {defaults: {models: " + models + "}}")
                        .problemLines())
                .singleElement()
                .asString()
                .startsWith("agents.defaults.models [")
                .contains("is empty");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/console", "health", "/metrics/hooks"})
    void aPathOfPosternsOwnPagesIsRefused(String path) {
        assertThat(yaml(ConfigurationFixture.SERVING + "  path: " + path).problemLines())
                .singleElement()
                .asString()
                .contains("where Postern's own pages are");
    }

    @Test
    void aDefaultSessionKeyWithoutAnAllowedPrefixIsRefused() {
        assertThat(yaml(ConfigurationFixture.SERVING
                                + "  defaultSessionKey: other\n  allowedSessionKeyPrefixes: ['hook:', 'ci:']")
                        .problemLines())
                .containsExactly(
                        "hooks.defaultSessionKey [" + home + "/postern.yaml:4:22]: is [other], which begins with"
                                + " none of hooks.allowedSessionKeyPrefixes; let it begin with one of hook:, ci:, or add its"
                                + " prefix there");
    }

    @ParameterizedTest
    @ValueSource(strings = {"['ci:']", "['hook:ci:']", "[]"})
    void prefixesThatRefuseGeneratedKeysAreRefusedWithoutADefaultKey(String prefixes) {
        assertThat(yaml(ConfigurationFixture.SERVING + "  allowedSessionKeyPrefixes: " + prefixes)
                        .problems())
                .extracting(ConfigurationProblem::setting)
                .containsExactly("hooks.allowedSessionKeyPrefixes");
    }

    @ParameterizedTest
    @ValueSource(strings = {"['hook:']", "['ci:', 'hook:']", "[ho]"})
    void prefixesThatLetGeneratedKeysThroughAreTaken(String prefixes) {
        assertThat(yaml(ConfigurationFixture.SERVING + "  allowedSessionKeyPrefixes: " + prefixes)
                        .settings()
                        .hooks()
                        .sessionKeys()
                        .prefixes())
                .isPresent();
    }

    @Test
    void posternsOwnSessionsAreNoDefaultAndNoPrefix() {
        assertThat(yaml(ConfigurationFixture.SERVING + "  defaultSessionKey: main:main")
                        .problemLines())
                .singleElement()
                .asString()
                .startsWith("hooks.defaultSessionKey [")
                .contains("Postern's own", "such as hook:inbox");
        assertThat(yaml(ConfigurationFixture.SERVING + "  allowedSessionKeyPrefixes: ['hook:', 'main:']")
                        .warnings())
                .singleElement()
                .asString()
                .startsWith("hooks.allowedSessionKeyPrefixes [")
                .contains("allows nothing");
    }

    @Test
    void requestsThatMayNameAnySessionAreTakenWithAWarning() {
        String open = "  allowRequestSessionKey: true\n";
        assertThat(yaml(ConfigurationFixture.SERVING + open).warnings())
                .singleElement()
                .asString()
                .startsWith("hooks.allowRequestSessionKey [")
                .contains("any session");
        assertThat(yaml(ConfigurationFixture.SERVING + open + "  allowedSessionKeyPrefixes: ['hook:']")
                        .warnings())
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "hooks: {tokn: x}, hooks.tokn, hooks.token",
        "token: x, token, hooks.token",
        "hooks: {sessionKeyPrefixes: [a]}, hooks.sessionKeyPrefixes, hooks.allowedSessionKeyPrefixes",
        "agents: {model: x/y}, agents.model, agents.defaults.model",
        "agents: {defaults: {heartbeat: {evry: 1h}}}, agents.defaults.heartbeat.evry, agents.defaults.heartbeat.every",
        "hook: {}, hook, hooks",
        "database: {URL: x}, database.URL, database.url",
        "zzzzzz: {}, zzzzzz, ''"
    })
    void anUnknownSettingIsRefusedWithTheNearestKnownName(String text, String setting, String near) {
        assertThat(yaml(text).problemLines()).singleElement().asString().satisfies(line -> {
            assertThat(line).startsWith(setting + " [" + home + "/postern.yaml:1:");
            assertThat(line).contains("is no setting of Postern");
            assertThat(line).endsWith(near.isEmpty() ? "remove it" : "did you mean " + near + "?");
        });
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "budgets: {b: {runs: 1, per: 1h, for: {agents: main}}}|budgets.b.for.agents|budgets.b.for.agent",
                "senders: {cron: {enabled: true}}|senders.cron.enabled|",
                "hooks: {mappings: [{channels: ops}]}|hooks.mappings[0].channels|hooks.mappings[0].channel",
                "hooks: {mappings: [{token: x}]}|hooks.mappings[0].token|",
                "hooks: {mappings: [{models: x/y}]}|hooks.mappings[0].models|hooks.mappings[0].model",
                "hooks: {mappings: [{path: x}]}|hooks.mappings[0].path|hooks.mappings[0].match.path",
                "providers: {lab: {kind: openai, url: x}}|providers.lab.url|providers.lab.baseUrl",
                "providers: {lab: {kind: openai, model: x}}|providers.lab.model|",
                "retention: {keep: 30d}|retention.keep|requests.keep"
            })
    void anUnknownSettingGetsANameOfItsOwnSectionFirst(String text, String setting, @Nullable String near) {
        assertThat(yaml(text).problemLines())
                .filteredOn(line -> line.startsWith(setting + " ["))
                .singleElement()
                .asString()
                .endsWith("is no setting of Postern; " + (near == null ? "remove it" : "did you mean " + near + "?"));
    }

    @Test
    void anUnknownSettingOfAnEntryIsNamedByTheEntrysPath() {
        assertThat(yaml("channels:\n  slack:\n    botToken: x\n    bottoken: y\n")
                        .problemLines())
                .containsExactly("channels.slack.bottoken [" + home
                        + "/postern.yaml:4:5]: is no setting of Postern; did" + " you mean channels.slack.botToken?");
    }

    @Test
    void emptyMappedHooksAreNothing() {
        assertThat(yaml(ConfigurationFixture.SERVING
                                + "  mappings: []\n  presets: []\n  signingSecrets: {}\n  gmail: {}\n")
                        .settings()
                        .hooks()
                        .mappings())
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "hooks: {enabled: maybe}|hooks.enabled",
                "hooks: {enabled: 1}|hooks.enabled",
                "hooks: 5|hooks",
                "hooks: [a]|hooks",
                "hooks: {maxBodyBytes: lots}|hooks.maxBodyBytes",
                "hooks: {maxBodyBytes: 0}|hooks.maxBodyBytes",
                "hooks: {maxBodyBytes: 99999999999999999999}|hooks.maxBodyBytes",
                "hooks: {maxBodyBytes: 1.5}|hooks.maxBodyBytes",
                "hooks: {maxBodyBytes: 010}|hooks.maxBodyBytes",
                "hooks: {bodyTimeoutSeconds: -1}|hooks.bodyTimeoutSeconds",
                "hooks: {throttle: {failures: 0}}|hooks.throttle.failures",
                "hooks: {throttle: {windowSeconds: 86401}}|hooks.throttle.windowSeconds",
                "hooks: {throttle: {lockoutSeconds: [60]}}|hooks.throttle.lockoutSeconds",
                "hooks: {throttle: 5}|hooks.throttle",
                "hooks: {idempotencyTtl: 24}|hooks.idempotencyTtl",
                "hooks: {idempotencyTtl: 0}|hooks.idempotencyTtl",
                "hooks: {maxPending: 0}|hooks.maxPending",
                "hooks: {tokenHeaders: x-a}|hooks.tokenHeaders",
                "hooks: {tokenHeaders: ['x a']}|hooks.tokenHeaders",
                "hooks: {allowedAgentIds: main}|hooks.allowedAgentIds",
                "hooks: {allowedAgentIds: [[main]]}|hooks.allowedAgentIds",
                "hooks: {defaultSessionKey: ''}|hooks.defaultSessionKey",
                "agents: {maxConcurrent: 0}|agents.maxConcurrent",
                "agents: {defaults: {timeoutSeconds: 86401}}|agents.defaults.timeoutSeconds",
                "agents: {defaults: {maxAttempts: 0}}|agents.defaults.maxAttempts",
                "agents: {defaults: {thinking: hihg}}|agents.defaults.thinking",
                "agents: {defaults: {heartbeat: {every: 30}}}|agents.defaults.heartbeat.every",
                "agents: {defaults: {heartbeat: {every: -5m}}}|agents.defaults.heartbeat.every",
                "agents: {defaults: {models: offline/echo}}|agents.defaults.models",
                "agents: {defaults: {models: [echo]}}|agents.defaults.models",
                "agents: {defaults: {models: {fast: [x/y]}}}|agents.defaults.models",
                "agents: {list: {main: {}}}|agents.list",
                "agents: {list: [main]}|agents.list[0]",
                "agents: {list: [{workspace: x}]}|agents.list[0].id",
                "agents: {list: [{id: 'a b'}]}|agents.list[0].id",
                "database: {url: 'mysql://x'}|database.url",
                "database: {url: 'jdbc:sqlite:'}|database.url",
                "database: {url: 'jdbc:sqlite::memory:'}|database.url",
                "database: {url: 'jdbc:sqlite:file:x.db'}|database.url",
                "database: {url: 'jdbc:sqlite:x.db?cache=shared'}|database.url",
                "retention: {days: 0}|retention.days",
                "requests: {payloads: some}|requests.payloads",
                "requests: {payloads: Failed}|requests.payloads",
                "requests: {payloads: true}|requests.payloads",
                "requests: {payloads: [failed]}|requests.payloads",
                "requests: {payloadsFor: 72}|requests.payloadsFor",
                "requests: {payloadsFor: 59s}|requests.payloadsFor",
                "requests: {payloadsFor: 31d}|requests.payloadsFor",
                "requests: {keep: 2h, payloadsFor: 121m}|requests.payloadsFor",
                "requests: {payloadsMaxBytes: 512MB}|requests.payloadsMaxBytes",
                "requests: {payloadsMaxBytes: 1048575}|requests.payloadsMaxBytes",
                "requests: {payloadsMaxBytes: 1025GiB}|requests.payloadsMaxBytes",
                "requests: {payloadsMaxBytes: [512MiB]}|requests.payloadsMaxBytes",
                "server: {trustedProxies: 10.0.0.1}|server.trustedProxies",
                "server: {trustedProxies: [localhost]}|server.trustedProxies",
                "server: {trustedProxies: [proxy.example/24]}|server.trustedProxies",
                "server: {trustedProxies: [10.0.0]}|server.trustedProxies",
                "server: {trustedProxies: [10.0.0.256]}|server.trustedProxies",
                "server: {trustedProxies: [10.0.0.01]}|server.trustedProxies",
                "server: {trustedProxies: ['10.0.0.1:80']}|server.trustedProxies",
                "server: {trustedProxies: [10.0.0.0/33]}|server.trustedProxies",
                "server: {trustedProxies: [10.0.0.0/-1]}|server.trustedProxies",
                "server: {trustedProxies: [10.0.0.0/08]}|server.trustedProxies",
                "server: {trustedProxies: [10.0.0.0/255.0.0.0]}|server.trustedProxies",
                "server: {trustedProxies: [0.0.0.0/0]}|server.trustedProxies",
                "server: {trustedProxies: ['::/0']}|server.trustedProxies",
                "server: {trustedProxies: ['fd00::/129']}|server.trustedProxies",
                "server: {trustedProxies: ['fd00:::1']}|server.trustedProxies",
                "server: {trustedProxies: ['[::1]']}|server.trustedProxies",
                "server: {trustedProxies: ['fe80::1%eth0']}|server.trustedProxies",
                "server: {trustedProxies: ['::ffff:10.0.0.1']}|server.trustedProxies",
                "server: {trustedProxies: [10.0.0.5/8]}|server.trustedProxies",
                "console: everyone|console",
                "metrics: [local]|metrics",
                "providers: [openai]|providers"
            })
    void aValueOfTheWrongTypeOrOutOfRangeIsRefused(String text, String setting) {
        assertThat(yaml(text).problems()).singleElement().satisfies(problem -> {
            assertThat(problem.setting()).isEqualTo(setting);
            assertThat(problem.origin().where()).startsWith(home + "/postern.yaml:1:");
            assertThat(problem.wrong()).isNotBlank();
            assertThat(problem.instead()).isNotBlank();
        });
    }

    @Test
    void payloadsThatOutliveTheirRequestsAreRefused() {
        assertThat(yaml("requests:\n  keep: 24h\n  payloadsFor: 25h\n").problemLines())
                .containsExactly("requests.payloadsFor [" + home + "/postern.yaml:3:16]: is longer than requests.keep;"
                        + " write at most that, or a longer requests.keep");
    }

    @Test
    void aChoiceWithATypingErrorIsSaidWithTheNearestWord() {
        assertThat(yaml("requests: {payloads: faild}").problemLines())
                .containsExactly("requests.payloads [" + home
                        + "/postern.yaml:1:22]: is [faild]; did you mean failed? Write one of none, failed, all");
    }

    @Test
    void payloadsAreKeptAsTheSettingsSay() {
        assertThat(yaml("requests: {keep: 7d, payloads: failed, payloadsFor: 7d, payloadsMaxBytes: 2GiB}")
                        .settings()
                        .requests())
                .isEqualTo(new Settings.Requests(
                        Duration.ofDays(7), Settings.KeptPayloads.FAILED, Duration.ofDays(7), 2L << 30));
    }

    @Test
    void noPayloadIsKeptByDefault() {
        assertThat(yaml("{}").settings().requests())
                .isEqualTo(new Settings.Requests(
                        Duration.ofDays(30), Settings.KeptPayloads.NONE, Duration.ofDays(3), 512L << 20));
    }

    @Test
    void payloadsAreByDefaultKeptNoLongerThanTheirRequests() {
        assertThat(yaml("requests: {keep: 24h, payloads: all}")
                        .settings()
                        .requests()
                        .payloadsFor())
                .isEqualTo(Duration.ofHours(24));
    }

    @Test
    void aTrustedProxyThatIsNoneIsSaidWithWhatToWrite() {
        assertThat(yaml("server:\n  trustedProxies: [127.0.0.1, 10.0.0.5/8]\n").problemLines())
                .containsExactly("server.trustedProxies [" + home
                        + "/postern.yaml:2:19]: has an entry that is [10.0.0.5/8], an address and not the beginning of a"
                        + " network; write 10.0.0.5 for that one address, or the network's first address before /8");
    }

    @Test
    void trustedProxiesAreAddressesAndNetworks() {
        String text = "server: {trustedProxies: [127.0.0.1, 10.0.0.0/8, '::1', 'FD00::/8', 192.0.2.128/25]}";
        assertThat(yaml(text).settings().server().trustedProxies())
                .containsExactly(
                        "127.0.0.1/32", "10.0.0.0/8", "0:0:0:0:0:0:0:1/128", "fd00:0:0:0:0:0:0:0/8", "192.0.2.128/25");
        assertThat(yaml("{}").settings().server().trustedProxies()).isEmpty();
    }

    @Test
    void everyProblemIsSaidAtOnce() {
        String text =
                """
                hooks:
                  enabled: true
                  path: /
                  maxBodyBytes: x
                  colour: red
                console: 7
                retention:
                  days: 0
                """;
        assertThat(yaml(text).problems())
                .extracting(ConfigurationProblem::setting)
                .containsExactlyInAnyOrder(
                        "hooks.token", "hooks.path", "hooks.maxBodyBytes", "hooks.colour", "console", "retention.days");
    }

    @Test
    void aValueOutOfRangeIsSaidWithItsRangeAndPlace() {
        assertThat(yaml("hooks:\n  maxBodyBytes: 0\n").problemLines())
                .containsExactly("hooks.maxBodyBytes [" + home
                        + "/postern.yaml:2:17]: is [0]; write a whole number from" + " 1 to 104857600");
    }

    private ConfigurationFixture yaml(String text) {
        return ConfigurationFixture.yaml(home, text);
    }
}
