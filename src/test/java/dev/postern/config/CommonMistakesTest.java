package dev.postern.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The mistakes of a first hour: each is told with its place and with what to write. */
class CommonMistakesTest {

    @TempDir
    Path home;

    @Test
    void tabIsToldFromOtherBadYaml() {
        assertThat(ConfigurationFixture.yaml(home, "hooks:\n\tenabled: true\n").problemLines())
                .containsExactly("configuration [" + home
                        + "/postern.yaml:2:1]: is no valid YAML here; indent with spaces: YAML takes no tab");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "b: \"New {{item.id}}\\n  c: 1\\n  to: \"ops\"\\n",
                "b: \"New {{item.id}}\\n  c: \"{{item.number}}\"\\n  d: 1\\n",
                "b: 'New\\n  c: 1\\n"
            })
    void quoteThatIsNotClosedIsNamedWhereItBegins(String text) {
        String file = home + "/postern.yaml:";
        assertThat(ConfigurationFixture.yaml(home, "a:\n  " + text.replace("\\n", "\n"))
                        .problemLines())
                .singleElement()
                .asString()
                .startsWith("configuration [" + file + "2:6]: is no valid YAML: the quote that begins here may not be"
                        + " closed; write the closing quote where the text ends, or else correct the syntax at "
                        + file);
    }

    @ParameterizedTest
    @CsvSource({"'b: \"New\"\\n c: 1\\n', 3:2", "'b: |\\n    New\\n c: 1\\n', 4:2", "'b: >\\n    New\\n  ]: 1\\n', 4:3"
    })
    void faultBehindQuoteThatIsClosedOrBlockIsNamedAtItsOwnPlace(String text, String place) {
        assertThat(ConfigurationFixture.yaml(home, "a:\n  " + text.replace("\\n", "\n"))
                        .problemLines())
                .singleElement()
                .asString()
                .startsWith("configuration [" + home + "/postern.yaml:" + place + "]: is no valid YAML here");
    }

    @Test
    void recipientThatYamlTakesForCommentIsWarnedOf() {
        String mapping =
                "  mappings:\n  - match: {path: a}\n    messageTemplate: x\n    channel: inbox\n    to: #ops\n";
        assertThat(ConfigurationFixture.yaml(home, ConfigurationFixture.SERVING + mapping)
                        .warnings())
                .singleElement()
                .asString()
                .startsWith("hooks.mappings[0].to [" + home + "/postern.yaml:8:5]: is empty")
                .contains("# begins a comment in YAML, unless it stands in quotes");
    }

    @Test
    void referenceWithinBracesNeedsQuotes() {
        assertThat(ConfigurationFixture.yaml(home, "hooks: {enabled: true, token: ${env:TOKEN}}\n")
                        .problemLines())
                .singleElement()
                .asString()
                .startsWith("configuration [" + home + "/postern.yaml:1:32]")
                .endsWith("write quotes around ${…} within braces, as in {token: \"${env:NAME}\"}");
    }

    @Test
    void missingCommaIsNamedInYaml() {
        assertThat(ConfigurationFixture.yaml(home, "hooks: {enabled: true\n  token: x}\n")
                        .problemLines())
                .singleElement()
                .asString()
                .contains("/postern.yaml:2:")
                .containsAnyOf("write a comma before this");
    }

    @Test
    void missingCommaIsNamedInJson() {
        assertThat(ConfigurationFixture.home(home)
                        .file("postern.json5", "{hooks: {enabled: true\n token: 'x'}}")
                        .problemLines())
                .containsExactly("configuration [" + home
                        + "/postern.json5:2:2]: is no valid JSON here; write a comma before this");
    }

    @Test
    void shellVariableIsNoReference() {
        assertThat(ConfigurationFixture.yaml(home, "hooks: {enabled: true, token: $HOOK_TOKEN}\n")
                        .variable("HOOK_TOKEN", ConfigurationFixture.TOKEN)
                        .problemLines())
                .singleElement()
                .asString()
                .startsWith("hooks.token [")
                .endsWith("is written like a variable of a shell, which nobody fills in here; write ${env:NAME}")
                .doesNotContain("HOOK_TOKEN");
    }

    @ParameterizedTest
    @ValueSource(strings = {"port: 9090", "hooks: {port: 9090}", "server: {bind: 0.0.0.0}", "server: {host: h}"})
    void addressOfTheServerIsNoSetting(String yaml) {
        assertThat(ConfigurationFixture.yaml(home, yaml + "\n").problemLines())
                .singleElement()
                .asString()
                .endsWith("start java -jar with --port or --bind; any other server has a setting of its own");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "database.url: 'jdbc:postgresql://db/p' | database.url | database: {url: …}",
                "hooks.enabled: true | hooks.enabled | hooks: {enabled: …}",
                "agents: {defaults.heartbeat.every: 1h} | agents.defaults.heartbeat.every |"
                        + " defaults: {heartbeat: {every: …}}",
                "providers.main.apiKey: x | providers.main.apiKey | providers: {main: {apiKey: …}}"
            })
    void settingIsWrittenNested(String yaml, String setting, String nested) {
        assertThat(ConfigurationFixture.yaml(home, yaml + "\n").problemLines())
                .singleElement()
                .asString()
                .startsWith(setting + " [")
                .endsWith("]: is one name with a dot; write it nested: " + nested);
    }

    @ParameterizedTest
    @ValueSource(strings = {"ci/*", "users/:id", ":id", "j/{id}", "users/{id}/done", "users/:id/done"})
    void placeholderInPathIsNoPattern(String path) {
        assertThat(ConfigurationFixture.yaml(
                                home,
                                ConfigurationFixture.SERVING + "  mappings: [{match: {path: '" + path
                                        + "'}, messageTemplate: x}]\n")
                        .problemLines())
                .singleElement()
                .asString()
                .startsWith("hooks.mappings[0].match.path [")
                .contains("is [" + path + "], and a *, {id} or :id stands for nothing else here; write a mapping for");
    }

    @Test
    void allowedAgentThatIsNotThereIsWarnedOf() {
        String yaml = "hooks: {enabled: true, token: " + ConfigurationFixture.TOKEN
                + ", allowedAgentIds: [main, opss]}\nagents: {list: [{id: main}, {id: ops}]}\n";
        assertThat(ConfigurationFixture.yaml(home, yaml).warnings())
                .filteredOn(warning -> warning.contains("allowedAgentIds"))
                .singleElement()
                .asString()
                .contains("has [opss], which is no agent");
    }

    @Test
    void programThatIsNotThereIsWarnedOf() {
        String yaml = ConfigurationFixture.SERVING
                + "agents: {defaults: {model: p/x}}\n"
                + "providers: {p: {kind: command, command: [/no/such/program]}}\n"
                + "mcp: {files: {command: [no-such-program, --all]}, shell: {command: [sh]}}\n";
        assertThat(ConfigurationFixture.yaml(home, yaml)
                        .variable("PATH", "/usr/bin:/bin")
                        .warnings())
                .satisfiesExactlyInAnyOrder(
                        warning -> assertThat(warning)
                                .startsWith("providers.p.command [")
                                .contains("names the program /no/such/program, which is not there"),
                        warning -> assertThat(warning)
                                .startsWith("mcp.files.command [")
                                .contains("names the program no-such-program, which is in no directory of PATH"));
    }

    @ParameterizedTest
    @CsvSource({
        "http://127.0.0.1:9/x, 127.0.0.1",
        "http://localhost/x, localhost",
        "https://10.1.2.3/x, 10.1.2.3",
        "https://172.20.0.1/x, 172.20.0.1",
        "https://192.168.1.1/x, 192.168.1.1",
        "'http://[::1]/x', '[::1]'"
    })
    void privateAddressOfWebhookIsWarnedOf(String url, String host) {
        assertThat(webhook(url, "", KEY).warnings())
                .singleElement()
                .asString()
                .startsWith("channels.crm.url [")
                .contains("leads to " + host + ", a private address, to which nothing is sent");
        assertThat(webhook(url, ", allowPrivateAddresses: true", KEY).warnings())
                .isEmpty();
    }

    @Test
    void shortSigningSecretIsWarnedOf() {
        assertThat(webhook("https://example.com/x", "", "whsec_c2VjcmV0").warnings())
                .singleElement()
                .asString()
                .startsWith("channels.crm.secret [")
                .contains("is a key of 6 bytes, where Standard Webhooks asks for 24 to 64")
                .contains("openssl rand -base64 32")
                .doesNotContain("c2VjcmV0");
    }

    private static final String KEY = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

    private ConfigurationFixture webhook(String url, String more, String secret) {
        return ConfigurationFixture.yaml(
                home,
                ConfigurationFixture.SERVING + "channels: {crm: {kind: webhook, url: '" + url + "', secret: " + secret
                        + more + "}}\n");
    }
}
