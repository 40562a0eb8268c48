package dev.postern.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A test of the keys of providers that the command {@code import} takes. */
class ImportedProvidersTest {

    @TempDir
    Path directory;

    private ImportFixture imported;

    @BeforeEach
    void nameHome() {
        imported = new ImportFixture(directory);
    }

    @ParameterizedTest
    @CsvSource({"openai,OPENAI_API_KEY", "house,' GROQ_API_KEY'", "ollama,OLLAMA_API_KEY"})
    void takesTheNameOfAProvidersVariableForTheVariable(String id, String key) throws IOException {
        assertThat(imported.run(provider(id, key))).isZero();

        String name = key.strip();
        assertThat(imported.home.resolve("postern.yaml")).content().contains("apiKey: \"${env:" + name + "}\"");
        assertThat(imported.home.resolve("secrets/openclaw-" + id + "-apiKey")).doesNotExist();
        assertThat(imported.out()).contains("Set the environment variable " + name);
    }

    @Test
    void takesThatVariableFromTheFileItself() throws IOException {
        assertThat(imported.run("{ env: { vars: { OPENAI_API_KEY: 'inline' } }, "
                        + provider("openai", "OPENAI_API_KEY").substring(1)))
                .isZero();

        assertThat(imported.home.resolve("secrets/openclaw-OPENAI_API_KEY")).hasContent("inline\n");
    }

    @Test
    void asksWhetherAnotherSuchNameIsAVariable() throws IOException {
        assertThat(imported.run(provider("house", "HOUSE_API_KEY"))).isZero();

        assertThat(imported.out())
                .contains("models.providers.house.apiKey: differs: it is taken for the key itself;"
                        + " write ${env:NAME} if it names a variable");
        assertThat(imported.home.resolve("secrets/openclaw-house-apiKey")).hasContent("HOUSE_API_KEY\n");
    }

    private static String provider(String id, String key) {
        return "{ models: { providers: { " + id + ": { baseUrl: 'https://p.example/v1', apiKey: '" + key + "' } } } }";
    }
}
