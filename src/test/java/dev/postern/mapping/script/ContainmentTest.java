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
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A test with scripts that try to escape the sandbox or to use up the server. Each fails, twice, and an ordinary script
 * runs after it.
 */
@TestInstance(Lifecycle.PER_CLASS)
class ContainmentTest {

    private static final String ORDINARY = "ordinary.ts";
    private static final Duration LONGEST = Duration.ofSeconds(20);

    /** The budget of most attacks, since there are many. */
    private static final ScriptBudget SMALL =
            new ScriptBudget(Duration.ofMillis(60), ScriptBudget.RUN.wall(), ScriptBudget.RUN.bytes());

    private static final long HEAP_SLACK_BYTES = 64L * 1024 * 1024;

    private final List<Transforms> opened = new ArrayList<>();
    private Transforms full;
    private Transforms small;
    private long heapBefore;

    /**
     * @param getsAll true if the attack gets the whole budget of a request's script
     * @param module the module that attacks
     * @param files the files beside it, by name
     * @param afterwards a script that has to run after the attack; empty if any will do
     */
    record Attack(
            boolean getsAll, String name, String kind, String module, Map<String, String> files, String afterwards) {
        @Override
        public String toString() {
            return kind + " " + name;
        }
    }

    static List<Attack> attacks() throws IOException {
        List<Attack> attacks = new ArrayList<>();
        for (String file : List.of("rhino-attacks", "rhino-built-ins", "rhino-below", "rhino-further")) {
            try (InputStream in = ContainmentTest.class.getResourceAsStream("/attacks/" + file + ".json")) {
                Transforms.JSON
                        .readTree(Objects.requireNonNull(in))
                        .path("attacks")
                        .forEach(attack -> attacks.add(attack(file.equals("rhino-attacks"), attack)));
            }
        }
        return attacks;
    }

    private static Attack attack(boolean getsAll, JsonNode attack) {
        Map<String, String> files = new HashMap<>();
        attack.path("files")
                .properties()
                .forEach(file -> files.put(file.getKey(), file.getValue().asText()));
        String module = attack.has("module")
                ? attack.path("module").asText()
                : Completion.module(attack.path("script").asText());
        return new Attack(
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

    private Transforms open(Path root, ScriptBudget budget) {
        Transforms transforms = new Transforms(root, budget);
        opened.add(transforms);
        String ordinary = "export default (c: any) => ({message: 'as ' + c.payload.a.toUpperCase()});";
        assertThat(transforms.problems(ORDINARY, ordinary)).isEmpty();
        return transforms;
    }

    @ParameterizedTest
    @MethodSource("attacks")
    void contains(Attack attack) {
        Transforms transforms = attack.getsAll() ? full : small;
        Path ordinary = transforms.root.resolve(ORDINARY);
        attack.files().forEach(transforms::write);
        Path module = transforms.write(attack.name() + ".js", attack.module());
        // Some do not even compile, which is as good; the compiler's own time is not the attack's.
        transforms.scriptRegistry.prepare(module, null);
        for (int run = 0; run < 2; run++) {
            transforms.clock.advance(Duration.ofMinutes(2));
            long start = System.nanoTime();
            ScriptResult result = transforms.run(module, "{\"a\": \"it was\", \"n\": 1}");
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(LONGEST);
            assertThat(result.toString()).doesNotContain("ESCAPED").doesNotContain("did not end in time");
            assertThat(Transforms.fields(transforms.run(ordinary, "{\"a\": \"it was\"}")))
                    .hasToString("{\"message\":\"as IT WAS\"}");
            if (!attack.afterwards().isEmpty()) {
                String after = "export default () => { " + attack.afterwards() + "; return {message: 'fine'}; };";
                assertThat(Transforms.fields(transforms.run(attack.name() + "-after.js", after, "{}")))
                        .hasToString("{\"message\":\"fine\"}");
            }
        }
    }

    @AfterAll
    void leavesNothingBehind() {
        assertThat(opened).allSatisfy(transforms -> assertThat(transforms.scriptRegistry.kills())
                .isPositive());
        opened.forEach(Transforms::close);
        await().until(() -> Transforms.threads().isEmpty());
        await().until(() -> heap() < heapBefore + HEAP_SLACK_BYTES);
    }

    private static long heap() {
        System.gc();
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }
}
