package dev.postern.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests of the prices of models. */
class PricesTest {

    @TempDir
    Path home;

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "[a]|is a list",
                "{a: 1}|has an entry [a] that is a number",
                "{a: {input: 1}}|has an entry [a] that has no output",
                "{a: {output: 1}}|has an entry [a] that has no input",
                "{a: {input: -1, output: 1}}|has an entry [a] that has an input that is [-1]",
                "{a: {input: 1, output: 1e3}}|has an output that is [1e3]",
                "{a: {input: 1, output: 1000000}}|has an output that is [1000000]",
                "{a: {input: 0.0000001, output: 1}}|has an input that is [0.0000001]",
                "{a: {input: free, output: 1}}|has an input that is [free]",
                "{a: {input: true, output: 1}}|has an input that is true or false",
                "{a: {input: [1], output: 1}}|has an input that is a list",
                "{a: {input: 1, output: 1, cached: 1}}|has a member [cached]",
                "{'a b': {input: 1, output: 1}}|has an entry [a b] that is no name of a model",
            })
    void rejectsWhatIsNoPrice(String prices, String wrong) {
        ConfigurationFixture read = yaml(prices, "model: one/a");

        assertThat(read.problems()).extracting(ConfigurationProblem::setting).containsExactly("providers.one.prices");
        assertThat(read.problemLines())
                .singleElement()
                .asString()
                .startsWith("providers.one.prices [")
                .contains(":2:")
                .contains(wrong);
    }

    @Test
    void rejectsPriceOfModelThatNoTurnCanHave() {
        ConfigurationFixture read = yaml("{gtp-5: {input: 1, output: 2}}", "model: one/gpt-5, models: [one/gpt-5]");

        assertThat(read.problemLines())
                .singleElement()
                .asString()
                .contains("has a price for [gtp-5], a model that no turn can have; did you mean gpt-5?");
    }

    @Test
    void warnsOfPriceThatLooksLikeSlip() {
        ConfigurationFixture read =
                yaml("{gtp-5: {input: 1, output: 2}, other: {input: 1, output: 2}}", "model: one/gpt-5");

        assertThat(read.configured().warnings())
                .extracting(ConfigurationWarning::text)
                .containsExactly("has a price for [gtp-5], a model that no other setting names; did you mean gpt-5?");
    }

    @Test
    void namesModelsOfAllSettings() {
        Settings settings = ConfigurationFixture.yaml(
                        home,
                        """
                        providers:
                          one: {kind: openai, apiKey: k, prices: {priced: {input: 1, output: 1}}}
                        agents:
                          defaults: {model: one/a, fallbacks: [offline/b]}
                          list: [{id: main}, {id: other, models: {quick: one/c, slow: one/d}, model: quick, fallbacks: []}]
                        hooks:
                          mappings: [{match: {path: x}, template: t, model: one/e, agentId: main}]
                        """)
                .settings();

        assertThat(settings.namedModels())
                .containsExactlyInAnyOrder("one/a", "offline/b", "one/c", "one/d", "one/e", "one/priced");
    }

    @Test
    void costsMillionthsRoundedHalfUp() {
        Settings settings = yaml("{lab/a:free: {input: 0.15, output: 2.5}}", "model: one/lab/a:free")
                .settings();

        ModelPrice price = Objects.requireNonNull(settings.price("one/lab/a:free"));

        assertThat(price).isEqualTo(new ModelPrice(new BigDecimal("0.15"), new BigDecimal("2.5")));
        assertThat(price.costMillionths(1_000_000, 0)).isEqualTo(150_000);
        assertThat(price.costMillionths(10, 3)).isEqualTo(9);
        assertThat(price.costMillionths(1, 0)).isZero();
        assertThat(settings.price("one/b")).isNull();
        assertThat(settings.price("nothing")).isNull();
    }

    @Test
    void showsPricesInOneLine() {
        assertThat(yaml("{a: {input: 1, output: 2}}", "model: one/a")
                        .configured()
                        .values())
                .filteredOn(value -> value.setting().equals("providers.one.prices"))
                .extracting(ConfigurationResult.Value::value)
                .containsExactly("a: {input: 1, output: 2}");
    }

    private ConfigurationFixture yaml(String prices, String defaults) {
        return ConfigurationFixture.yaml(
                home,
                "providers:\n  one: {kind: openai, apiKey: k, prices: " + prices + "}\nagents: {defaults: {" + defaults
                        + "}}\n");
    }
}
