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

    @Test
    void throwsForNothingThatIsPrinted() {
        String prints =
                """
                export default () => {
                  const cycle = {}; cycle.self = cycle;
                  console.log(Symbol('s'), Symbol(), cycle, {toJSON() { throw new Error('x'); }}, Object.create(null));
                  console.log({toString: 1}, new (class A { toString() { throw 1; } })());
                  console.error(new Map([[1, 2]]), () => 1, new Error('e'));
                };""";
        try (TransformFixture transformFixture = new TransformFixture(root);
                ScriptLogCapture scriptLogCapture = new ScriptLogCapture().includingDebug()) {
            assertThat(transformFixture.run("odd.js", prints, "{}")).isEqualTo(new ScriptResult.Unchanged());
            assertThat(scriptLogCapture.lines(Level.FINE))
                    .first()
                    .isEqualTo("console of [odd.js]: Symbol(s) Symbol() [an object that can't be shown]"
                            + " [an object that can't be shown] {}");
        }
    }

    @Test
    void hasTheFunctionsThatOtherConsolesHave() {
        String prints =
                """
                export default () => {
                  console.dir({a: 1}, {depth: 1}); console.table([1]); console.trace('here');
                  console.group('inside'); console.groupCollapsed(); console.groupEnd();
                  console.time('t'); console.timeLog('t'); console.timeEnd('t');
                  console.assert(true, 'unseen'); console.assert(false, 'a', 1); console.assert();
                  console.count(); console.count(); console.count('x'); console.countReset(); console.count();
                };""";
        try (TransformFixture transformFixture = new TransformFixture(root);
                ScriptLogCapture scriptLogCapture = new ScriptLogCapture().includingDebug()) {
            assertThat(transformFixture.run("more.js", prints, "{}")).isEqualTo(new ScriptResult.Unchanged());
            assertThat(scriptLogCapture.lines(Level.FINE))
                    .extracting(line -> line.replace("console of [more.js]: ", ""))
                    .containsExactly(
                            "{\"a\":1}",
                            "[1]",
                            "here",
                            "inside",
                            "",
                            "Assertion failed a 1",
                            "Assertion failed",
                            "default: 1",
                            "default: 2",
                            "x: 1",
                            "default: 1");
        }
    }

    @Test
    void endsAScriptThatPrintsWithoutEnd() {
        try (TransformFixture transformFixture = new TransformFixture(root, TransformFixture.PATIENT)) {
            ScriptResult.Failed failed = TransformFixture.failed(transformFixture.run(
                    "ends.js", "export default () => console.log({toJSON() { for (;;) {} }});", "{}"));
            assertThat(failed.sentence()).contains("ran past its CPU time");
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
