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
 * The contract of the sandbox with scripts that try to escape it or to use up the server. Each fails, twice, and an ordinary
 * script runs after it.
 */
@Tag("long")
@TestInstance(Lifecycle.PER_CLASS)
abstract class ContainmentContract {

    private static final String ORDINARY = "ordinary.ts";
    private static final Duration LONGEST = Duration.ofSeconds(20);

    /** A budget for most attacks, since there are many. */
    static final ScriptBudget SMALL = new ScriptBudget(
            Duration.ofMillis(60), ScriptBudget.RUN.wall(), ScriptBudget.RUN.bytes(), ScriptBudget.RUN.stride());

    private static final long HEAP_SLACK_BYTES = 64L * 1024 * 1024;

    private final ScriptBudget budget;
    private final List<String> files;
    private TransformFixture transformFixture;
    private long heapBefore;

    /**
     * @param budget the budget of each attack
     * @param files the files with attacks, without directory and {@code .json}
     */
    ContainmentContract(ScriptBudget budget, String... files) {
        this.budget = budget;
        this.files = List.of(files);
    }

    /**
     * @param module the module that attacks
     * @param files the files beside it, by name
     * @param afterwards a script that has to run after the attack; empty if any will do
     */
    record ScriptAttack(String name, String kind, String module, Map<String, String> files, String afterwards) {
        @Override
        public String toString() {
            return kind + " " + name;
        }
    }

    List<ScriptAttack> attacks() throws IOException {
        List<ScriptAttack> attacks = new ArrayList<>();
        for (String file : files) {
            try (InputStream in = ContainmentContract.class.getResourceAsStream("/attacks/" + file + ".json")) {
                TransformFixture.JSON
                        .readTree(Objects.requireNonNull(in))
                        .path("attacks")
                        .forEach(attack -> attacks.add(attack(attack)));
            }
        }
        return attacks;
    }

    private static ScriptAttack attack(JsonNode attack) {
        Map<String, String> files = new HashMap<>();
        attack.path("files")
                .properties()
                .forEach(file -> files.put(file.getKey(), file.getValue().asText()));
        String module = attack.has("module")
                ? attack.path("module").asText()
                : ScriptModuleConverter.module(attack.path("script").asText());
        return new ScriptAttack(
                attack.path("name").asText(),
                attack.path("kind").asText(),
                module,
                files,
                attack.path("afterwards").asText());
    }

    @BeforeAll
    void open(@TempDir Path root) {
        transformFixture = new TransformFixture(root, budget);
        String ordinary = "export default (c: any) => ({message: 'as ' + c.payload.a.toUpperCase()});";
        assertThat(transformFixture.problems(ORDINARY, ordinary)).isEmpty();
        heapBefore = heap();
    }

    @ParameterizedTest
    @MethodSource("attacks")
    void contains(ScriptAttack attack) {
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
            returns(ordinary, "as IT WAS");
            if (!attack.afterwards().isEmpty()) {
                String text = "export default () => { " + attack.afterwards() + "; return {message: 'fine'}; };";
                returns(transformFixture.write(attack.name() + "-after.js", text), "fine");
            }
        }
    }

    /** A first call may use up the small budget with the loading of classes. A class that an attack broke stays broken. */
    private void returns(Path module, String message) {
        await().untilAsserted(
                        () -> assertThat(TransformFixture.fields(transformFixture.run(module, "{\"a\": \"it was\"}")))
                                .hasToString("{\"message\":\"" + message + "\"}"));
    }

    @AfterAll
    void leavesNothingBehind() {
        assertThat(transformFixture.scriptRegistry.kills()).isPositive();
        transformFixture.close();
        await().until(() -> TransformFixture.threads().isEmpty());
        await().until(() -> heap() < heapBefore + HEAP_SLACK_BYTES);
    }

    private static long heap() {
        System.gc();
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }
}
