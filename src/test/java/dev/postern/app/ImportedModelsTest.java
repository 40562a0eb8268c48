package dev.postern.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.config.AgentSettings;
import dev.postern.config.MappingSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

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

    @Test
    void keepsTheModelsOfAgentsBesideACatalogue() throws IOException {
        assertThat(imported.run("{ agents: { defaults: { model: 'cloud/a', models: { 'cloud/b': { alias: 'B' } } },"
                        + " list: [ { id: 'main', model: 'B' },"
                        + " { id: 'private', model: { primary: 'house/a', fallbacks: ['house/b'] } },"
                        + " { id: 'own', model: 'house/c', modelPolicy: { allow: ['house/d'] } } ] }" + PROVIDERS))
                .isZero();

        assertThat(agent(0).model()).isEqualTo("cloud/b");
        assertThat(agent(1).model()).isEqualTo("house/a");
        assertThat(agent(1).fallbacks()).containsExactly("house/b");
        assertThat(agent(2).model()).isEqualTo("house/c");
        assertThat(allowed()).containsExactlyInAnyOrder("cloud/b", "cloud/a", "house/a", "house/b");
    }

    @Test
    void keepsTheModelsOfMappingsBesideACatalogue() throws IOException {
        String mappings = "mappings: [ { id: 'a', match: { path: 'a' }, messageTemplate: 'm', model: 'house/a' },"
                + " { id: 'b', match: { path: 'b' }, messageTemplate: 'm', model: 'B' },"
                + " { id: 'c', match: { path: 'c' }, messageTemplate: 'm', model: 'house/{{x}}' } ]";

        assertThat(imported.run("{ agents: { defaults: { model: 'cloud/a', models: { 'cloud/b': { alias: 'B' } } } }, "
                        + ImportFixture.HOOKS + mappings + ", gmail: { model: 'house/g' } }" + PROVIDERS))
                .isZero();

        assertThat(imported.configured().settings().hooks().mappings())
                .extracting(mapping ->
                        mapping.texts().get(MappingSettings.TextField.MODEL).template())
                .containsExactly("house/a", "B", "house/{{x}}");
        assertThat(allowed()).containsExactlyInAnyOrder("cloud/b", "cloud/a", "house/a", "house/g");
    }

    @Test
    void takesAWildcardOfACatalogueForNoModel() throws IOException {
        String wildcard = "{ agents: { defaults: { model: 'cloud/a', models: {\n'house/*': { alias: 'x' }";

        assertThat(imported.run(wildcard + " } } }" + PROVIDERS)).isZero();

        assertThat(imported.configured().settings().agents().defaults().models())
                .isEmpty();
        assertThat(imported.out())
                .contains(":2: agents.defaults.models.house/*: differs: Postern has no wildcards; the models of this");
    }

    @Test
    void leavesAWildcardOutOfACatalogue() throws IOException {
        assertThat(imported.run("{ agents: { defaults: { model: 'cloud/a', models: { 'house/*': {}, 'cloud/b': {} } } }"
                        + PROVIDERS))
                .isZero();

        assertThat(allowed()).containsExactlyInAnyOrder("cloud/a", "cloud/b");
    }

    @Test
    void keepsTheModelOfAnAgentBesideAPolicyOfTheDefaults() throws IOException {
        assertThat(imported.run("{ agents: { defaults: { model: 'cloud/a', modelPolicy: { allow: ['cloud/b'] } },"
                        + " list: [ { id: 'main', model: 'cloud/b' }, { id: 'private', model: 'house/a' } ] }"
                        + PROVIDERS))
                .isZero();

        assertThat(allowed()).containsExactly("cloud/b", "cloud/a");
        assertThat(agent(0).models().orElseThrow().ids()).containsExactly("cloud/b", "cloud/a");
        assertThat(agent(1).model()).isEqualTo("house/a");
        assertThat(agent(1).models().orElseThrow().ids()).containsExactly("cloud/b", "cloud/a", "house/a");
    }

    @ParameterizedTest
    @ValueSource(strings = {"models: { 'cloud/b': {} }", "modelPolicy: { allow: ['cloud/b'] }"})
    void saysThatAnAgentMayNotNameAnyModel(String defaults) throws IOException {
        assertThat(imported.run("{ agents: { defaults: { model: 'cloud/a', " + defaults + " },"
                        + " list: [ { id: 'main' },\n{ id: 'free', model: 'house/a', modelPolicy: { allow: [] } } ] }"
                        + PROVIDERS))
                .isZero();

        assertThat(agent(1).model()).isEqualTo("house/a");
        assertThat(imported.out())
                .contains(":2: agents.list[1].modelPolicy.allow: differs: a list of models in the defaults restricts"
                        + " this agent too; write models for it");
    }

    @Test
    void saysNothingOfAPolicyThatAllowsAnyModelAsPosternDoes() throws IOException {
        assertThat(imported.run("{ agents: { defaults: { model: 'cloud/a' },"
                        + " list: [ { id: 'free', modelPolicy: { allow: [] } } ] }" + PROVIDERS))
                .isZero();

        assertThat(imported.out()).doesNotContain("modelPolicy");
    }

    private List<String> allowed() {
        return List.copyOf(imported.configured()
                .settings()
                .agents()
                .defaults()
                .models()
                .orElseThrow()
                .ids());
    }

    private AgentSettings.Agent agent(int place) {
        return imported.configured().settings().agents().list().get(place);
    }
}
