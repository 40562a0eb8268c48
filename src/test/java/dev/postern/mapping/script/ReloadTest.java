package dev.postern.mapping.script;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;

/** A test of a module whose file changes while Postern runs. */
@TestInstance(Lifecycle.PER_CLASS)
class ReloadTest {

    private static final Duration LONGEST = Duration.ofSeconds(30);

    private Transforms transforms;

    @BeforeAll
    void open(@TempDir Path root) {
        transforms = new Transforms(root);
    }

    @AfterAll
    void close() {
        transforms.close();
    }

    private String message(Path module) {
        return Transforms.fields(transforms.run(module, "{}")).path("message").asText();
    }

    private Path module(String name, String message) {
        return transforms.write(name, "export default () => ({message: '" + message + "'});");
    }

    @Test
    void keepsTheLastGoodVersionWhileTheNewOneIsBroken() throws Exception {
        Path module = module("breaks.ts", "good");
        assertThat(message(module)).isEqualTo("good");
        transforms.write("breaks.ts", "export default () => ({message: });");
        try (Heard heard = new Heard()) {
            transforms.clock.advance(Duration.ofSeconds(2));
            await().atMost(LONGEST).until(() -> {
                assertThat(message(module)).isEqualTo("good");
                return !heard.warnings().isEmpty();
            });
            assertThat(heard.warnings()).singleElement().satisfies(line -> assertThat(line)
                    .contains("breaks.ts:1:33: Expression expected."));
            transforms.clock.advance(Duration.ofSeconds(2));
            assertThat(message(module)).isEqualTo("good");
            module("breaks.ts", "mended");
            transforms.clock.advance(Duration.ofSeconds(2));
            await().atMost(LONGEST).until(() -> message(module).equals("mended"));
            assertThat(heard.warnings()).hasSize(1);
        }
    }

    @Test
    void picksUpAFileThatIsImported() {
        transforms.write("parts/part.js", "export const part = 'before';");
        Path module = transforms.write(
                "uses.js", "import {part} from './parts/part';\nexport default () => ({message: part});");
        assertThat(message(module)).isEqualTo("before");
        transforms.write("parts/part.js", "export const part = 'after it';");
        transforms.clock.advance(Duration.ofSeconds(2));
        await().atMost(LONGEST).until(() -> message(module).equals("after it"));
    }

    @Test
    void looksAtFilesAtMostOnceASecond() throws Exception {
        Path module = module("seldom.js", "one");
        assertThat(message(module)).isEqualTo("one");
        module("seldom.js", "another");
        transforms.clock.advance(Duration.ofMillis(999));
        assertThat(message(module)).isEqualTo("one");
        Files.delete(module);
        assertThat(message(module)).isEqualTo("one");
    }

    @Test
    void keepsAModuleWhoseFileIsGone() throws Exception {
        Path module = module("gone.js", "still here");
        assertThat(message(module)).isEqualTo("still here");
        Files.delete(module);
        try (Heard heard = new Heard()) {
            transforms.clock.advance(Duration.ofSeconds(2));
            await().atMost(LONGEST).until(() -> {
                assertThat(message(module)).isEqualTo("still here");
                return !heard.warnings().isEmpty();
            });
        }
        module("gone.js", "back");
        transforms.clock.advance(Duration.ofSeconds(2));
        await().atMost(LONGEST).until(() -> message(module).equals("back"));
    }

    @Test
    void loadsAModuleThatWasBrokenAtStart() {
        assertThat(transforms.problems("late.js", "export default () => ({")).isNotEmpty();
        Path module = module("late.js", "now");
        transforms.clock.advance(Duration.ofSeconds(2));
        await().atMost(LONGEST).until(() -> transforms.run(module, "{}") instanceof ScriptResult.Returned);
        assertThat(message(module)).isEqualTo("now");
    }
}
