package dev.postern.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.config.ConfigurationLoader;
import dev.postern.config.ConfigurationResult.Configured;
import dev.postern.config.ProcessEnvironment;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A test that imports configurations in the form of OpenClaw's documentation; see {@code openclaw/ORIGIN.md}. */
class OpenClawExamplesTest {

    private static final Path EXAMPLES = Path.of("src/test/resources/openclaw");

    private static final Map<String, String> VARIABLES = Map.of(
            "LETTER_TOKEN", "a-letter-token-that-is-long",
            "NORTH_TOKEN", "a-north-token-that-is-long-x",
            "SLACK_BOT_TOKEN", "xoxb-of-the-environment",
            "HOUSE_KEY", "key-of-the-house",
            "ACCOUNT", "acme");

    @TempDir
    Path directory;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "minimal",
                "session-policy",
                "mail-reader",
                "mail-push",
                "expanded",
                "early",
                "includes",
                "accounts",
                "providers",
                "traps"
            })
    void importsWhatCheckAccepts(String example) throws IOException {
        Path home = directory.resolve("home");
        Path source = EXAMPLES.resolve(example);
        ProcessEnvironment environment =
                ProcessEnvironment.ofProcess(name -> null).forTrial(home, VARIABLES);
        ByteArrayOutputStream out = new ByteArrayOutputStream();

        int code = ImportCommand.run(
                environment,
                new PrintStream(out, true, StandardCharsets.UTF_8),
                System.err,
                Map.of("file", source.resolve("openclaw.json").toString()));

        assertThat(code).isZero();
        assertThat(notes(out)).isEqualTo(Files.readString(source.resolve("notes.txt")));
        assertThat(Files.readString(home.resolve("postern.yaml")))
                .isEqualTo(Files.readString(source.resolve("postern.yaml")));
        assertThat(new ConfigurationLoader(environment).load(ConfigurationLoader.Mode.CHECK))
                .isInstanceOf(Configured.class);
    }

    /** The lines about the file that was imported, as if it were in the working directory. */
    private static String notes(ByteArrayOutputStream out) {
        return out.toString(StandardCharsets.UTF_8)
                .lines()
                .filter(line -> line.startsWith(EXAMPLES.toString()))
                .map(line -> line.replaceAll(EXAMPLES + "/[a-z-]+/", ""))
                .collect(Collectors.joining("\n", "", "\n"));
    }
}
