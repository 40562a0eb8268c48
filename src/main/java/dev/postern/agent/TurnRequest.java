package dev.postern.agent;

import dev.postern.config.Settings.Agent;
import dev.postern.model.SessionId;
import dev.postern.store.UnitOfWork;
import org.jspecify.annotations.Nullable;

/**
 * One turn to take.
 *
 * @param id the run's id, or a heartbeat's
 * @param session whose past the turn continues: one of {@code agent}'s
 * @param model {@code <provider>/<model>}
 * @param tools what tools it may use
 * @param held reads whether the turn is still this node's to take
 * @param log where it is written down what the turn uses and does
 */
public record TurnRequest(
        String id,
        Agent agent,
        SessionId session,
        String model,
        @Nullable String thinking,
        PromptText message,
        ToolPermissions tools,
        UnitOfWork<Boolean> held,
        TurnRecorder log) {}
