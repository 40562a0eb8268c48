package dev.postern.console;

import dev.postern.budget.SpendingAmount;
import dev.postern.budget.SpendingQueries.GroupSpending;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/**
 * A line with what a group of turns has spent.
 *
 * @param name the hook, sender, agent, provider or model; null for turns that have none, or one that is not configured
 * @param heartbeats true for heartbeats, which no hook has asked for; null for any other line
 * @param cost in the operator's currency; null if nothing had a price
 */
record SpendingLine(
        @Nullable String name,
        @Nullable Boolean heartbeats,
        long turns,
        long inputTokens,
        long outputTokens,
        @Nullable BigDecimal cost) {

    static SpendingLine of(GroupSpending spent) {
        String name = spent.group().name();
        return of(name.isEmpty() ? null : name, spent.group().heartbeats() ? true : null, spent.spending());
    }

    /** The line of all turns together. */
    static SpendingLine total(SpendingAmount spent) {
        return of(null, null, spent);
    }

    private static SpendingLine of(@Nullable String name, @Nullable Boolean heartbeats, SpendingAmount spent) {
        return new SpendingLine(
                name, heartbeats, spent.turns(), spent.inputTokens(), spent.outputTokens(), spent.cost());
    }
}
