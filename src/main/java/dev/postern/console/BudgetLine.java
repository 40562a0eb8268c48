package dev.postern.console;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.postern.budget.BudgetRegistry.BudgetState;
import dev.postern.config.BudgetSettings;
import dev.postern.config.BudgetSettings.Scope;
import dev.postern.config.BudgetSettings.Unit;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A line with the state of a budget.
 *
 * @param scope the turns that count against it
 * @param unit the unit of limit and use: {@code runs}, {@code inputTokens}, {@code outputTokens} or {@code cost}
 * @param used what is used in the present window; more than the limit if turns used more than was left
 * @param percent the used share of the limit, rounded down
 * @param per the length of the window
 * @param warnAtPercent the share at which the budget warns
 * @param whenSpent the treatment of turns or requests while it is spent, as settings spell it
 * @param spentUntil the time from which it has room, if nothing else is used; null if it has room
 * @param held the number of runs that wait for it
 */
record BudgetLine(
        String id,
        Scope scope,
        String unit,
        BigDecimal limit,
        BigDecimal used,
        long percent,
        Duration per,
        int warnAtPercent,
        String whenSpent,
        @Nullable Instant spentUntil,
        long held) {

    private static final int PERCENT = 100;

    static BudgetLine of(BudgetState state, long held) {
        BudgetSettings budget = state.budget();
        return new BudgetLine(
                budget.id(),
                budget.scope(),
                /* unit= */ budget.unit().wire(),
                /* limit= */ amount(budget.unit(), budget.most()),
                /* used= */ amount(budget.unit(), state.used()),
                /* percent= */ state.used() * PERCENT / budget.most(),
                /* per= */ budget.window(),
                budget.warnAtPercent(),
                /* whenSpent= */ budget.whenSpent().wire(),
                /* spentUntil= */ state.fullUntil(),
                held);
    }

    /** Whether the share is used at which the budget warns. */
    @JsonIgnore
    boolean isNearlySpent() {
        return percent >= warnAtPercent;
    }

    private static BigDecimal amount(Unit unit, long amount) {
        BigDecimal whole = BigDecimal.valueOf(amount, unit.decimalPlaces()).stripTrailingZeros();
        return whole.scale() < 0 ? whole.setScale(0) : whole;
    }
}
