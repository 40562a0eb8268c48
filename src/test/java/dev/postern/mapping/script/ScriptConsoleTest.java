package dev.postern.mapping.script;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.logging.Level;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A test of the lines that a transform writes to its console. */
class ScriptConsoleTest {

    private static final String PRINTS =
            """
            export default ({payload}) => {
              console.log('got', payload, 1, null, undefined, [true]);
              console.error('line\\n\\u001b[31mforged');
              for (let i = 0; i < 100; i++) console.debug('x'.repeat(1000));
            };""";

    @TempDir
    Path root;

    @Test
    void logsNothingUnlessDebugIsOn() {
        try (TransformFixture transformFixture = new TransformFixture(root);
                ScriptLogCapture scriptLogCapture = new ScriptLogCapture()) {
            transformFixture.run("prints.js", PRINTS, "{\"a\": \"private\"}");
            assertThat(scriptLogCapture.lines(Level.FINE)).isEmpty();
        }
    }

    @Test
    void boundsAndEscapesWhatIsLogged() {
        try (TransformFixture transformFixture = new TransformFixture(root);
                ScriptLogCapture scriptLogCapture = new ScriptLogCapture().includingDebug()) {
            transformFixture.run("prints.js", PRINTS, "{\"a\": \"b\", \"token\": \"hunter2\"}");
            assertThat(scriptLogCapture.lines(Level.FINE))
                    .hasSize(20)
                    .allSatisfy(line -> assertThat(line).hasSizeLessThan(560))
                    .startsWith(
                            "console of [prints.js]: got {\"a\":\"b\",\"token\":\"[redacted]\"} 1 null undefined [true]",
                            "console of [prints.js]: line\\u000a\\u001b[31mforged");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Authorization: Bearer SECRET1234",
                "x-token=SECRET",
                "{\"password\": \"SECRET\"}",
                "{'apiKey':'SECRET'}",
                "bearer SECRET",
                "ghp_SECRETSECRETSECRETSECRETSECRETSECRET",
                "sk-SECRETSECRETSECRET",
                "whsec_SECRETSECRETSECRETSECRET=",
                "the key is SECRETSECRETSECRET0123456789SECRETSECRET",
            })
    void blotsOutWhatLooksLikeACredential(String line) {
        assertThat(ScriptConsole.shown(line)).doesNotContain("SECRET").contains("[redacted]");
    }

    @Test
    void showsOrdinaryWords() {
        String line = "push to main by Ada: 3 commits, 0a1b2c3, https://example.org/a/b?c=d";
        assertThat(ScriptConsole.shown(line)).isEqualTo(line);
    }
}
