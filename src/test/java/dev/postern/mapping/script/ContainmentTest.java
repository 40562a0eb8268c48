package dev.postern.mapping.script;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A test with scripts that try to escape the sandbox or to use up the server. Each fails, twice, and an ordinary script
 * runs after it.
 */
@Tag("long")
@TestInstance(Lifecycle.PER_CLASS)
class ContainmentTest {

    private static final String ORDINARY = "ordinary.ts";
    private static final Duration LONGEST = Duration.ofSeconds(20);

    /** The budget of most attacks, since there are many. */
    private static final ScriptBudget SMALL = new ScriptBudget(
            Duration.ofMillis(60), ScriptBudget.RUN.wall(), ScriptBudget.RUN.bytes(), ScriptBudget.RUN.stride());

    private static final long HEAP_SLACK_BYTES = 64L * 1024 * 1024;

    private final List<TransformFixture> opened = new ArrayList<>();
    private TransformFixture full;
    private TransformFixture small;
    private long heapBefore;

    /**
     * @param getsAll true if the attack gets the whole budget of a request's script
     * @param module the module that attacks
     * @param files the files beside it, by name
     * @param afterwards a script that has to run after the attack; empty if any will do
     */
    record ScriptAttack(
            boolean getsAll, String name, String kind, String module, Map<String, String> files, String afterwards) {
        @Override
        public String toString() {
            return kind + " " + name;
        }
    }

    static List<ScriptAttack> attacks() throws IOException {
        List<ScriptAttack> attacks = new ArrayList<>();
        for (String file : List.of("rhino-attacks", "rhino-built-ins", "rhino-below", "rhino-further")) {
            try (InputStream in = ContainmentTest.class.getResourceAsStream("/attacks/" + file + ".json")) {
                TransformFixture.JSON
                        .readTree(Objects.requireNonNull(in))
                        .path("attacks")
                        .forEach(attack -> attacks.add(attack(file.equals("rhino-attacks"), attack)));
            }
        }
        return attacks;
    }

    private static ScriptAttack attack(boolean getsAll, JsonNode attack) {
        Map<String, String> files = new HashMap<>();
        attack.path("files")
                .properties()
                .forEach(file -> files.put(file.getKey(), file.getValue().asText()));
        String module = attack.has("module")
                ? attack.path("module").asText()
                : ScriptModuleConverter.module(attack.path("script").asText());
        return new ScriptAttack(
                getsAll,
                attack.path("name").asText(),
                attack.path("kind").asText(),
                module,
                files,
                attack.path("afterwards").asText());
    }

    @BeforeAll
    void open(@TempDir Path root) {
        full = open(root, ScriptBudget.RUN);
        small = open(root, SMALL);
        heapBefore = heap();
    }

    private TransformFixture open(Path root, ScriptBudget budget) {
        TransformFixture transformFixture = new TransformFixture(root, budget);
        opened.add(transformFixture);
        String ordinary = "export default (c: any) => ({message: 'as ' + c.payload.a.toUpperCase()});";
        assertThat(transformFixture.problems(ORDINARY, ordinary)).isEmpty();
        return transformFixture;
    }

    @ParameterizedTest
    @MethodSource("attacks")
    void contains(ScriptAttack attack) {
        TransformFixture transformFixture = attack.getsAll() ? full : small;
        Path ordinary = transformFixture.root.resolve(ORDINARY);
        attack.files().forEach(transformFixture::write);
        Path module = transformFixture.write(attack.name() + ".js", attack.module());
        // Some do not even compile, which is as good; the compiler's own time is not the attack's.
        transformFixture.scriptRegistry.prepare(module, null);
        for (int run = 0; run < 2; run++) {
            transformFixture.clock.advance(Duration.ofMinutes(2));
            long start = System.nanoTime();
            ScriptResult result = transformFixture.run(module, "{\"a\": \"it was\", \"n\": 1}");
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(LONGEST);
            assertThat(result.toString()).doesNotContain("ESCAPED").doesNotContain("did not end in time");
            returns(transformFixture, ordinary, "as IT WAS");
            if (!attack.afterwards().isEmpty()) {
                String text = "export default () => { " + attack.afterwards() + "; return {message: 'fine'}; };";
                returns(transformFixture, transformFixture.write(attack.name() + "-after.js", text), "fine");
            }
        }
    }

    /** A first call may use up the small budget with the loading of classes. A class that an attack broke stays broken. */
    private static void returns(TransformFixture transformFixture, Path module, String message) {
        await().untilAsserted(
                        () -> assertThat(TransformFixture.fields(transformFixture.run(module, "{\"a\": \"it was\"}")))
                                .hasToString("{\"message\":\"" + message + "\"}"));
    }

    @AfterAll
    void leavesNothingBehind() {
        assertThat(opened).allSatisfy(transformFixture -> assertThat(transformFixture.scriptRegistry.kills())
                .isPositive());
        opened.forEach(TransformFixture::close);
        await().until(() -> TransformFixture.threads().isEmpty());
        await().until(() -> heap() < heapBefore + HEAP_SLACK_BYTES);
    }

    private static long heap() {
        System.gc();
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }
}
