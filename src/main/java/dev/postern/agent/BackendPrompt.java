package dev.postern.agent;

import dev.postern.model.SessionKey;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Everything a backend needs for one turn.
 *
 * @param turnId the run's id, or a heartbeat's
 * @param workspace the agent's directory, absolute; may not exist
 * @param model {@code <provider>/<model>}
 * @param thinking null for the model's own default
 * @param instructions the workspace's {@code AGENTS.md}; empty when there is none
 * @param history what was said before in this session, oldest first
 * @param log where the backend writes down what the turn uses and does
 */
public record BackendPrompt(
        String turnId,
        String agentId,
        SessionKey sessionKey,
        Path workspace,
        String model,
        @Nullable String thinking,
        String instructions,
        List<TranscriptRepository.Line> history,
        PromptText message,
        ToolPermissions tools,
        TurnRecorder log) {

    public BackendPrompt {
        history = List.copyOf(history);
    }
}
