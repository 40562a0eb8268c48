package dev.postern.mapping.script;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.awaitility.Awaitility.await;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.logging.Level;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;

/** A test of a module whose file changes while Postern runs. */
@TestInstance(Lifecycle.PER_CLASS)
class ModuleReloadTest {

    private static final Duration LONGEST = Duration.ofSeconds(30);

    private TransformFixture transformFixture;

    @BeforeAll
    void open(@TempDir Path root) {
        transformFixture = new TransformFixture(root);
    }

    @AfterAll
    void close() {
        transformFixture.close();
    }

    private String message(Path module) {
        return TransformFixture.fields(transformFixture.run(module, "{}"))
                .path("message")
                .asText();
    }

    private Path module(String name, String message) {
        return transformFixture.write(name, "export default () => ({message: '" + message + "'});");
    }

    @Test
    void keepsTheLastGoodVersionWhileTheNewOneIsBroken() throws Exception {
        Path module = module("breaks.ts", "good");
        assertThat(message(module)).isEqualTo("good");
        transformFixture.write("breaks.ts", "export default () => ({message: });");
        try (ScriptLogCapture scriptLogCapture = new ScriptLogCapture()) {
            transformFixture.clock.advance(Duration.ofSeconds(2));
            await().atMost(LONGEST).until(() -> {
                assertThat(message(module)).isEqualTo("good");
                return !scriptLogCapture.warnings().isEmpty();
            });
            assertThat(scriptLogCapture.warnings()).singleElement().satisfies(line -> assertThat(line)
                    .contains("breaks.ts:1:33: Expression expected."));
            transformFixture.clock.advance(Duration.ofSeconds(2));
            assertThat(message(module)).isEqualTo("good");
            module("breaks.ts", "mended");
            transformFixture.clock.advance(Duration.ofSeconds(2));
            await().atMost(LONGEST).until(() -> message(module).equals("mended"));
            assertThat(scriptLogCapture.warnings()).hasSize(1);
        }
    }

    @Test
    void reloadsAChangedModuleBeforeTheNextRequest() {
        Path module = module("early.js", "before");
        assertThat(message(module)).isEqualTo("before");
        try (ScriptLogCapture scriptLogCapture = new ScriptLogCapture()) {
            module("early.js", "after it");
            transformFixture.clock.advance(ScriptRegistry.LOOKS_PAUSE);
            transformFixture.scriptRegistry.reloadChangedOn(Runnable::run);
            await().atMost(LONGEST).until(() -> scriptLogCapture
                    .lines(Level.INFO)
                    .contains("Transform [early.js] has changed and was reloaded"));
        }
        assertThat(message(module)).isEqualTo("after it");
    }

    @Test
    void looksForChangesLaterIfNoThreadIsFree() {
        Path module = module("busy.js", "before");
        assertThat(message(module)).isEqualTo("before");
        assertThatCode(() -> transformFixture.scriptRegistry.reloadChangedOn(task -> {
                    throw new RejectedExecutionException();
                }))
                .doesNotThrowAnyException();
    }

    @Test
    void picksUpAFileThatIsImported() {
        transformFixture.write("parts/part.js", "export const part = 'before';");
        Path module = transformFixture.write(
                "uses.js", "import {part} from './parts/part';\nexport default () => ({message: part});");
        assertThat(message(module)).isEqualTo("before");
        transformFixture.write("parts/part.js", "export const part = 'after it';");
        transformFixture.clock.advance(Duration.ofSeconds(2));
        await().atMost(LONGEST).until(() -> message(module).equals("after it"));
    }

    @Test
    void looksAtFilesAtMostOnceASecond() throws Exception {
        Path module = module("seldom.js", "one");
        assertThat(message(module)).isEqualTo("one");
        module("seldom.js", "another");
        transformFixture.clock.advance(Duration.ofMillis(999));
        assertThat(message(module)).isEqualTo("one");
        Files.delete(module);
        assertThat(message(module)).isEqualTo("one");
    }

    @Test
    void keepsAModuleWhoseFileIsGone() throws Exception {
        Path module = module("gone.js", "still here");
        assertThat(message(module)).isEqualTo("still here");
        Files.delete(module);
        try (ScriptLogCapture scriptLogCapture = new ScriptLogCapture()) {
            transformFixture.clock.advance(Duration.ofSeconds(2));
            await().atMost(LONGEST).until(() -> {
                assertThat(message(module)).isEqualTo("still here");
                return !scriptLogCapture.warnings().isEmpty();
            });
        }
        module("gone.js", "back");
        transformFixture.clock.advance(Duration.ofSeconds(2));
        await().atMost(LONGEST).until(() -> message(module).equals("back"));
    }

    @Test
    void loadsAModuleThatWasBrokenAtStart() {
        assertThat(transformFixture.problems("late.js", "export default () => ({"))
                .isNotEmpty();
        Path module = module("late.js", "now");
        transformFixture.clock.advance(Duration.ofSeconds(2));
        await().atMost(LONGEST).until(() -> transformFixture.run(module, "{}") instanceof ScriptResult.Returned);
        assertThat(message(module)).isEqualTo("now");
    }
}
