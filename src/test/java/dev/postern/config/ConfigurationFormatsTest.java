package dev.postern.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of the formats of the configuration file. */
class ConfigurationFormatsTest {

    @TempDir
    Path home;

    @Test
    void twoFilesAreRefusedNamingBoth() {
        assertThat(ConfigurationFixture.yaml(home, "{}")
                        .file("postern.json5", "{}")
                        .problemLines())
                .singleElement()
                .asString()
                .contains(home + "/postern.yaml and " + home + "/postern.json5");
    }

    @ParameterizedTest
    @CsvSource({"postern.yaml,''", "postern.yml,' \n\t'", "postern.json,''", "postern.json5,' '"})
    void blankFileIsRejected(String name, String text) {
        ConfigurationFixture fixture = ConfigurationFixture.home(home).file(name, text);
        Path file = home.resolve(name);

        assertThat(fixture.problemLines())
                .containsExactly(
                        "configuration [" + file + "]: is empty; restore its content, or delete it for the defaults");
        assertThat(((ConfigurationResult.Rejected) fixture.check()).problems()).hasSize(1);
        assertThat(file).hasContent(text);
    }

    @ParameterizedTest
    @ValueSource(strings = {"postern.yaml", "postern.json5"})
    void linkToNothingIsRejected(String name) throws IOException {
        Files.createSymbolicLink(home.resolve(name), home.resolve("unmounted/postern.yaml"));

        ConfigurationFixture fixture = ConfigurationFixture.home(home);
        assertThat(fixture.problemLines())
                .singleElement()
                .asString()
                .startsWith("configuration [" + home.resolve(name) + "]: is a link to no file; ");
        assertThat(home.resolve("secrets")).doesNotExist();
    }

    @ParameterizedTest
    @CsvSource({"postern.yaml,# all from the environment", "postern.json,// all from the environment"})
    void fileOfCommentsAloneHasTheDefaults(String name, String text) {
        assertThat(ConfigurationFixture.home(home)
                        .file(name, text)
                        .variable("POSTERN_HOOKS_PATH", "/in")
                        .settings()
                        .hooks()
                        .path())
                .isEqualTo("/in");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "postern.yaml|hooks:\\n  path: a: b|2:10",
                "postern.yaml|hooks: [|1:9",
                "postern.yaml|hooks:\\n\\tpath: /x|2:1",
                "postern.yaml|hooks: {}\\n---\\nhooks: {}|2:1",
                "postern.yaml|hooks: {token: *s3cret}|1:16",
                "postern.json|{\"hooks\": {\"token\": s3cret}}|1:21",
                "postern.json|{\"hooks\": {|1:12",
                "postern.json5|{hooks: {token: 's3cret}}|1:26",
                "postern.json|{} {}|1:4"
            })
    void malformedTextIsRefusedWithItsPlaceAndWithoutTheText(String name, String text, String place) {
        ConfigurationFixture configurationFixture = ConfigurationFixture.home(home)
                .file(name, text.replace("\\n", "\n").replace("\\t", "\t"));
        assertThat(configurationFixture.problems()).singleElement().satisfies(problem -> {
            assertThat(problem.origin().where()).startsWith(home + "/" + name + ":");
            assertThat(problem.toString()).doesNotContain("s3cret");
            assertThat(problem.origin().where()).endsWith(name + ":" + place);
        });
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{hooks: {maxBodyBytes: 0x1F}}|1:25|has a hexadecimal number here; write it in decimal digits",
                "{hooks: {maxBodyBytes: -0XfF}}|1:26|has a hexadecimal number here; write it in decimal digits",
                "{hooks: {maxBodyBytes: 10x1}}|1:26|is no valid JSON here; write a comma before this",
                "{hooks: {path: 'a\\x4g'}}|1:18|has an escape here that JSON5 does not have; write \\\\ for a backslash",
                "{hooks: {path: 'a\\x4'}}|1:18|has an escape here that JSON5 does not have",
                "{hooks: {path: 'a\\1'}}|1:18|has an escape here that JSON5 does not have",
                "{hooks: {path: 'a\\07'}}|1:18|has an escape here that JSON5 does not have",
                "{hooks: {'a\\9': 1}}|1:12|has an escape here that JSON5 does not have",
                "{hooks: {path: 'a\\u00g0'}}|1:22|is no valid JSON here",
                "{hooks: {path: 'a\\|1:19|is no valid JSON here"
            })
    void whatJson5OrTheReaderDoesNotHaveIsRefused(String text, String place, String sentence) {
        assertThat(ConfigurationFixture.home(home).file("postern.json5", text).problemLines())
                .singleElement()
                .asString()
                .contains("postern.json5:" + place + "]: " + sentence);
    }

    @ParameterizedTest
    @ValueSource(strings = {"\n", "\r\n", "\r", "\u2028", "\u2029"})
    void escapesAndContinuedLinesAreThoseOfJson5(String lineEnd) {
        String text = "{'\\x68ooks': {path: '\\x2fa\\u002Fb\\\n/\\c', \"defaultSessionKey\": \"hook:\\\n1\\'\\\"\"}}";

        HookSettings hooks = ConfigurationFixture.home(home)
                .file("postern.json5", text.replace("\n", lineEnd))
                .settings()
                .hooks();

        assertThat(hooks.path()).isEqualTo("/a/b/c");
        assertThat(hooks.sessionKeys().byDefault()).isEqualTo("hook:1'\"");
    }

    @ParameterizedTest
    @ValueSource(strings = {"\n", "\r\n", "\r"})
    void placesAreThoseOfTheFileBehindAContinuedLine(String lineEnd) {
        String text = "{hooks: {path: '/a\\\nb',\n  maxBodyBytes: 'x'}}";

        assertThat(ConfigurationFixture.home(home)
                        .file("postern.json5", text.replace("\n", lineEnd))
                        .problemLines())
                .singleElement()
                .asString()
                .startsWith("hooks.maxBodyBytes [" + home + "/postern.json5:3:17]");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "postern.yaml|hooks: {path: /a, path: /b}",
                "postern.json|{\"hooks\": {\"path\": \"/a\", \"path\": \"/b\"}}"
            })
    void aNameWrittenTwiceIsRefused(String name, String text) {
        assertThat(ConfigurationFixture.home(home).file(name, text).problemLines())
                .singleElement()
                .asString()
                .startsWith("hooks.path [")
                .contains("is written twice, first at " + home + "/" + name + ":1:");
    }

    @ParameterizedTest
    @ValueSource(strings = {"5", "[hooks]", "hooks"})
    void aFileThatIsNoMapIsRefused(String text) {
        assertThat(ConfigurationFixture.yaml(home, text).problems()).hasSize(1);
    }

    @Test
    void aTagIsRefused() {
        assertThat(ConfigurationFixture.yaml(home, "hooks: {path: !env HOOKS}").problemLines())
                .singleElement()
                .asString()
                .startsWith("hooks.path [")
                .contains("has a tag of its own");
    }

    @Test
    void aliasesOfAliasesDoNotMultiply() {
        StringBuilder bomb = new StringBuilder("a0: &a0 [x, x, x, x, x]\n");
        for (int i = 1; i <= 10; i++) {
            bomb.append("a%d: &a%d [*a%d, *a%d, *a%d, *a%d]\n".formatted(i, i, i - 1, i - 1, i - 1, i - 1));
        }
        assertThat(ConfigurationFixture.yaml(home, bomb.toString()).problems()).isNotEmpty();
        assertThat(ConfigurationFixture.yaml(home, bomb + "b: [*a1, *a1, *a1, *a1, *a1, *a1, *a1, *a1, *a1, *a1, *a1]")
                        .problemLines())
                .singleElement()
                .asString()
                .contains("can't be read safely");
    }

    @Test
    void aValueThatHoldsItselfIsRefused() {
        assertThat(ConfigurationFixture.yaml(home, "hooks: &h {throttle: *h}\n").problemLines())
                .singleElement()
                .asString()
                .contains("holds itself");
    }

    @ParameterizedTest
    @ValueSource(strings = {"? a: 1\n: 2\n", "<<: 3\n", "!mine\nhooks: {}\n", "- hooks\n", "5\n"})
    void aProblemOfTheWholeTextSaysSo(String yaml) {
        assertThat(ConfigurationFixture.yaml(home, yaml).problemLines())
                .singleElement()
                .asString()
                .startsWith("configuration [" + home.resolve("postern.yaml") + ":1:");
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"\"", "\" \""})
    void aBlankNameIsQuoted(String name) {
        String text = "{" + name + ": 1, \"hooks\": {" + name + ": 1}}";
        assertThat(ConfigurationFixture.yaml(home, text).problems())
                .extracting(ConfigurationProblem::setting)
                .containsExactly(name, "hooks." + name);
    }

    @Test
    void textThatIsNoUtf8IsRefused() throws Exception {
        Files.write(home.resolve("postern.yaml"), new byte[] {'a', ':', ' ', (byte) 0xff});
        assertThat(ConfigurationFixture.home(home).problemLines())
                .singleElement()
                .asString()
                .contains("is not UTF-8 text");
    }

    @Test
    void theFormatsGiveTheSameSettings() {
        String json =
                """
                {"hooks": {"enabled": true, "token": ["%s", "another-token-of-a-rotation"], "path": "in/",
                  "allowedAgentIds": [], "maxBodyBytes": 1000, "throttle": {"failures": 3}, "idempotencyTtl": "90m"},
                 "agents": {"defaults": {"model": "fast", "models": {"fast": "offline/echo"}, "thinking": "off",
                   "heartbeat": {"every": 0, "activeHours": {"start": "8:00", "end": "20:00", "timezone": "UTC"}}},
                   "list": [{"id": "ops", "default": true, "tools": {"mcp": ["t"]}}]},
                 "mcp": {"t": {"command": ["x", "1"]}},
                 "channels": {"slack": {"botToken": "xoxb"}},
                 "retention": {"days": 7}, "console": false, "metrics": "anyone"}
                """
                        .formatted(ConfigurationFixture.TOKEN);
        String json5 =
                """
                // as other systems write it
                {hooks: {enabled: true, token: ['%s', "another-token-of-a-rotation"], path: 'in/', /* all
                  of them */ allowedAgentIds: [], maxBodyBytes: +1000, throttle: {failures: 3,}, idempotencyTtl: '90m',},
                 agents: {defaults: {model: 'fast', models: {fast: 'offline/echo'}, thinking: 'off',
                   heartbeat: {every: '0', activeHours: {start: '8:00', end: '20:00', timezone: 'UTC'}}},
                   list: [{id: 'ops', default: true, tools: {mcp: ['t']}}]},
                 mcp: {t: {command: ['x', '1']}},
                 channels: {slack: {botToken: 'xoxb'}},
                 retention: {days: 7}, console: 'off', metrics: 'anyone',}
                """
                        .formatted(ConfigurationFixture.TOKEN);
        String yaml =
                """
                hooks:
                  enabled: yes
                  token: [%s, another-token-of-a-rotation]
                  path: in/
                  allowedAgentIds: []
                  maxBodyBytes: 1_000
                  throttle: {failures: 3}
                  idempotencyTtl: 90m
                agents:
                  defaults:
                    model: fast
                    models: {fast: offline/echo}
                    thinking: off
                    heartbeat: {every: 0, activeHours: {start: 8:00, end: 20:00, timezone: UTC}}
                  list:
                    - id: ops
                      default: on
                      tools: {mcp: [t]}
                mcp: {t: {command: [x, 1]}}
                channels: {slack: {botToken: xoxb}}
                retention: {days: 7}
                console: off
                metrics: anyone
                """
                        .formatted(ConfigurationFixture.TOKEN);
        Path one = home.resolve("one");
        Path two = home.resolve("two");
        Path three = home.resolve("three");
        Path four = home.resolve("four");
        Path five = home.resolve("five");
        List<Settings> all = List.of(
                ConfigurationFixture.home(one).file("postern.json", json).settings(),
                ConfigurationFixture.home(two).file("postern.json5", json5).settings(),
                ConfigurationFixture.home(three).file("postern.yaml", yaml).settings(),
                ConfigurationFixture.home(four)
                        .file("postern.yml", "\uFEFF" + json)
                        .settings(),
                ConfigurationFixture.home(five).file("postern.json", json5).settings());
        Settings first = all.get(0);
        assertThat(first.hooks().path()).isEqualTo("/in");
        assertThat(first.hooks().tokens()).hasSize(2);
        assertThat(first.console()).isEqualTo(Settings.Access.OFF);
        assertThat(first.agents().defaults().thinking()).isEqualTo("off");
        assertThat(all).allSatisfy(settings -> assertThat(settings)
                .usingRecursiveComparison()
                .ignoringFieldsMatchingRegexes(".*home", ".*workspace", ".*transformsRoot")
                .isEqualTo(first));
    }

    @Test
    void anchorsAndMergeKeysWorkInYaml() {
        Settings settings = ConfigurationFixture.yaml(
                        home,
                        """
                        channels:
                          one: &team {kind: mattermost, baseUrl: 'https://chat.example', botToken: x, textLimit: 500}
                          two:
                            <<: *team
                            textLimit: 600
                        """)
                .settings();
        assertThat(settings.channels().get("two").options())
                .containsEntry("baseUrl", "https://chat.example")
                .containsEntry("textLimit", "600");
    }

    @ParameterizedTest
    @ValueSource(strings = {"# nothing\n", "hooks:\n", "hooks: {token: }\nchannels:\n", "null"})
    void nothingIsTheDefaults(String text) {
        assertThat(ConfigurationFixture.yaml(home, text).settings().hooks().path())
                .isEqualTo("/hooks");
    }

    @ParameterizedTest
    @CsvSource({
        "off, OFF",
        "false, OFF",
        "no, OFF",
        "on, LOCAL",
        "true, LOCAL",
        "local, LOCAL",
        "'''off''', OFF",
        "anyone, ANYONE"
    })
    void accessIsAWordOrABoolean(String written, Settings.Access access) {
        assertThat(ConfigurationFixture.yaml(home, "metrics: " + written)
                        .settings()
                        .metrics())
                .isEqualTo(access);
    }

    @ParameterizedTest
    @CsvSource({"hooks, /hooks", "/hooks/, /hooks", "//in//, /in", "api/v1/hooks, /api/v1/hooks", "/, ''"})
    void thePathIsGivenItsSlashes(String written, String path) {
        ConfigurationResult outcome = ConfigurationFixture.yaml(home, "hooks: {path: '" + written + "'}")
                .load();
        if (path.isEmpty()) {
            assertThat(outcome).isInstanceOf(ConfigurationResult.Rejected.class);
        } else {
            assertThat(((ConfigurationResult.Configured) outcome)
                            .settings()
                            .hooks()
                            .path())
                    .isEqualTo(path);
        }
    }
}
