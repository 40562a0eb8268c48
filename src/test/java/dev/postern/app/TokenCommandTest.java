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
