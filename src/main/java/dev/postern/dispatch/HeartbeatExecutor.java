package dev.postern.dispatch;

import dev.postern.acceptance.ClaimedHeartbeat;
import dev.postern.acceptance.SkippedHeartbeat;
import dev.postern.agent.TurnRunner;
import dev.postern.budget.BudgetDecision;
import dev.postern.budget.TurnOrigin;
import dev.postern.config.AgentSettings;
import dev.postern.config.AgentSettings.Agent;
import dev.postern.model.IdGenerator;
import dev.postern.store.SqlTransaction;
import dev.postern.store.Store;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/** An executor for the turns of claimed heartbeats. It begins each turn, or lets the heartbeat wait for a budget. */
final class HeartbeatExecutor {

    private static final Duration LONGEST_HOLD = Duration.ofMinutes(10);

    private final AgentSettings agents;
    private final TurnRepositories tables;
    private final InstantSource clock;
    private final IdGenerator idGenerator;
    private final HeartbeatClaimer heartbeatClaimer;
    private final HeartbeatTurnCompletions completions;
    private final HeartbeatTurn.Dependencies dependencies;

    /**
     * @param delivering called when a reply was added to the outbox
     */
    HeartbeatExecutor(
            Store store,
            AgentSettings agents,
            TurnRunner turnRunner,
            TurnRepositories tables,
            InstantSource clock,
            IdGenerator idGenerator,
            DispatchCounters dispatchCounters,
            HeartbeatClaimer heartbeatClaimer,
            Runnable delivering) {
        this.agents = agents;
        this.tables = tables;
        this.clock = clock;
        this.idGenerator = idGenerator;
        this.heartbeatClaimer = heartbeatClaimer;
        Duration timeout = agents.defaults().timeout();
        this.completions = new HeartbeatTurnCompletions(tables, clock, dispatchCounters, timeout, delivering);
        this.dependencies = new HeartbeatTurn.Dependencies(
                store, turnRunner, tables.budgets(), tables.events(), completions, dispatchCounters, timeout);
    }

    /**
     * The turn of {@code beat}, which counts against its budgets. Empty if one has no room: then the heartbeat waits, and looks
     * again from time to time, in case the budget was changed. A heartbeat that has nothing to ask counts nowhere, and ends.
     */
    Optional<ClaimedTurn> begin(SqlTransaction sql, ClaimedHeartbeat beat) throws SQLException {
        Agent agent = agents.resolve(beat.agentId());
        HeartbeatTurn turn = new HeartbeatTurn(dependencies, beat, idGenerator.of("beat"), agent);
        if (tables.budgets().all().isEmpty()) {
            return Optional.of(turn);
        }
        if (turn.asksNothing(sql)) {
            completions.finishEmpty(sql, beat);
            return Optional.empty();
        }
        BudgetDecision decision = tables.budgets().begin(sql, TurnOrigin.heartbeat(agent.id()), agent.model());
        if (decision instanceof BudgetDecision.Spent spent) {
            Instant now = clock.instant();
            Instant until = Collections.min(List.of(spent.until(), now.plus(LONGEST_HOLD)));
            tables.heartbeats().release(sql, beat, beat.askedFor() ? until : null);
            heartbeatClaimer.hold(agent.id(), Duration.between(now, until));
            new SkippedHeartbeat(now, "held by the budget " + spent.budget().id()).note(sql, beat);
            return Optional.empty();
        }
        return Optional.of(turn);
    }
}
