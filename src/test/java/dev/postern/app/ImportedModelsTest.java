package dev.postern.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.config.AgentSettings;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A test of the models that the command {@code import} leaves to agents and mappings. */
class ImportedModelsTest {

    private static final String PROVIDERS = ", models: { providers: {"
            + " house: { baseUrl: 'http://127.0.0.1:9/v1', apiKey: 'house-key' },"
            + " cloud: { baseUrl: 'https://cloud.example/v1', apiKey: 'cloud-key' } } } }";

    @TempDir
    Path directory;

    private ImportFixture imported;

    @BeforeEach
    void nameHome() {
        imported = new ImportFixture(directory);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "model: { primary: 'house/a', fallbacks: [] }",
                "model: { primary: 'house/a', fallbacks: ['none/b'] }",
                "model: { primary: 'house/a', fallbacks: ['house/no id'] }",
                "model: { primary: 'house/a', fallbacks: 'house/b' }",
                "model: { primary: 'house/a' }",
                "model: 'house/a'",
                "model: 'none/a'",
                "modelPolicy: { allow: ['house/a'] }"
            })
    void asksNoOtherProviderForAnAgentWithAModelOfItsOwn(String model) throws IOException {
        assertThat(imported.run("{ agents: { defaults: { model: { primary: 'cloud/a', fallbacks: ['cloud/b'] } },"
                        + " list: [ { id: 'main' }, { id: 'private', " + model + " } ] }" + PROVIDERS))
                .isZero();

        assertThat(agent(0).fallbacks()).containsExactly("cloud/b");
        assertThat(agent(1).fallbacks()).isEmpty();
    }

    @Test
    void saysThatEarlierVersionsAskedTheFallbacksOfTheDefaults() throws IOException {
        assertThat(imported.run("{ agents: { defaults: { model: { primary: 'cloud/a', fallbacks: ['cloud/b'] } },"
                        + " list: [ { id: 'main' },\n{ id: 'text', model: 'house/a' },\n"
                        + "{ id: 'map', model: { primary: 'house/a' } },\n"
                        + "{ id: 'none', model: { primary: 'house/a', fallbacks: [] } } ] }" + PROVIDERS))
                .isZero();

        String note = ": differs: it has no fallbacks; earlier versions of OpenClaw asked those of the defaults";
        assertThat(imported.out())
                .contains(":2: agents.list[1].model" + note, ":3: agents.list[2].model.primary" + note)
                .doesNotContain("agents.list[3]");
    }

    @Test
    void writesNoFallbacksWhereThereAreNoneToInherit() throws IOException {
        assertThat(imported.run("{ agents: { defaults: { model: 'cloud/a' }, list: [ { id: 'a', model: 'house/a' } ] }"
                        + PROVIDERS))
                .isZero();

        assertThat(imported.home.resolve("postern.yaml")).content().doesNotContain("fallbacks");
    }

    private AgentSettings.Agent agent(int place) {
        return imported.configured().settings().agents().list().get(place);
    }
}
