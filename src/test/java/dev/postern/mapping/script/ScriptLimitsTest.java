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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A test that a module that uses too much is ended, and that the others are not affected. */
@Tag("long")
class ScriptLimitsTest {

    private static final String LOOP = "export default () => { for (;;) {} };";
    private static final String ORDINARY = "export default ({payload}) => ({message: payload.a});";

    /** A budget of a request, with enough time that a slow machine uses up the memory first. */
    private static final ScriptBudget UNHURRIED = new ScriptBudget(
            Duration.ofSeconds(20), Duration.ofMinutes(1), ScriptBudget.RUN.bytes(), ScriptBudget.RUN.stride());

    @TempDir
    Path root;

    @Test
    void saysWhenMemoryOrStackWasUsedUp() {
        Map<String, String> bodies = Map.of(
                "const all = []; for (;;) all.push('x'.repeat(500000))", "used more memory than it may",
                "let s = 'x'; for (;;) s += s", "used more memory than it may",
                "(function f() { return f() + 1; })()", "called itself too deeply");
        try (TransformFixture transformFixture = new TransformFixture(root, UNHURRIED)) {
            bodies.forEach((body, what) -> {
                String name = "greedy" + body.length() + ".js";
                String text = "export default () => {\n" + body + "\n};";
                ScriptResult.Failed failed = TransformFixture.failed(transformFixture.run(name, text, "{}"));
                assertThat(failed.sentence()).startsWith("the transform [" + name + "] " + what);
                assertThat(failed.detail()).isEmpty();
            });
            assertThat(transformFixture.scriptRegistry.kills()).isEqualTo(3);
            assertThat(transformFixture.scriptRegistry.runs()).isEqualTo(3);
        }
    }

    @Test
    void switchesAModuleOffForAMinuteAfterFiveKillsWithinOne() {
        try (TransformFixture transformFixture = new TransformFixture(root, TransformFixture.PATIENT);
                ScriptLogCapture scriptLogCapture = new ScriptLogCapture()) {
            Path loop = transformFixture.write("dir/loop.js", LOOP);
            for (int i = 0; i < 5; i++) {
                assertThat(transformFixture.scriptRegistry.switchedOff()).isEmpty();
                ScriptResult.Failed failed = TransformFixture.failed(transformFixture.run(loop, "{}"));
                assertThat(failed.sentence()).startsWith("the transform [dir/loop.js] ran past its CPU time");
                assertThat(failed.detail()).isEmpty();
                transformFixture.clock.advance(Duration.ofSeconds(5));
            }
            assertThat(transformFixture.scriptRegistry.switchedOff()).containsExactly("dir/loop.js");
            transformFixture.clock.advance(Duration.ofMillis(1));
            assertThat(transformFixture.run(loop, "{}"))
                    .isEqualTo(new ScriptResult.NotRun(
                            "the transform [dir/loop.js] is switched off for a minute,"
                                    + " for it was ended 5 times within one",
                            Duration.ofSeconds(55)));
            assertThat(transformFixture.scriptRegistry.kills()).isEqualTo(5);
            assertThat(scriptLogCapture.warnings())
                    .singleElement()
                    .asString()
                    .contains("[dir/loop.js] is switched off until");
            transformFixture.clock.advance(Duration.ofSeconds(55));
            assertThat(transformFixture.scriptRegistry.switchedOff()).isEmpty();
            assertThat(TransformFixture.failed(transformFixture.run(loop, "{}")).sentence())
                    .contains("CPU time");
        }
    }

    @Test
    void toleratesKillsThatAreFarApart() {
        try (TransformFixture transformFixture = new TransformFixture(root, TransformFixture.PATIENT)) {
            Path loop = transformFixture.write("rare.js", LOOP);
            for (int i = 0; i < 6; i++) {
                assertThat(TransformFixture.failed(transformFixture.run(loop, "{}"))
                                .sentence())
                        .contains("CPU time");
                transformFixture.clock.advance(Duration.ofSeconds(16));
            }
            assertThat(transformFixture.scriptRegistry.switchedOff()).isEmpty();
        }
    }

    @Test
    void answersEverybodyWhileSomeLoop() throws Exception {
        ExecutorService senders = Executors.newFixedThreadPool(8);
        try (TransformFixture transformFixture = new TransformFixture(root)) {
            Path ordinary = transformFixture.write("ordinary.js", ORDINARY);
            transformFixture.scriptRegistry.prepare(ordinary, null);
            List<Path> loops = new ArrayList<>(); // several, since a module that is killed often is switched off
            for (int i = 0; i < 4; i++) {
                Path loop = transformFixture.write("loop" + i + ".js", LOOP);
                transformFixture.scriptRegistry.prepare(loop, null);
                loops.add(loop);
            }
            List<Future<ScriptResult>> hostile = new ArrayList<>();
            List<Future<ScriptResult>> answers = new ArrayList<>();
            for (int i = 0; i < 40; i++) {
                String payload = "{\"a\": \"" + i + "\"}";
                answers.add(senders.submit(() -> transformFixture.run(ordinary, payload)));
                if (i % 5 == 0) {
                    Path loop = loops.get(hostile.size() % loops.size());
                    hostile.add(senders.submit(() -> transformFixture.run(loop, "{}")));
                }
            }
            for (int i = 0; i < answers.size(); i++) {
                assertThat(TransformFixture.fields(answers.get(i).get(30, TimeUnit.SECONDS))
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
        assertThat(TransformFixture.threads()).isEmpty();
    }

    @Test
    void startsNoThreadBeforeItsFirstModule() {
        try (TransformFixture transformFixture = new TransformFixture(root)) {
            assertThat(TransformFixture.threads()).isEmpty();
            assertThat(transformFixture.scriptRegistry.switchedOff()).isEmpty();
        }
    }

    @Test
    void answersNothingMoreOnceItIsClosed() {
        TransformFixture transformFixture = new TransformFixture(root);
        Path ordinary = transformFixture.write("ordinary.js", ORDINARY);
        assertThat(transformFixture.run(ordinary, "{\"a\": 1}")).isInstanceOf(ScriptResult.Returned.class);
        assertThat(TransformFixture.threads()).contains("postern-test-script-1", "postern-test-script-compiler");
        transformFixture.close();
        assertThat(TransformFixture.threads()).isEmpty();
        assertThat(transformFixture.run(ordinary, "{}"))
                .isEqualTo(new ScriptResult.NotRun(
                        "the transform [ordinary.js] was not run, for Postern is stopping", Duration.ofSeconds(1)));
        assertThat(transformFixture.scriptRegistry.prepare(ordinary, null))
                .singleElement()
                .asString()
                .contains("Postern is stopping");
    }
}
