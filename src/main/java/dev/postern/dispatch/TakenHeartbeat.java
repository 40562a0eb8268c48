package dev.postern.dispatch;

import dev.postern.acceptance.ClaimedHeartbeat;
import dev.postern.agent.TurnRecorder;
import dev.postern.budget.BudgetDecision;
import dev.postern.config.AgentSettings.Agent;
import dev.postern.heartbeat.HeartbeatPrompt;
import dev.postern.model.EventId;
import dev.postern.model.SessionId;
import dev.postern.model.TraceContext;
import java.lang.System.Logger.Level;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A turn of a heartbeat, as far as it was taken.
 *
 * @param id the id of the turn
 * @param begun where it counts in budgets of runs, if it does already
 * @param remembered the session that holds its memory: one of {@code agent}'s
 * @param progress its log
 * @param recorder the recorder of what the turn used
 * @param trace its trace context; null for none
 * @param prompt what the model was asked; null if it was not asked
 */
record TakenHeartbeat(
        ClaimedHeartbeat beat,
        String id,
        Agent agent,
        BudgetDecision.Begun begun,
        SessionId remembered,
        TurnProgressLog progress,
        TurnRecorder recorder,
        @Nullable TraceContext trace,
        @Nullable HeartbeatPrompt prompt) {

    /** The same heartbeat with a recorder of its own, which measures time from now on. */
    TakenHeartbeat with(TurnRecorder own) {
        return new TakenHeartbeat(beat, id, agent, begun, remembered, progress, own, trace, prompt);
    }

    /** The same heartbeat, which counts against its budgets. */
    TakenHeartbeat with(BudgetDecision.Begun counted) {
        return new TakenHeartbeat(beat, id, agent, counted, remembered, progress, recorder, trace, prompt);
    }

    /** The same heartbeat with its prompt. */
    TakenHeartbeat with(HeartbeatPrompt asked) {
        return new TakenHeartbeat(beat, id, agent, begun, remembered, progress, recorder, trace, asked);
    }

    /** The same heartbeat as part of a trace; null for none. */
    TakenHeartbeat in(@Nullable TraceContext own) {
        return new TakenHeartbeat(beat, id, agent, begun, remembered, progress.in(own), recorder, own, prompt);
    }

    /** The number of events in the prompt. */
    int events() {
        return prompt == null ? 0 : prompt.events().size();
    }

    /** DEBUG for a heartbeat with standing instructions and no event, which is no news; else INFO. */
    Level level() {
        return events() == 0 ? Level.DEBUG : Level.INFO;
    }

    /** The only event in the prompt; empty if there are none or several. */
    Optional<EventId> onlyEvent() {
        return events() == 1
                ? Optional.ofNullable(prompt).map(asked -> asked.events().get(0))
                : Optional.empty();
    }
}
