package dev.postern.dispatch;

import dev.postern.acceptance.ClaimedRun;
import dev.postern.agent.PromptText;
import dev.postern.agent.TurnJournal;
import dev.postern.agent.TurnRecorder;
import dev.postern.approval.PausedTurn;
import dev.postern.budget.BudgetDecision;
import dev.postern.budget.TurnOrigin;
import dev.postern.config.AgentSettings.Agent;
import dev.postern.model.SessionId;
import dev.postern.model.TraceContext;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A turn of a run, as far as it was taken.
 *
 * @param origin against whose budgets it counts
 * @param begun where it counts in budgets of runs
 * @param remembered the session that holds its memory and its reply route: one of {@code agent}'s
 * @param paused the pause after which it went on; null if it began
 * @param progress its log
 * @param trace the trace context of this attempt, or of the run; null for none
 * @param exchange null if the model was not asked
 */
record TakenTurn(
        ClaimedRun run,
        TurnOrigin origin,
        BudgetDecision.Begun begun,
        Agent agent,
        SessionId remembered,
        @Nullable PausedTurn paused,
        TurnProgressLog progress,
        @Nullable TraceContext trace,
        @Nullable Exchange exchange) {

    /**
     * The exchange of a turn with its model.
     *
     * @param message the prompt
     * @param journal the model's responses and the results of its tool calls
     * @param recorder the recorder of what was used
     */
    record Exchange(PromptText message, TurnJournal journal, TurnRecorder recorder) {}

    /** The time that the turn took before it was paused. */
    Duration elapsed() {
        return paused == null ? Duration.ZERO : paused.elapsed();
    }

    /** The same turn as part of a trace; null for none. */
    TakenTurn in(@Nullable TraceContext attempt) {
        return new TakenTurn(run, origin, begun, agent, remembered, paused, progress.in(attempt), attempt, exchange);
    }

    /** The same turn in an exchange with its model. */
    TakenTurn with(Exchange own) {
        return new TakenTurn(run, origin, begun, agent, remembered, paused, progress, trace, own);
    }
}
