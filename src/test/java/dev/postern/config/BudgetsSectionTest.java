package dev.postern.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.config.BudgetSettings.Scope;
import dev.postern.config.BudgetSettings.Unit;
import dev.postern.config.BudgetSettings.WhenSpent;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests of the section {@code budgets}. */
class BudgetsSectionTest {

    @TempDir
    Path home;

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{per: 1h}|budgets.b.runs|is missing, and so are inputTokens, outputTokens and cost",
                "{runs: 1}|budgets.b.per|is missing",
                "{runs: 1, cost: 2, per: 1h}|budgets.b.cost|is given beside runs",
                "{runs: 0, per: 1h}|budgets.b.runs|is [0]",
                "{cost: 0, per: 1h}|budgets.b.cost|is 0, so that no turn could begin",
                "{cost: -1, per: 1h}|budgets.b.cost|[-1]",
                "{cost: 1, per: 1h, for: {provider: lab}}|budgets.b.cost|is never reached, since no model that counts has",
                "{cost: 1, per: 1h, for: {model: paid/b}}|budgets.b.cost|is never reached, since no model that counts has",
                "{runs: 1, per: 500ms}|budgets.b.per|is [500ms]",
                "{runs: 1, per: 401d}|budgets.b.per|is [401d]",
                "{runs: 1, per: 1h, whenSpent: wait}|budgets.b.whenSpent|is [wait]",
                "{runs: 1, per: 1h, warnAt: 0%}|budgets.b.warnAt|is [0%]",
                "{runs: 1, per: 1h, warnAt: 80}|budgets.b.warnAt|is [80]",
                "{runs: 1, per: 1h, for: {hook: gitlab}}|budgets.b.for.hook|is [gitlab], which is no hook",
                "{runs: 1, per: 1h, for: {hook: wake}}|budgets.b.for.hook|is [wake], whose requests begin no turn",
                "{runs: 1, per: 1h, for: {sender: cj}}|budgets.b.for.sender|is [cj], which is no sender; did you mean ci?",
                "{runs: 1, per: 1h, for: {agent: ops}}|budgets.b.for.agent|is [ops], which is no agent",
                "{runs: 1, per: 1h, for: {provider: labs}}|budgets.b.for.provider|is [labs], which is no provider; did you mean lab?",
                "{runs: 1, per: 1h, for: {model: labs/a}}|budgets.b.for.model|is [labs/a], whose provider is not configured",
                "{runs: 1, per: 1h, for: {model: a}}|budgets.b.for.model|is [a]",
                "{runs: 1, per: 1h, for: {session: a}}|budgets.b.for.session|",
                "{turns: 1, per: 1h}|budgets.b.turns|",
            })
    void namesWhatIsWrong(String budget, String setting, String wrong) {
        ConfigurationFixture read = yaml(budget);

        assertThat(read.problems()).extracting(ConfigurationProblem::setting).contains(setting);
        assertThat(read.problemLines()).anySatisfy(line -> assertThat(line)
                .startsWith(setting + " [")
                .contains("postern.yaml:")
                .contains(wrong == null ? "" : wrong));
    }

    @Test
    void readsBudgetWithAllSettings() {
        BudgetSettings budget =
                yaml("{for: {hook: github, sender: ci, agent: main, model: paid/a, provider: paid}, cost: 0.25, per: 30d,"
                                + " whenSpent: refuse, warnAt: 50%}")
                        .settings()
                        .budgets()
                        .get("b");

        assertThat(budget)
                .isEqualTo(new BudgetSettings(
                        "b",
                        new Scope("github", "ci", "main", "paid/a", "paid"),
                        Unit.COST,
                        250_000,
                        Duration.ofDays(30),
                        WhenSpent.REFUSE,
                        50));
    }

    @Test
    void holdsTurnsAndWarnsAtFourFifthsIfNothingElseIsSaid() {
        BudgetSettings budget = yaml("{runs: 1, per: 1s}").settings().budgets().get("b");

        assertThat(budget)
                .isEqualTo(new BudgetSettings(
                        "b",
                        new Scope(null, null, null, null, null),
                        Unit.RUNS,
                        1,
                        Duration.ofSeconds(1),
                        WhenSpent.HOLD,
                        80));
    }

    private ConfigurationFixture yaml(String budget) {
        return ConfigurationFixture.yaml(
                home,
                """
                hooks:
                  enabled: true
                  token: a-token-that-is-long-enough-01
                  mappings: [{match: {path: github}, template: t}]
                senders: {ci: {token: a-token-that-is-long-enough-02, hooks: [github]}}
                providers:
                  lab: {kind: offline}
                  paid: {kind: openai, apiKey: k, prices: {a: {input: 1, output: 1}}}
                agents: {defaults: {model: lab/a}}
                budgets: {b: %s}
                """
                        .formatted(budget));
    }
}
