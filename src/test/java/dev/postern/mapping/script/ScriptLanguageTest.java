package dev.postern.mapping.script;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.Objects;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A test of the language as people write it: each module of {@code transforms/modules.json} gives its message. */
@Tag("long")
@TestInstance(Lifecycle.PER_CLASS)
class ScriptLanguageTest {

    private TransformFixture transformFixture;

    record ModuleCase(String name, JsonNode given) {
        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<ModuleCase> modules() throws IOException {
        try (InputStream in = ScriptLanguageTest.class.getResourceAsStream("/transforms/modules.json")) {
            JsonNode modules =
                    TransformFixture.JSON.readTree(Objects.requireNonNull(in)).path("modules");
            return StreamSupport.stream(modules.spliterator(), false)
                    .map(module -> new ModuleCase(module.path("name").asText(), module));
        }
    }

    @BeforeAll
    void open(@TempDir Path root) {
        transformFixture = new TransformFixture(root);
    }

    @ParameterizedTest
    @MethodSource("modules")
    void runs(ModuleCase module) {
        module.given()
                .path("files")
                .properties()
                .forEach(file ->
                        transformFixture.write(file.getKey(), file.getValue().asText()));
        String text = module.given().path("text").asText();
        assertThat(transformFixture.problems(module.name(), text)).isEmpty();
        assertThat(said(transformFixture.run(transformFixture.root.resolve(module.name()), "{\"a\": \"it was\"}")))
                .isEqualTo(module.given().path("message").asText());
    }

    private static String said(ScriptResult result) {
        if (result instanceof ScriptResult.Nothing) {
            return "NOTHING";
        }
        return result instanceof ScriptResult.Unchanged
                ? "UNCHANGED"
                : TransformFixture.fields(result).path("message").asText();
    }

    @AfterAll
    void close() {
        transformFixture.close();
    }
}
