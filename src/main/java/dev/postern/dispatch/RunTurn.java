package dev.postern.dispatch;

import dev.postern.acceptance.ClaimedRun;
import dev.postern.acceptance.RequestItem;
import dev.postern.agent.PromptText;
import dev.postern.agent.ToolPermissions;
import dev.postern.agent.TurnCancellation;
import dev.postern.agent.TurnJournal;
import dev.postern.agent.TurnRecorder;
import dev.postern.agent.TurnRequest;
import dev.postern.agent.TurnResult;
import dev.postern.agent.TurnRunner;
import dev.postern.approval.PausedTurn;
import dev.postern.budget.BudgetDecision;
import dev.postern.budget.BudgetRegistry;
import dev.postern.budget.TurnOrigin;
import dev.postern.config.AgentSettings.Agent;
import dev.postern.heartbeat.ItemPrompt;
import dev.postern.model.AllowedAction.Turn;
import dev.postern.model.SessionId;
import dev.postern.observe.TraceSpan;
import dev.postern.store.Store;
import dev.postern.store.StoreException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The turn of a claimed run: one that begins, or one that goes on after a pause. */
final class RunTurn implements ClaimedTurn {

    /** The time limit of a turn that goes on although its time was used up before it was paused, unless its own is shorter. */
    private static final Duration SHORTEST_PART = Duration.ofSeconds(10);

    private final Dependencies dependencies;
    private final ClaimedRun run;
    private final Turn turn;
    private final Agent agent;
    private final List<String> models;
    private TakenTurn taken;

    /** The dependencies of the turns of all runs. */
    record Dependencies(
            Store store,
            TurnRunner turnRunner,
            BudgetRegistry budgets,
            TurnPauses pauses,
            RunTurnCompletions completions,
            DispatchCounters dispatchCounters) {}

    /**
     * @param begun where it counts in budgets of runs
     * @param agent the agent that takes the turn
     * @param models the model that is asked first, and its fallbacks
     * @param paused the turn that goes on; null for one that begins
     */
    RunTurn(
            Dependencies dependencies,
            ClaimedRun run,
            TurnOrigin origin,
            BudgetDecision.Begun begun,
            Agent agent,
            List<String> models,
            @Nullable PausedTurn paused) {
        this.dependencies = dependencies;
        this.run = run;
        this.turn = run.turn();
        this.agent = agent;
        this.models = List.copyOf(models);
        TurnProgressLog progress =
                TurnProgressLog.of(run.id().value(), "hook " + turn.provenance().hook(), agent, models.get(0));
        SessionId remembered = SessionId.of(agent.id(), turn.sessionKey());
        this.taken = new TakenTurn(run, origin, begun, agent, remembered, paused, progress, run.trace(), null);
    }

    @Override
    public String id() {
        return run.id().value();
    }

    @Override
    public SessionId session() {
        return run.session();
    }

    @Override
    public Duration timeout() {
        Duration left = turn.timeout().minus(taken.elapsed());
        Duration least = Collections.min(List.of(turn.timeout(), SHORTEST_PART));
        return Collections.max(List.of(left, least));
    }

    @Override
    public TurnResult take(TurnCancellation turnCancellation) {
        try (TraceSpan span = TraceSpan.continuing(run.trace(), "run")) {
            taken = taken.in(span.context());
            span.set("postern.run.id", id())
                    .set("postern.run.attempt", (long) run.attempts())
                    .set("postern.hook", turn.provenance().hook())
                    .set("postern.agent.id", agent.id());
            TurnResult outcome = ask(turnCancellation);
            outcome.describe(span);
            return outcome;
        }
    }

    private TurnResult ask(TurnCancellation turnCancellation) {
        ToolPermissions tools = ToolPermissions.of(
                agent.tools(),
                turn.operatorInstructions().tools(),
                turn.operatorInstructions().approve());
        PromptText message;
        TurnJournal journal;
        try {
            message = prompt();
            journal = dependencies.pauses().journal(run, taken.paused(), tools, turnCancellation);
        } catch (StoreException e) {
            return new TurnResult.NotStarted("a database that could not be read");
        }
        taken.progress().begins(Level.INFO, run.attempts() > 1 ? ", attempt " + run.attempts() : "");
        TurnRecorder recorder = new TurnRecorder();
        taken = taken.with(new TakenTurn.Exchange(message, journal, recorder));
        if (!models.get(0).equals(turn.model())) {
            recorder.recordFallback(models.get(0));
        }
        try {
            return dependencies
                    .turnRunner()
                    .take(
                            new TurnRequest(
                                    id(),
                                    agent,
                                    /* session= */ taken.remembered(),
                                    /* model= */ models.get(0),
                                    /* fallbacks= */ models.subList(1, models.size()),
                                    /* fallbackAdmission= */ new BudgetedFallbacks(
                                            dependencies.budgets(), taken.origin(), recorder),
                                    turn.thinking(),
                                    message,
                                    tools,
                                    journal,
                                    /* stillHeld= */ run::isHeld,
                                    recorder),
                            turnCancellation);
        } finally {
            dependencies.dispatchCounters().used(recorder);
        }
    }

    /** The message, or the texts of all requests that became the run, behind the operator's instructions. */
    private PromptText prompt() throws StoreException {
        @Nullable String instructions = turn.operatorInstructions().instructions();
        List<RequestItem> items =
                run.items() == 1 ? List.of() : dependencies.store().read(run::readItems);
        if (items.isEmpty()) {
            return PromptText.of(turn.provenance(), turn.message(), instructions);
        }
        PromptText.Builder text = new PromptText.Builder();
        if (instructions != null) {
            text.addOperatorText(instructions);
        }
        return ItemPrompt.add(text, turn.provenance(), run.items(), items).build();
    }

    @Override
    public TurnCompletion end(TurnResult outcome) {
        return dependencies.completions().of(taken, outcome);
    }

    @Override
    public TurnCompletion failOnly(String reason) {
        return dependencies.completions().failOnly(run, reason);
    }

    @Override
    public TurnCompletion giveBack() {
        return dependencies.completions().giveBack(taken);
    }
}
