package dev.postern.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.config.ConfigurationResult.Configured;
import dev.postern.config.ConfigurationResult.Value;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of the report of every setting: its value and its origin. */
class EffectiveSettingsReportTest {

    @TempDir
    Path home;

    @Test
    void showsNoSecret() {
        Configured configured = ConfigurationFixture.yaml(
                        home,
                        """
                        hooks:
                          enabled: true
                          token: ['${file:secrets/hook-token}', s3cret-of-the-hooks-token-01]
                          presets: [gmail]
                          gmail: {account: me@example.com, password: s3cret, topic: s3cret}
                          mappings:
                            - id: signed
                              match: {path: ci, headers: {X-Shared: s3cret}}
                              messageTemplate: hello
                              verify: {scheme: github, secret: s3cret}
                        agents: {defaults: {model: openai/x}}
                        channels:
                          slack: {botToken: s3cret-1}
                          crm: {kind: webhook, url: 'https://crm.example/s3cret/in', secret: whsec_s3cretAA}
                          msteams: {webhookUrl: 'https://flow.example/?sig=s3cret-3'}
                        providers:
                          openai: {apiKey: '${env:KEY}'}
                          own: {kind: command, command: [model, --key, s3cret]}
                        mcp:
                          tools: {url: 'https://tools.example/?key=s3cret-5', headers: {X-Key: s3cret-5}}
                          files: {command: [npx, s3cret], env: {KEY: s3cret}}
                        database: {url: 'jdbc:postgresql://db/x?password=s3cret-6', username: s3cret, password: s3cret-7}
                        """)
                .file("secrets/hook-token", "s3cret-of-the-hooks-token-02")
                .variable("KEY", "s3cret")
                .configured();

        assertThat(configured.values()).noneMatch(value -> value.toString().contains("s3cret"));
        assertThat(shown(configured, "hooks.token")).isEqualTo("${file:secrets/hook-token}; set, not shown");
        assertThat(shown(configured, "hooks.mappings[0].match.headers")).isEqualTo("X-Shared: set, not shown");
        assertThat(shown(configured, "channels.crm.url")).isEqualTo("set, not shown");
        assertThat(shown(configured, "providers.openai.apiKey")).isEqualTo("${env:KEY}");
        assertThat(shown(configured, "providers.own.command")).isEqualTo("model and its arguments (2, not shown)");
        assertThat(shown(configured, "mcp.files.env")).isEqualTo("KEY: set, not shown");
    }

    @Test
    void saysWhereEachWasRead() {
        Configured configured = ConfigurationFixture.yaml(
                        home, "hooks:\n  path: /in\n  maxPending: 5\nagents:\n  list: [{id: main}]\n")
                .variable("POSTERN_HOOKS_MAXPENDING", "7")
                .property("postern.retention.days", "9")
                .jndi("metrics", "off")
                .configured();

        assertThat(configured.values())
                .contains(
                        new Value("hooks.path", "/in", new ValueOrigin(home + "/postern.yaml:2:9")),
                        new Value(
                                "hooks.maxPending",
                                "7",
                                new ValueOrigin("environment variable POSTERN_HOOKS_MAXPENDING")),
                        new Value("retention.days", "9", new ValueOrigin("system property postern.retention.days")),
                        new Value("metrics", "off", new ValueOrigin("JNDI java:comp/env/metrics")),
                        new Value("console", "local", ValueOrigin.DEFAULT),
                        new Value("hooks.throttle.failures", "20", ValueOrigin.DEFAULT),
                        new Value("requests.payloadsMaxBytes", "512MiB", ValueOrigin.DEFAULT),
                        new Value("agents.list[0].id", "main", new ValueOrigin(home + "/postern.yaml:5:15")),
                        new Value("hooks.defaultSessionKey", "", ValueOrigin.DEFAULT));
    }

    @Test
    void saysNothingOfWhatIsNotThere() {
        assertThat(ConfigurationFixture.yaml(home, ConfigurationFixture.SERVING)
                        .configured()
                        .values())
                .extracting(Value::setting)
                .contains("hooks.gmail", "agents.defaults.heartbeat.activeHours")
                .noneMatch(name -> name.startsWith("hooks.gmail."))
                .doesNotHaveDuplicates();
    }

    @Test
    void tellsWhatHasChanged() {
        String signed =
                "  mappings: [{id: a, match: {path: a}, messageTemplate: m, verify: {scheme: github, secret: %s}}]\n";
        Configured before = ConfigurationFixture.yaml(home, ConfigurationFixture.SERVING + signed.formatted("one"))
                .configured();

        assertThat(before.differences(before)).isEmpty();
        assertThat(changed(before, "# a line more\n" + ConfigurationFixture.SERVING + signed.formatted("one")))
                .isEmpty();
        assertThat(changed(before, ConfigurationFixture.SERVING + "  path: /in\n" + signed.formatted("one")))
                .containsExactly("hooks.path");
        assertThat(changed(before, ConfigurationFixture.SERVING + signed.formatted("two")))
                .containsExactly("hooks.mappings");
        assertThat(changed(before, ConfigurationFixture.SERVING.replace("-01", "-02") + signed.formatted("one")))
                .containsExactly("hooks.token");
        assertThat(changed(before, ConfigurationFixture.SERVING)).contains("hooks.mappings[0].id");
        assertThat(changed(before, ConfigurationFixture.SERVING + signed.formatted("one") + "retention: {days: 9}\n"))
                .containsExactly("retention.days");
    }

    private List<String> changed(Configured before, String text) {
        return before.differences(ConfigurationFixture.yaml(home, text).configured());
    }

    private static String shown(Configured configured, String setting) {
        return configured.values().stream()
                .filter(value -> value.setting().equals(setting))
                .findFirst()
                .orElseThrow()
                .value();
    }
}
