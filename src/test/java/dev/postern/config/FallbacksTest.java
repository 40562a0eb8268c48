package dev.postern.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests of the settings for providers that are down. */
class FallbacksTest {

    private static final String PROVIDERS =
            "\nproviders: {one: {kind: openai, apiKey: k1}, two: {kind: openai, apiKey: k2}}\n";

    @TempDir
    Path home;

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{defaults: {model: one/a, fallbacks: [b]}}|agents.defaults.fallbacks|is no model id",
                "{defaults: {model: one/a, fallbacks: [tow/b]}}|agents.defaults.fallbacks|there is no provider tow",
                "{defaults: {model: one/a, models: [one/a], fallbacks: [two/b]}}|agents.defaults.fallbacks|not among the models",
                "{defaults: {model: one/a}, list: [{id: x, fallbacks: [three/b]}]}|agents.list[0].fallbacks|there is no provider",
                "{defaults: {model: one/a, fallbacks: [two/b]}, list: [{id: x, models: [one/a]}]}|agents.list[0].fallbacks|the inherited two/b",
                "{defaults: {model: one/a, retryFor: 6}}|agents.defaults.retryFor|6",
                "{defaults: {model: one/a, maxTokensPerTurn: 0}}|agents.defaults.maxTokensPerTurn|0",
            })
    void rejectsWhatCannotBeAsked(String agents, String setting, String wrong) {
        ConfigurationFixture read = yaml("agents: " + agents);

        assertThat(read.problems()).extracting(ConfigurationProblem::setting).containsExactly(setting);
        assertThat(read.problemLines()).singleElement().asString().contains(wrong);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "[three/b]|there is no provider three",
                "[two/c]|which is not among the models of the agent main",
            })
    void rejectsFallbacksOfMappings(String fallbacks, String wrong) {
        ConfigurationFixture read =
                yaml(mapping(fallbacks) + "agents: {defaults: {model: one/a, models: [one/a, two/b, three/b]}}");

        assertThat(read.problems())
                .extracting(ConfigurationProblem::setting)
                .containsExactly("hooks.mappings[0].fallbacks");
        assertThat(read.problemLines()).singleElement().asString().contains(wrong);
    }

    @Test
    void warnsOfTheSameProvider() {
        assertThat(yaml("agents: {defaults: {model: one/a, fallbacks: [one/b]}}")
                        .warnings())
                .singleElement()
                .asString()
                .contains("names [one/b], whose provider is that of the model one/a; it is down at the same time");
    }

    @Test
    void inheritsFromTheDefaults() {
        AgentSettings agents = yaml("agents: {defaults: {model: one/a, models: {fast: two/b, slow: one/a},"
                        + " fallbacks: [fast], retryFor: 90m, maxTokensPerTurn: 5000},"
                        + " list: [{id: x}, {id: y, fallbacks: [], maxTokensPerTurn: 7}]}")
                .settings()
                .agents();

        assertThat(agents.defaults().retryFor()).isEqualTo(Duration.ofMinutes(90));
        assertThat(agents.resolve("x").fallbacks()).containsExactly("two/b");
        assertThat(agents.resolve("x").maxTokensPerTurn()).isEqualTo(5_000);
        assertThat(agents.resolve("y").fallbacks()).isEmpty();
        assertThat(agents.resolve("y").maxTokensPerTurn()).isEqualTo(7);
    }

    @Test
    void givesMappingsTheirOwn() {
        Settings settings =
                yaml(mapping("[two/b]") + "agents: {defaults: {model: one/a}}").settings();

        assertThat(settings.hooks().mappings().get(0).turn().fallbacks()).isEqualTo(Optional.of(List.of("two/b")));
    }

    @Test
    void waitsSixHoursByDefault() {
        assertThat(yaml("agents: {defaults: {model: one/a}}")
                        .settings()
                        .agents()
                        .defaults()
                        .retryFor())
                .isEqualTo(Duration.ofHours(6));
    }

    private static String mapping(String fallbacks) {
        return "hooks: {enabled: true, token: " + ConfigurationFixture.TOKEN
                + ", mappings: [{match: {path: ci}, messageTemplate: hello, fallbacks: " + fallbacks + "}]}\n";
    }

    private ConfigurationFixture yaml(String yaml) {
        return ConfigurationFixture.yaml(home, yaml + PROVIDERS);
    }
}
