package dev.postern.console;

import dev.postern.budget.SpendingAmount;
import dev.postern.budget.SpendingDimension;
import dev.postern.budget.SpendingQueries;
import dev.postern.budget.SpendingQueries.DaySpending;
import dev.postern.store.StoreException;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.QueryParam;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A resource that shows what turns have spent in the last 30 days. */
@RequiresUser
public final class SpendingResource {

    private static final int DAYS = 30;

    private final SpendingQueries queries;
    private final BudgetReader budgets;

    SpendingResource(SpendingQueries queries, BudgetReader budgets) {
        this.queries = queries;
        this.budgets = budgets;
    }

    /**
     * The spending of the last 30 days in UTC, today included.
     *
     * @param by the dimension of the groups
     * @param dimensions all dimensions
     * @param groups the groups of all days, the most expensive first
     * @param days the days, the earliest first
     * @param budgets the budgets and what is used of them
     */
    record Shown(
            SpendingDimension by,
            List<SpendingDimension> dimensions,
            SpendingLine total,
            List<SpendingLine> groups,
            List<Day> days,
            List<BudgetLine> budgets) {}

    /**
     * The spending of a day.
     *
     * @param at the start of the day
     * @param groups the groups that spent anything, the most expensive first
     */
    record Day(Instant at, SpendingLine total, List<SpendingLine> groups) {

        static Day of(DaySpending day) {
            return new Day(
                    day.start(),
                    SpendingLine.total(day.spending()),
                    day.groups().stream().map(SpendingLine::of).toList());
        }
    }

    /** The spending by {@code by}; by hook if it is missing. */
    @GET
    @PageTemplate("spending")
    public Shown all(@QueryParam("by") @Nullable SpendingDimension by) throws StoreException {
        SpendingDimension dimension = by == null ? SpendingDimension.HOOK : by;
        List<DaySpending> days = queries.days(dimension, DAYS);
        SpendingAmount total =
                days.stream().map(DaySpending::spending).reduce(SpendingAmount.NONE, SpendingAmount::plus);
        return new Shown(
                dimension,
                List.of(SpendingDimension.values()),
                SpendingLine.total(total),
                SpendingQueries.total(days).stream().map(SpendingLine::of).toList(),
                days.stream().map(Day::of).toList(),
                budgets.read());
    }
}
