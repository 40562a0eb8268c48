package dev.postern.app;

import dev.postern.acceptance.AcceptanceRule;
import dev.postern.acceptance.Submission;
import dev.postern.budget.BudgetDecision.Spent;
import dev.postern.budget.BudgetRegistry;
import dev.postern.budget.TurnOrigin;
import dev.postern.config.AgentSettings;
import dev.postern.model.AllowedAction;
import dev.postern.model.HookResult;
import dev.postern.store.SqlTransaction;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The rule that no turn is accepted while a budget is spent that rejects requests. */
final class SpentBudgetRule implements AcceptanceRule {

    private final BudgetRegistry budgets;
    private final AgentSettings agents;
    private final InstantSource clock;

    private SpentBudgetRule(BudgetRegistry budgets, AgentSettings agents, InstantSource clock) {
        this.budgets = budgets;
        this.agents = agents;
        this.clock = clock;
    }

    /**
     * The rule of {@code budgets}; {@link AcceptanceRule#NONE} if none of them rejects requests.
     *
     * @param clock the time that all nodes share
     */
    static AcceptanceRule of(BudgetRegistry budgets, AgentSettings agents, InstantSource clock) {
        return budgets.isAnyRefusing() ? new SpentBudgetRule(budgets, agents, clock) : NONE;
    }

    @Override
    public @Nullable HookResult refusal(SqlTransaction sql, Submission submission) throws SQLException {
        for (AllowedAction action : submission.actions()) {
            if (action instanceof AllowedAction.Turn turn) {
                TurnOrigin origin = new TurnOrigin(
                        turn.provenance().hook(),
                        submission.sender(),
                        agents.resolve(turn.agentId()).id());
                Optional<Spent> spent = budgets.refusal(sql, origin, turn.model());
                if (spent.isPresent()) {
                    return result(spent.get());
                }
            }
        }
        return null;
    }

    private HookResult result(Spent spent) {
        // Rounded up to whole seconds, as the header has them: a request that waits for so long finds room.
        long seconds =
                Duration.between(clock.instant(), spent.until()).plusMillis(999).toSeconds();
        return new HookResult.BudgetSpent(spent.budget().id(), Duration.ofSeconds(seconds));
    }
}
