package dev.postern.app;

import dev.postern.budget.BudgetRegistry;
import dev.postern.budget.SpendingCounters;
import dev.postern.budget.SpendingKey;
import dev.postern.config.BudgetSettings;
import dev.postern.dispatch.BudgetWarningNotice;
import dev.postern.dispatch.Dispatcher;
import dev.postern.observe.MetricRegistry;
import dev.postern.store.Store;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** The metrics of what turns spend, and of the budgets that bound it. */
final class SpendingSupervision {

    private static final String BUDGET = "budget";
    private static final String TURN_TOKENS = "postern_turn_tokens_total";
    private static final String TURN_TOKENS_HELP = "Tokens of turns, as providers count them";

    private SpendingSupervision() {}

    /** Adds what the turns of this node have spent to {@code metricRegistry}, as soon as something is spent. */
    static void spending(SpendingCounters counters, MetricRegistry metricRegistry) {
        Set<SpendingKey> known = new HashSet<>();
        metricRegistry.beforeRead(() ->
                counters.keys().stream().filter(known::add).forEach(key -> spending(key, counters, metricRegistry)));
    }

    private static void spending(SpendingKey key, SpendingCounters counters, MetricRegistry metricRegistry) {
        Map<String, String> labels = new LinkedHashMap<>();
        labels.put("kind", key.kind());
        labels.put("hook", key.hook());
        labels.put("sender", key.sender());
        labels.put("agent", key.agent());
        labels.put("model", key.model());
        metricRegistry
                .counter(TURN_TOKENS, TURN_TOKENS_HELP, directed(labels, "input"), () -> counters.sum(key)
                        .inputTokens())
                .counter(TURN_TOKENS, TURN_TOKENS_HELP, directed(labels, "output"), () -> counters.sum(key)
                        .outputTokens())
                .counter(
                        "postern_turn_cost_total",
                        "Cost of turns at the prices of the configuration",
                        labels,
                        () -> Objects.requireNonNullElse(counters.sum(key).costMillionths(), 0L) / 1e6);
    }

    private static Map<String, String> directed(Map<String, String> labels, String direction) {
        Map<String, String> directed = new LinkedHashMap<>(labels);
        directed.put("direction", direction);
        return directed;
    }

    /** Adds the {@code budgets} to {@code metricRegistry}, of all nodes; the warnings are those of this node. */
    static void budgets(
            BudgetRegistry budgets,
            BudgetWarningNotice warnings,
            Store store,
            Dispatcher dispatcher,
            MetricRegistry metricRegistry) {
        if (budgets.all().isEmpty()) {
            return;
        }
        metricRegistry.gauge(
                "postern_runs_held_by_budgets",
                "Runs that wait for a budget",
                () -> Supervision.read(dispatcher::runsHeldByBudgets));
        for (BudgetSettings budget : budgets.all()) {
            metricRegistry
                    .gauge(
                            "postern_budget_used_ratio",
                            "Used share of the budget in its present window",
                            BUDGET,
                            budget.id(),
                            () -> Supervision.read(
                                    () -> (double) store.read(sql -> budgets.used(sql, budget)) / budget.most()))
                    .counter(
                            "postern_budget_warnings_total",
                            "Warnings that the budget is nearly spent",
                            BUDGET,
                            budget.id(),
                            () -> warnings.count(budget.id()));
        }
    }
}
