package dev.postern.console;

import dev.postern.acceptance.RunQueries;
import dev.postern.budget.BudgetRegistry;
import dev.postern.store.Store;
import dev.postern.store.StoreException;
import java.util.List;
import java.util.Map;

/** A reader of the states of the budgets. */
final class BudgetReader {

    private final Store store;
    private final BudgetRegistry budgets;
    private final RunQueries runQueries;

    BudgetReader(Store store, BudgetRegistry budgets, RunQueries runQueries) {
        this.store = store;
        this.budgets = budgets;
        this.runQueries = runQueries;
    }

    /** The budgets in the order of the configuration; nothing is read if there are none. */
    List<BudgetLine> read() throws StoreException {
        if (budgets.all().isEmpty()) {
            return List.of();
        }
        Map<String, Long> held = runQueries.heldByBudget();
        return store.read(budgets::states).stream()
                .map(state ->
                        BudgetLine.of(state, held.getOrDefault(state.budget().id(), 0L)))
                .toList();
    }
}
