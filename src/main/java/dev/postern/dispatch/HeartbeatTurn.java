package dev.postern.dispatch;

import dev.postern.acceptance.ClaimedHeartbeat;
import dev.postern.acceptance.EventRepository;
import dev.postern.acceptance.WaitingEvent;
import dev.postern.agent.ToolApprovals;
import dev.postern.agent.ToolPermissions;
import dev.postern.agent.TurnCancellation;
import dev.postern.agent.TurnJournal;
import dev.postern.agent.TurnRecorder;
import dev.postern.agent.TurnRequest;
import dev.postern.agent.TurnResult;
import dev.postern.agent.TurnResult.ProviderDown;
import dev.postern.agent.TurnRunner;
import dev.postern.agent.WorkspaceFiles;
import dev.postern.budget.BudgetDecision;
import dev.postern.budget.BudgetRegistry;
import dev.postern.budget.TurnOrigin;
import dev.postern.config.AgentSettings;
import dev.postern.config.AgentSettings.Agent;
import dev.postern.heartbeat.HeartbeatPrompt;
import dev.postern.model.IdGenerator;
import dev.postern.model.SessionId;
import dev.postern.model.TraceContext;
import dev.postern.observe.TraceSpan;
import dev.postern.store.Store;
import dev.postern.store.StoreException;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The turn of a claimed heartbeat. It counts against its budgets once it has something to ask, and a provider that is not known to
 * be down. If a budget has no room, the heartbeat waits, and looks again from time to time, in case the budget was changed.
 */
final class HeartbeatTurn implements ClaimedTurn {

    private static final Logger LOG = System.getLogger(HeartbeatTurn.class.getName());

    private final Dependencies dependencies;
    private final ClaimedHeartbeat beat;
    private final String id;
    private final Agent agent;
    private TakenHeartbeat taken;
    private BudgetDecision.@Nullable Spent spent;

    /**
     * The dependencies of the turns of all heartbeats.
     *
     * @param timeout the time limit of a turn
     */
    record Dependencies(
            Store store,
            AgentSettings agents,
            IdGenerator idGenerator,
            TurnRunner turnRunner,
            BudgetRegistry budgets,
            EventRepository events,
            HeartbeatTurnCompletions completions,
            DispatchCounters dispatchCounters,
            Duration timeout) {

        /** The turn of {@code beat}, with a new id. */
        HeartbeatTurn turnOf(ClaimedHeartbeat beat) {
            return new HeartbeatTurn(this, beat, idGenerator.of("beat"), agents.resolve(beat.agentId()));
        }
    }

    private HeartbeatTurn(Dependencies dependencies, ClaimedHeartbeat beat, String id, Agent agent) {
        this.dependencies = dependencies;
        this.beat = beat;
        this.id = id;
        this.agent = agent;
        SessionId remembered = SessionId.of(agent.id(), beat.session().key());
        TurnProgressLog progress = TurnProgressLog.of(id, "a heartbeat", agent, agent.model());
        BudgetDecision.Begun uncounted = new BudgetDecision.Begun(List.of());
        this.taken =
                new TakenHeartbeat(beat, id, agent, uncounted, remembered, progress, new TurnRecorder(), null, null);
    }

    @Override
    public String id() {
        return id;
    }

    @Override
    public SessionId session() {
        return beat.session();
    }

    @Override
    public Duration timeout() {
        return dependencies.timeout();
    }

    private Optional<HeartbeatPrompt> promptOf(List<WaitingEvent> waiting) throws IOException {
        return HeartbeatPrompt.of(new WorkspaceFiles(agent.workspace()).heartbeat(), waiting);
    }

    @Override
    public TurnResult take(TurnCancellation turnCancellation) {
        taken = taken.with(new TurnRecorder());
        try {
            List<WaitingEvent> waiting = HeartbeatPrompt.firstAfter(
                    beat.failures(), dependencies.store().read(sql -> dependencies
                            .events()
                            .waiting(sql, beat.agentId(), HeartbeatPrompt.MAX_EVENTS)));
            Optional<HeartbeatPrompt> prompt = promptOf(waiting);
            if (prompt.isEmpty()) {
                return new TurnResult.Replied("");
            }
            taken = taken.with(prompt.get());
            Optional<ProviderDown> down = dependencies.turnRunner().admit(id, agent.model(), agent.fallbacks());
            if (down.isPresent()) {
                return down.get();
            }
            Optional<TurnResult> obstacle = begin();
            if (obstacle.isPresent()) {
                return obstacle.get();
            }
            return ask(prompt.get(), causes(prompt.get(), waiting), turnCancellation);
        } catch (IOException e) {
            LOG.log(Level.WARNING, "Heartbeat of {0}: HEARTBEAT.md cannot be read: {1}", beat.agentId(), e);
            return new TurnResult.Failed("HEARTBEAT.md cannot be read");
        } catch (StoreException e) {
            return new TurnResult.NotStarted("a database that could not be read");
        }
    }

    /** Counts this turn against its budgets, if there are any; returns the reason why it may not begin. */
    private Optional<TurnResult> begin() throws StoreException {
        BudgetRegistry budgets = dependencies.budgets();
        if (budgets.all().isEmpty()) {
            return Optional.empty();
        }
        Optional<BudgetDecision> decision = dependencies
                .store()
                .writeAndWait(sql -> beat.isHeld(sql)
                        ? Optional.of(budgets.begin(sql, TurnOrigin.heartbeat(agent.id()), agent.model()))
                        : Optional.empty());
        if (decision.isEmpty()) {
            return Optional.of(new TurnResult.NotStarted("another node that took over"));
        }
        if (decision.get() instanceof BudgetDecision.Spent full) {
            spent = full;
            return Optional.of(new TurnResult.NotStarted("a budget that is spent"));
        }
        taken = taken.with((BudgetDecision.Begun) decision.get());
        return Optional.empty();
    }

    private TurnResult ask(HeartbeatPrompt prompt, List<TraceContext> causes, TurnCancellation turnCancellation) {
        try (TraceSpan span = TraceSpan.linkedTo(causes, "heartbeat")) {
            taken = taken.in(span.context());
            span.set("postern.heartbeat.id", id)
                    .set("postern.agent.id", agent.id())
                    .set("postern.events", (long) taken.events());
            taken.progress().begins(taken.level(), ", events " + taken.events());
            ToolPermissions tools = ToolPermissions.of(agent.tools(), Optional.empty(), List.of());
            TurnResult outcome = dependencies
                    .turnRunner()
                    .take(
                            new TurnRequest(
                                    id,
                                    agent,
                                    /* session= */ taken.remembered(),
                                    agent.model(),
                                    agent.fallbacks(),
                                    /* fallbackAdmission= */ new BudgetedFallbacks(
                                            dependencies.budgets(), TurnOrigin.heartbeat(agent.id()), taken.recorder()),
                                    agent.thinking(),
                                    /* message= */ prompt.text(),
                                    tools,
                                    /* journal= */ TurnJournal.of(ToolApprovals.UNAVAILABLE),
                                    /* stillHeld= */ beat::isHeld,
                                    taken.recorder()),
                            turnCancellation);
            outcome.describe(span);
            return outcome;
        } finally {
            dependencies.dispatchCounters().used(taken.recorder());
        }
    }

    /** The trace contexts of the events that this heartbeat takes. */
    private static List<TraceContext> causes(HeartbeatPrompt prompt, List<WaitingEvent> waiting) {
        return waiting.stream()
                .filter(event -> prompt.events().contains(event.id()))
                .map(WaitingEvent::trace)
                .filter(Objects::nonNull)
                .toList();
    }

    @Override
    public TurnCompletion end(TurnResult outcome) {
        return spent == null
                ? dependencies.completions().of(taken, outcome)
                : dependencies.completions().held(beat, spent);
    }

    @Override
    public TurnCompletion failOnly(String reason) {
        return dependencies.completions().failOnly(beat, reason);
    }

    @Override
    public TurnCompletion giveBack() {
        return dependencies.completions().giveBack(beat);
    }
}
