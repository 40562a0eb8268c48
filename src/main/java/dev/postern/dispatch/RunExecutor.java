package dev.postern.dispatch;

import dev.postern.acceptance.ClaimedRun;
import dev.postern.acceptance.EndedRun;
import dev.postern.acceptance.ProviderWait;
import dev.postern.agent.TurnRunner;
import dev.postern.approval.PausedTurn;
import dev.postern.budget.BudgetDecision;
import dev.postern.budget.BudgetRegistry;
import dev.postern.budget.TurnOrigin;
import dev.postern.config.AgentSettings;
import dev.postern.config.AgentSettings.Agent;
import dev.postern.config.BudgetSettings;
import dev.postern.config.BudgetSettings.WhenSpent;
import dev.postern.model.AllowedAction.Turn;
import dev.postern.model.RunState;
import dev.postern.store.SqlTransaction;
import dev.postern.store.Store;
import java.sql.SQLException;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An executor for the turns of claimed runs. It begins each turn, or lets its run wait for an operator's decision, a budget or a
 * provider.
 */
final class RunExecutor {

    private final AgentSettings agents;
    private final TurnRunner turnRunner;
    private final ProviderRetrySchedule retrySchedule;
    private final TurnRepositories tables;
    private final BudgetRegistry budgets;
    private final RunReporter runReporter;
    private final TurnPauses pauses;
    private final RunTurn.Dependencies dependencies;

    /**
     * @param delivering called when a reply was added to the outbox
     */
    RunExecutor(
            Store store,
            AgentSettings agents,
            TurnRunner turnRunner,
            ProviderRetrySchedule retrySchedule,
            TurnRepositories tables,
            RunReporter runReporter,
            InstantSource clock,
            DispatchCounters dispatchCounters,
            Runnable delivering) {
        this.agents = agents;
        this.turnRunner = turnRunner;
        this.retrySchedule = retrySchedule;
        this.tables = tables;
        this.budgets = tables.budgets();
        this.runReporter = runReporter;
        this.pauses = new TurnPauses(store, tables, clock);
        RunTurnCompletions completions = new RunTurnCompletions(
                agents.defaults().maxAttempts(),
                retrySchedule,
                tables,
                runReporter,
                pauses,
                clock,
                dispatchCounters,
                delivering);
        this.dependencies = new RunTurn.Dependencies(store, turnRunner, budgets, pauses, completions, dispatchCounters);
    }

    /**
     * The turn of {@code run}, which counts against its budgets. It begins with the first of its models whose budgets have room.
     * If none has, the run waits, or fails where the budget of its own model says so. A turn that goes on after a pause has
     * counted.
     *
     * @return empty if the turn does not begin
     */
    Optional<ClaimedTurn> begin(SqlTransaction sql, ClaimedRun run) throws SQLException {
        Turn turn = run.turn();
        if (run.isPaused() && pauses.isAwaiting(sql, run)) {
            return Optional.empty();
        }
        Optional<PausedTurn> paused = run.isPaused() ? tables.approvals().find(sql, run.id()) : Optional.empty();
        Agent agent = agentOf(turn);
        TurnOrigin origin = new TurnOrigin(turn.provenance().hook(), run.sender(), agent.id());
        List<String> models =
                new ArrayList<>(List.of(paused.map(PausedTurn::model).orElse(turn.model())));
        models.addAll(paused.isPresent() ? List.of() : fallbacks(turn));
        BudgetDecision.@Nullable Spent first = null;
        Instant until = Instant.MAX;
        for (String model : models) {
            BudgetDecision decision =
                    paused.isPresent() ? budgets.resume(sql, origin, model) : budgets.begin(sql, origin, model);
            if (decision instanceof BudgetDecision.Begun begun) {
                List<String> left = models.subList(models.indexOf(model), models.size());
                return Optional.of(new RunTurn(dependencies, run, origin, begun, agent, left, paused.orElse(null)));
            }
            BudgetDecision.Spent spent = (BudgetDecision.Spent) decision;
            first = first == null ? spent : first;
            until = spent.until().isBefore(until) ? spent.until() : until;
        }
        withhold(sql, run, Objects.requireNonNull(first), until);
        return Optional.empty();
    }

    private void withhold(SqlTransaction sql, ClaimedRun run, BudgetDecision.Spent spent, Instant until)
            throws SQLException {
        BudgetSettings budget = spent.budget();
        if (budget.whenSpent() != WhenSpent.FAIL) {
            if (tables.runs().hold(sql, run, budget.id(), until)) {
                runReporter.reportHeld(sql, run, "budget", budget.id(), until);
            }
            return;
        }
        String error = pauses.missedCalls(sql, run) + "the budget " + budget.id() + " is spent until "
                + until.truncatedTo(ChronoUnit.SECONDS);
        if (tables.runs().fail(sql, run, error)) {
            EndedRun ended =
                    new EndedRun(run.id(), RunState.FAILED, run.attempts() - 1, run.turn(), error, run.trace());
            runReporter.reportEndWithoutTurn(sql, ended);
            sql.afterCommit(() -> runReporter.notifyEnded(run.id(), RunState.FAILED));
        }
    }

    /** The wait of a {@code run} that is not to begin now, because its provider is known to be down; else empty. */
    Optional<ProviderWait> waitOf(ClaimedRun run) {
        Turn turn = run.turn();
        return turnRunner
                .admit(run.id().value(), turn.model(), fallbacks(turn))
                .flatMap(down -> retrySchedule.next(run.retries(), down));
    }

    /** The models to ask while the provider of the turn's model is down: the mapping's, else the agent's. */
    private List<String> fallbacks(Turn turn) {
        return agentOf(turn).fallbacks(turn.operatorInstructions().fallbacks(), turn.model());
    }

    private Agent agentOf(Turn turn) {
        return agents.resolve(turn.agentId());
    }
}
