package dev.postern.mapping.script;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A test that a module that uses too much is ended, and that the others are not affected. */
class LimitsTest {

    private static final String LOOP = "export default () => { for (;;) {} };";
    private static final String ORDINARY = "export default ({payload}) => ({message: payload.a});";

    /** A budget of a request, with enough time that a slow machine uses up the memory first. */
    private static final ScriptBudget UNHURRIED =
            new ScriptBudget(Duration.ofSeconds(20), Duration.ofMinutes(1), ScriptBudget.RUN.bytes());

    @TempDir
    Path root;

    @Test
    void saysWhenMemoryOrStackWasUsedUp() {
        Map<String, String> bodies = Map.of(
                "const all = []; for (;;) all.push('x'.repeat(500000))", "used more memory than it may",
                "let s = 'x'; for (;;) s += s", "used more memory than it may",
                "(function f() { return f() + 1; })()", "called itself too deeply");
        try (Transforms transforms = new Transforms(root, UNHURRIED)) {
            bodies.forEach((body, what) -> {
                String name = "greedy" + body.length() + ".js";
                String text = "export default () => {\n" + body + "\n};";
                ScriptResult.Failed failed = Transforms.failed(transforms.run(name, text, "{}"));
                assertThat(failed.sentence()).startsWith("the transform [" + name + "] " + what);
                assertThat(failed.detail()).isEmpty();
            });
            assertThat(transforms.scriptRegistry.kills()).isEqualTo(3);
            assertThat(transforms.scriptRegistry.runs()).isEqualTo(3);
        }
    }

    @Test
    void switchesAModuleOffForAMinuteAfterFiveKillsWithinOne() {
        try (Transforms transforms = new Transforms(root, Transforms.PATIENT);
                Heard heard = new Heard()) {
            Path loop = transforms.write("dir/loop.js", LOOP);
            for (int i = 0; i < 5; i++) {
                assertThat(transforms.scriptRegistry.switchedOff()).isEmpty();
                ScriptResult.Failed failed = Transforms.failed(transforms.run(loop, "{}"));
                assertThat(failed.sentence()).startsWith("the transform [dir/loop.js] ran past its CPU time");
                assertThat(failed.detail()).isEmpty();
                transforms.clock.advance(Duration.ofSeconds(5));
            }
            assertThat(transforms.scriptRegistry.switchedOff()).containsExactly("dir/loop.js");
            assertThat(Transforms.failed(transforms.run(loop, "{}")).sentence())
                    .isEqualTo("the transform [dir/loop.js] is switched off for a minute,"
                            + " for it was ended 5 times within one");
            assertThat(transforms.scriptRegistry.kills()).isEqualTo(5);
            assertThat(heard.warnings()).singleElement().asString().contains("[dir/loop.js] is switched off until");
            transforms.clock.advance(Duration.ofSeconds(55));
            assertThat(transforms.scriptRegistry.switchedOff()).isEmpty();
            assertThat(Transforms.failed(transforms.run(loop, "{}")).sentence()).contains("CPU time");
        }
    }

    @Test
    void toleratesKillsThatAreFarApart() {
        try (Transforms transforms = new Transforms(root, Transforms.PATIENT)) {
            Path loop = transforms.write("rare.js", LOOP);
            for (int i = 0; i < 6; i++) {
                assertThat(Transforms.failed(transforms.run(loop, "{}")).sentence())
                        .contains("CPU time");
                transforms.clock.advance(Duration.ofSeconds(16));
            }
            assertThat(transforms.scriptRegistry.switchedOff()).isEmpty();
        }
    }

    @Test
    void answersEverybodyWhileSomeLoop() throws Exception {
        ExecutorService senders = Executors.newFixedThreadPool(8);
        try (Transforms transforms = new Transforms(root)) {
            Path ordinary = transforms.write("ordinary.js", ORDINARY);
            Path loop = transforms.write("loop.js", LOOP);
            transforms.scriptRegistry.prepare(ordinary, null);
            transforms.scriptRegistry.prepare(loop, null);
            List<Future<ScriptResult>> hostile = new ArrayList<>();
            List<Future<ScriptResult>> answers = new ArrayList<>();
            for (int i = 0; i < 40; i++) {
                String payload = "{\"a\": \"" + i + "\"}";
                answers.add(senders.submit(() -> transforms.run(ordinary, payload)));
                if (i % 5 == 0) {
                    hostile.add(senders.submit(() -> transforms.run(loop, "{}")));
                }
            }
            for (int i = 0; i < answers.size(); i++) {
                assertThat(Transforms.fields(answers.get(i).get(30, TimeUnit.SECONDS))
                                .path("message")
                                .asText())
                        .isEqualTo(Integer.toString(i));
            }
            for (Future<ScriptResult> end : hostile) {
                assertThat(end.get(30, TimeUnit.SECONDS)).isInstanceOf(ScriptResult.Failed.class);
            }
        } finally {
            senders.shutdownNow();
        }
        assertThat(Transforms.threads()).isEmpty();
    }

    @Test
    void startsNoThreadBeforeItsFirstModule() {
        try (Transforms transforms = new Transforms(root)) {
            assertThat(Transforms.threads()).isEmpty();
            assertThat(transforms.scriptRegistry.switchedOff()).isEmpty();
        }
    }

    @Test
    void answersNothingMoreOnceItIsClosed() {
        Transforms transforms = new Transforms(root);
        Path ordinary = transforms.write("ordinary.js", ORDINARY);
        assertThat(transforms.run(ordinary, "{\"a\": 1}")).isInstanceOf(ScriptResult.Returned.class);
        assertThat(Transforms.threads()).contains("postern-test-script-1", "postern-test-script-compiler");
        transforms.close();
        assertThat(Transforms.threads()).isEmpty();
        assertThat(transforms.run(ordinary, "{}"))
                .isEqualTo(new ScriptResult.NotRun("the transform [ordinary.js] was not run, for Postern is stopping"));
        assertThat(transforms.scriptRegistry.prepare(ordinary, null))
                .singleElement()
                .asString()
                .contains("Postern is stopping");
    }
}
