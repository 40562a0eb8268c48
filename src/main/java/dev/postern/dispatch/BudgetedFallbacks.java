package dev.postern.dispatch;

import dev.postern.agent.FallbackAdmission;
import dev.postern.agent.TurnRecorder;
import dev.postern.budget.BudgetDecision;
import dev.postern.budget.BudgetRegistry;
import dev.postern.budget.TurnOrigin;
import dev.postern.store.SqlTransaction;
import java.sql.SQLException;
import java.util.List;

/** An admission of the fallbacks whose budgets have room. The turn's record tells of the others. */
record BudgetedFallbacks(BudgetRegistry budgets, TurnOrigin origin, TurnRecorder recorder)
        implements FallbackAdmission {

    @Override
    public boolean admit(SqlTransaction sql, String fallback, List<String> asked) throws SQLException {
        if (budgets.beginFallback(sql, origin, fallback, asked) instanceof BudgetDecision.Spent spent) {
            recorder.addNote("The fallback " + fallback + " was not asked: the budget "
                    + spent.budget().id() + " is spent.");
            return false;
        }
        return true;
    }
}
