package dev.postern.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.config.ProcessEnvironment;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A test of the command {@code token new} without an option that a new sender needs. */
class TokenCommandTest {

    @TempDir
    Path home;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @Test
    void newSenderNeedsHooksAndKnownOneDoesNot() {
        assertThat(create(Map.of("id", "ci"))).isEqualTo(2);
        assertThat(err.toString(StandardCharsets.UTF_8))
                .isEqualTo("postern: token new needs --hooks, the names of the hooks that the new sender ci may call."
                        + " Nothing was changed.\n");
        assertThat(home.resolve("senders.yaml")).doesNotExist();
        assertThat(create(Map.of("id", "ci", "hooks", "wake"))).isZero();
        assertThat(create(Map.of("id", "ci"))).isZero();
    }

    private int create(Map<String, String> options) {
        return TokenCommand.create(
                new ProcessEnvironment(
                        name -> Optional.empty(),
                        name -> Optional.empty(),
                        Map.of("postern.home", home.toString()),
                        Map.of(),
                        home.toString(),
                        () -> ZoneOffset.UTC),
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                options);
    }
}
