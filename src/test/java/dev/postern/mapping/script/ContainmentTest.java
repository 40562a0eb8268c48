package dev.postern.mapping.script;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Scripts that try to get out, or to use up the server: each comes to nothing, twice, and an ordinary one runs after it. */
@TestInstance(Lifecycle.PER_CLASS)
class ContainmentTest {

    private static final Duration LONGEST = Duration.ofSeconds(5);
    private static final long HEAP_SLACK_BYTES = 64L * 1024 * 1024;

    private Transforms transforms;
    private Path ordinary;
    private long heapBefore;

    record Attack(String name, String kind, String script) {
        @Override
        public String toString() {
            return kind + " " + name;
        }
    }

    static List<Attack> attacks() throws IOException {
        List<Attack> attacks = new ArrayList<>();
        for (String file :
                List.of("/attacks/rhino-attacks.json", "/attacks/rhino-built-ins.json", "/attacks/rhino-below.json")) {
            try (InputStream in = ContainmentTest.class.getResourceAsStream(file)) {
                for (JsonNode attack :
                        Transforms.JSON.readTree(Objects.requireNonNull(in)).path("attacks")) {
                    attacks.add(new Attack(
                            attack.path("name").asText(),
                            attack.path("kind").asText(),
                            attack.path("script").asText()));
                }
            }
        }
        return attacks;
    }

    @BeforeAll
    void open(@TempDir Path root) {
        transforms = new Transforms(root);
        ordinary = transforms.write(
                "ordinary.ts", "export default (c: any) => ({message: 'as ' + c.payload.a.toUpperCase()});");
        assertThat(transforms.scripts.prepare(ordinary, null)).isEmpty();
        heapBefore = heap();
    }

    @ParameterizedTest
    @MethodSource("attacks")
    @Timeout(60)
    void contains(Attack attack) {
        Path module = transforms.write(attack.name() + ".js", Completion.module(attack.script()));
        // Some do not even compile, which is as good; the compiler's own time is not the attack's.
        transforms.scripts.prepare(module, null);
        for (int run = 0; run < 2; run++) {
            transforms.clock.advance(Duration.ofMinutes(2));
            long start = System.nanoTime();
            ScriptResult result = transforms.run(module, "{\"a\": \"it was\", \"n\": 1}");
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(LONGEST);
            assertThat(result.toString()).doesNotContain("ESCAPED").doesNotContain("did not end in time");
            assertThat(Transforms.fields(transforms.run(ordinary, "{\"a\": \"it was\"}")))
                    .hasToString("{\"message\":\"as IT WAS\"}");
        }
    }

    @AfterAll
    void leavesNothingBehind() {
        assertThat(transforms.scripts.kills()).isPositive();
        transforms.close();
        assertThat(Transforms.threads()).isEmpty();
        await().atMost(Duration.ofSeconds(20)).until(() -> heap() < heapBefore + HEAP_SLACK_BYTES);
    }

    private static long heap() {
        System.gc();
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }
}
