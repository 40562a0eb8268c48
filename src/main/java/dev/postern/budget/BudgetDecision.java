package dev.postern.budget;

import dev.postern.config.BudgetSettings;
import java.time.Instant;

/** A decision on whether a turn may begin: exactly one of these. */
public sealed interface BudgetDecision {

    /** The decision that the turn may begin. What counts runs has counted it. */
    record Begun() implements BudgetDecision {}

    /**
     * The decision that the turn may not begin yet. Nothing was counted.
     *
     * @param budget the budget that is spent
     * @param until the time from which its window has room, if nothing else is used meanwhile
     */
    record Spent(BudgetSettings budget, Instant until) implements BudgetDecision {}
}
