package dev.postern.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.model.Secret;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of secret references, and that no secret is ever shown. */
class SecretsTest {

    @TempDir
    Path home;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "${env:NOT_SET}",
                "${env:EMPTY}",
                "${env:}",
                "${file:secrets/none}",
                "${file:secrets}",
                "${file:secrets/empty}",
                "${file:secrets/lines}",
                "${file:secrets/binary}",
                "${file:secrets/huge}",
                "${NAME}",
                "${env:A",
                "a ${vault:x} b"
            })
    void aReferenceThatLeadsNowhereIsRefused(String reference) throws Exception {
        ConfigurationFixture configurationFixture = ConfigurationFixture.yaml(
                        home, "hooks: {enabled: true, token: '" + reference + "'}")
                .variable("EMPTY", "")
                .file("secrets/empty", "\n")
                .file("secrets/lines", "s3cret\ns3cret\n")
                .file("secrets/huge", "s3cret".repeat(20_000));
        Files.write(home.resolve("secrets/binary"), new byte[] {(byte) 0xff, 's', '3', 'c', 'r', 'e', 't'});
        assertThat(configurationFixture.problems()).singleElement().satisfies(problem -> {
            assertThat(problem.setting()).isEqualTo("hooks.token");
            assertThat(problem.toString()).doesNotContain("s3cret");
            assertThat(problem.instead()).isNotBlank();
        });
    }

    @Test
    void eachEntryOfAMapThatLeadsNowhereIsAProblemOfItsOwn() {
        assertThat(ConfigurationFixture.yaml(
                                home,
                                """
                                hooks:
                                  enabled: true
                                  token: a-token-that-is-long-enough-01
                                  presets: [github, gitlab, stripe]
                                  signingSecrets:
                                    github: ${env:GITHUB}
                                    gitlab: ['${env:SET}', '${file:secrets/gitlab}']
                                    githob: ${env:SET}
                                    stripe: ${env:SET}
                                mcp:
                                  tools:
                                    url: http://x
                                    headers:
                                      X-One: ${env:ONE}
                                      Host: a
                                      'not a name': b
                                providers:
                                  command:
                                    command: [x]
                                    env: {A: '${env:A}', B: '${env:B}'}
                                agents: {defaults: {model: command/x}}
                                """)
                        .variable("SET", "whsec_c2VjcmV0")
                        .problemLines())
                .extracting(line -> line.replace(home + "/", "").replaceFirst("[,;].*", ""))
                .containsExactlyInAnyOrder(
                        "hooks.signingSecrets [postern.yaml:6:5]: has an entry [github] that refers to the environment"
                                + " variable GITHUB",
                        "hooks.signingSecrets [postern.yaml:7:5]: has an entry [gitlab] that refers to the file"
                                + " secrets/gitlab",
                        "hooks.signingSecrets [postern.yaml:8:5]: has an entry [githob]",
                        "mcp.tools.headers [postern.yaml:14:7]: has an entry [X-One] that refers to the environment"
                                + " variable ONE",
                        "mcp.tools.headers [postern.yaml:15:7]: has an entry [Host]",
                        "mcp.tools.headers [postern.yaml:16:7]: has an entry",
                        "providers.command.env [postern.yaml:20:11]: has an entry [A] that refers to the environment"
                                + " variable A",
                        "providers.command.env [postern.yaml:20:26]: has an entry [B] that refers to the environment"
                                + " variable B");
    }

    @Test
    void referencesAreResolved() {
        Path elsewhere = home.resolve("elsewhere/key");
        Settings settings = ConfigurationFixture.yaml(
                        home,
                        """
                        hooks: {enabled: true, token: ['${file:secrets/hook-token}', '${env:OLD_TOKEN}']}
                        channels: {slack: {botToken: '${file:%s}'}}
                        mcp: {tools: {url: '${env:URL}?key=${env:TOOLS}', headers: {Authorization: 'Bearer ${env:TOOLS}'}}}
                        providers: {command: {command: [x], env: {KEY: '${file:secrets/key}', URL: 'a ${env:TOOLS}'}}}
                        agents: {defaults: {model: command/x}}
                        database: {url: 'jdbc:postgresql://db/x?password=${env:DB}', username: '${env:DB}'}
                        """
                                .formatted(elsewhere))
                .file("secrets/hook-token", "${env:NOT_LOOKED_INTO_AGAIN}\r\n")
                .file("elsewhere/key", "xoxb")
                .file("secrets/key", "a-key")
                .variable("OLD_TOKEN", "the-old-token-of-a-rotation")
                .variable("URL", "https://tools.example/mcp")
                .variable("TOOLS", "tools-key")
                .variable("DB", "$1\\db")
                .settings();
        assertThat(settings.hooks().tokens())
                .extracting(Secret::reveal)
                .containsExactly("${env:NOT_LOOKED_INTO_AGAIN}", "the-old-token-of-a-rotation");
        assertThat(settings.channels().get("slack").secrets().get("botToken").reveal())
                .isEqualTo("xoxb");
        assertThat(settings.mcp().get("tools").headers().get("Authorization").reveal())
                .isEqualTo("Bearer tools-key");
        assertThat(Objects.requireNonNull(settings.mcp().get("tools").url()).reveal())
                .isEqualTo("https://tools.example/mcp?key=tools-key");
        assertThat(settings.providers().get("command").env())
                .isEqualTo(Map.of("KEY", new Secret("a-key"), "URL", new Secret("a tools-key")));
        assertThat(settings.database().url()).isEqualTo("jdbc:postgresql://db/x?password=$1\\db");
    }

    @Test
    void aShortTokenIsTakenWithOneWarning() {
        ConfigurationFixture configurationFixture =
                ConfigurationFixture.yaml(home, "hooks: {enabled: true, token: s3cret-of-23-characters}");
        assertThat(configurationFixture.settings().hooks().tokens()).hasSize(1);
        assertThat(configurationFixture.warnings())
                .containsExactly(
                        "hooks.token [" + home + "/postern.yaml:1:31]: has fewer than 24 characters and might be"
                                + " guessed; take a longer one, such as 32 random bytes in base64");
        assertThat(ConfigurationFixture.yaml(home, "hooks: {enabled: true, token: s3cret--of-24-characters}")
                        .warnings())
                .isEmpty();
    }

    @Test
    void aCommaInAFilesTokenBelongsToIt() {
        assertThat(ConfigurationFixture.yaml(home, "hooks: {enabled: true, token: 'one,token-with-a-comma-in-it'}")
                        .settings()
                        .hooks()
                        .tokens())
                .containsExactly(new Secret("one,token-with-a-comma-in-it"));
    }

    @Test
    void noOutcomeShowsASecret() {
        String secrets =
                """
                channels:
                  slack: {botToken: s3cret-1}
                  crm: {kind: webhook, url: 'https://crm.example/in', secret: whsec_s3cretAA}
                  msteams: {webhookUrl: 'https://flow.example/?sig=s3cret-3'}
                providers:
                  openai: {apiKey: s3cret-4}
                  command: {command: [x], env: {KEY: s3cret-8}}
                mcp:
                  tools: {url: 'https://tools.example/?key=s3cret-5', headers: {X-Key: s3cret-5}}
                database: {url: 'jdbc:postgresql://db/x?password=s3cret-6', username: u, password: s3cret-7}
                agents: {defaults: {model: openai/x}}
                """;
        ConfigurationFixture working =
                ConfigurationFixture.yaml(home, "hooks: {enabled: true, token: s3cret-0}\n" + secrets);
        ConfigurationResult.Configured configured = working.configured();
        assertSilent(configured.toString(), configured.summary(), working.warnings(), working.environment());

        List<String> broken = List.of(
                "hooks: {enabled: true, token: [s3cret, s3cret, s3cret]}",
                "hooks: {enabled: true, token: {s3cret: s3cret}}".replace("s3cret:", "value:"),
                "hooks: {enabled: true, token: 's3cret with spaces'}",
                "hooks: {enabled: true, token: [s3cret-8, s3cret-8]}",
                "hooks: {enabled: true, token: \"s3cret\\nlines\"}",
                "hooks: {enabled: true, token: 's3cret${'}",
                "hooks: {enabled: true, token: s3cret-1}\n" + secrets,
                "hooks: {enabled: true, token: s3cret, tokn: s3cret}",
                "channels: {slack: {botToken: [s3cret]}, msteams: {webhookUrl: {x: s3cret}}}",
                "channels: {crm: {kind: webhook, url: 's3cret', secret: s3cret, apiKey: s3cret}}",
                "channels: {crm: {kind: webhook, url: 'https://u:s3cret@crm.example', secret: x}}",
                "providers: {openai: {apiKey: s3cret, baseUrl: 'http://s3cret@x'}}",
                "database: {url: 's3cret', password: [s3cret]}",
                "database: {url: 'jdbc:postgresql://u:s3cret@db/x'}",
                "mcp: {tools: {command: [x], headers: [s3cret]}}",
                "mcp: {tools: {url: 'https://tools.example', headers: {'Authorization:Bearer s3cret'}}}",
                "mcp: {tools: {url: 'https://tools.example', headers: {'Authorization: Bearer s3cret': x}}}",
                "mcp: {tools: {url: 'https://tools.example', headers: {X-Key: s3cret-ü}}}",
                "mcp: {tools: {command: [x], env: {KEY=s3cret: x}}}",
                "providers: {command: {command: [x], env: {KEY=s3cret: x}}}",
                "hooks: {enabled: true, token: s3cret-in-two-places-twice}\n"
                        + "providers: {command: {command: [x], env: {KEY: s3cret-in-two-places-twice}}}",
                "mcp: {tools: {url: 'tools.example/?key=s3cret'}}",
                "mcp: {tools: {url: 'https://s3cret@tools.example'}}");
        for (String text : broken) {
            ConfigurationFixture configurationFixture =
                    ConfigurationFixture.yaml(home, text).variable("POSTERN_HOOKS_TOKN", "s3cret");
            assertSilent(
                    configurationFixture.load().toString(),
                    configurationFixture.problemLines(),
                    configurationFixture.warnings());
        }
    }

    @Test
    void whatIsRefusedFromTheEnvironmentIsNotShownEither() {
        ConfigurationFixture configurationFixture = ConfigurationFixture.yaml(home, "channels: {slack: {}}")
                .variable("POSTERN_HOOKS_TOKEN", "[\"s3cret")
                .variable("POSTERN_CHANNELS_SLACK_BOTTOKEN", "${s3cret")
                .variable("POSTERN_DATABASE_URL", "s3cret");
        assertThat(configurationFixture.problems()).hasSizeGreaterThanOrEqualTo(2);
        assertSilent(configurationFixture.problemLines(), configurationFixture.warnings());
    }

    private static void assertSilent(Object... outputs) {
        assertThat(List.of(outputs)).noneMatch(output -> output.toString().contains("s3cret"));
    }

    @Test
    void anUploadedTextResolvesOnlyPresentReferences() {
        String hooks = "hooks: {enabled: true, token: '%s'}\n";
        ConfigurationFixture configuration = ConfigurationFixture.yaml(
                        home, hooks.formatted("${file:secrets/hook-token}"))
                .file("secrets/hook-token", ConfigurationFixture.TOKEN)
                .file("secrets/other", ConfigurationFixture.TOKEN)
                .variable("OTHER", ConfigurationFixture.TOKEN);

        assertThat(configuration.loadText(hooks.formatted("${file:secrets/hook-token}")))
                .isInstanceOf(ConfigurationResult.Configured.class);
        for (String other : List.of("${file:secrets/other}", "${file:secrets/none}", "${env:OTHER}", "${env:NONE}")) {
            ConfigurationResult result = configuration.loadText(hooks.formatted(other));
            assertThat(((ConfigurationResult.Rejected) result).problems())
                    .extracting(ConfigurationProblem::wrong)
                    .containsExactly("refers to a variable or file that the running configuration does not refer to");
        }
    }
}
