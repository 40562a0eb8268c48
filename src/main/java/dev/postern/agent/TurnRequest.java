package dev.postern.agent;

import dev.postern.config.AgentSettings.Agent;
import dev.postern.model.SessionId;
import dev.postern.store.UnitOfWork;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A request to take one turn.
 *
 * @param id the id of the run or the heartbeat
 * @param session the session that the turn continues: one of {@code agent}'s
 * @param model {@code <provider>/<model>}
 * @param fallbacks the models that are asked, in this order, while the provider of {@code model} is down
 * @param fallbackAdmission decides whether a fallback may be asked
 * @param tools the tools that the turn may use
 * @param journal what the turn did before it was paused, if it was
 * @param stillHeld reads whether this node still holds the turn
 * @param recorder the recorder of what the turn uses and does
 */
public record TurnRequest(
        String id,
        Agent agent,
        SessionId session,
        String model,
        List<String> fallbacks,
        FallbackAdmission fallbackAdmission,
        @Nullable String thinking,
        PromptText message,
        ToolPermissions tools,
        TurnJournal journal,
        UnitOfWork<Boolean> stillHeld,
        TurnRecorder recorder) {

    public TurnRequest {
        fallbacks = List.copyOf(fallbacks);
    }
}
