package dev.postern.app;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.config.JndiLookup;
import dev.postern.config.ProcessEnvironment;
import java.io.ByteArrayOutputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of the command {@code token new}. */
class TokenCommandTest {

    @TempDir
    Path home;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @BeforeEach
    void configure() throws IOException {
        Files.writeString(
                home.resolve("postern.yaml"),
                "hooks: {enabled: true, token: a-token-that-is-long-enough-01, allowedAgentIds: [nobody]}\n");
    }

    @Test
    void failsWhereTheTokenCanNotBePrinted() throws IOException {
        int exit;
        try (PrintStream full = new PrintStream(new FileOutputStream("/dev/full"))) {
            exit = create(full, Map.of("id", "ci", "hooks", "wake"));
        }

        assertThat(exit).isEqualTo(1);
        assertThat(err.toString(UTF_8))
                .contains(
                        "the token can't be printed",
                        home.resolve("senders.yaml").toString())
                .doesNotContain("shown once");
    }

    @Test
    void newSenderNeedsHooksAndKnownOneDoesNot() {
        PrintStream stream = new PrintStream(out, true);
        assertThat(create(stream, Map.of("id", "ci"))).isEqualTo(2);
        assertThat(err.toString(UTF_8))
                .isEqualTo("postern: token new needs --hooks, the names of the hooks that the new sender ci may call."
                        + " Nothing was changed.\n");
        assertThat(home.resolve("senders.yaml")).doesNotExist();
        assertThat(create(stream, Map.of("id", "ci", "hooks", "wake"))).isZero();
        assertThat(create(stream, Map.of("id", "ci"))).isZero();
    }

    @Test
    void warnsOfPatternThatIsNoHook() {
        int exit = create(new PrintStream(out, true), Map.of("id", "jy", "hooks", "nosuchhook"));

        assertThat(exit).isZero();
        assertThat(out.toString(UTF_8)).matches("pst_[0-9A-Za-z]{49}\\R");
        assertThat(err.toString(UTF_8))
                .contains("warning: senders.jy.hooks [", "has [nosuchhook], which is no hook")
                .doesNotContain("allowedAgentIds");
    }

    @Test
    void needsNoSecretThatOnlyTheServiceHas() throws IOException {
        Files.writeString(
                home.resolve("postern.yaml"),
                """
                hooks:
                  {enabled: true, token: '${env:HOOK}', presets: [github], signingSecrets: {github: '${env:SIGNED}'}}
                channels:
                  slack: {botToken: '${env:SLACK}'}
                  mail: {from: a@b.example, host: b.example, account: a, password: '${env:MAIL}', allow: ['@b.example']}
                providers: {openai: {apiKey: '${env:KEY}'}}
                agents: {defaults: {model: openai/gpt}}
                mcp: {wiki: {url: 'https://x/${env:PATH_KEY}', headers: {A: '${env:WIKI}'}}}
                database: {url: 'jdbc:postgresql://db/x', username: a, password: '${env:DB}'}
                """);

        int exit = create(new PrintStream(out, true), Map.of("id", "ci", "hooks", "wake"));

        assertThat(err.toString(UTF_8)).doesNotContain("problem: ");
        assertThat(err.toString(UTF_8).lines())
                .filteredOn(line -> line.startsWith("warning: "))
                .hasSize(8)
                .allMatch(line -> line.endsWith("which is not set here; the one that serves needs it"))
                .anyMatch(line -> line.startsWith("warning: hooks.token ["));
        assertThat(exit).isZero();
        assertThat(home.resolve("senders.yaml")).content().contains("\"ci\":", "tokenSha256");
    }

    @Test
    void refusesWhatIsWrongBesideSecretsThatItLacks() throws IOException {
        Files.writeString(
                home.resolve("postern.yaml"),
                """
                hooks: {enabled: true, token: '${env:HOOK_TOKEN}'}
                providers: {openai: {apiKey: '${file:none}'}}
                agents: {defaults: {model: openai/gpt}}
                """);

        assertThat(create(new PrintStream(out, true), Map.of("id", "ci", "hooks", "wake")))
                .isEqualTo(1);
        assertThat(err.toString(UTF_8)).contains("problem: hooks.token [", "problem: providers.openai.apiKey [");
    }

    private int create(PrintStream stream, Map<String, String> options) {
        ProcessEnvironment environment = new ProcessEnvironment(
                JndiLookup.NONE,
                name -> Optional.empty(),
                Map.of("postern.home", home.toString()),
                Map.of(),
                home.toString(),
                ZoneId::systemDefault);
        return TokenCommand.create(environment, stream, new PrintStream(err, true), options);
    }
}
