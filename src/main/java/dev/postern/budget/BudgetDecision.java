package dev.postern.budget;

import dev.postern.config.BudgetSettings;
import java.time.Instant;
import java.util.List;

/** A decision on whether a turn may begin: exactly one of these. */
public sealed interface BudgetDecision {

    /**
     * The decision that the turn may begin. What counts runs has counted it.
     *
     * @param counts where it is counted
     */
    record Begun(List<RunCount> counts) implements BudgetDecision {

        public Begun {
            counts = List.copyOf(counts);
        }
    }

    /**
     * The count of a turn in a budget of runs.
     *
     * @param at the time of its use, in milliseconds since 1970
     */
    record RunCount(String budget, long at) {}

    /**
     * The decision that the turn may not begin yet. Nothing was counted.
     *
     * @param budget the budget that is spent
     * @param until the time from which its window has room, if nothing else is used meanwhile
     */
    record Spent(BudgetSettings budget, Instant until) implements BudgetDecision {}
}
