package dev.postern.agent;

import dev.postern.model.SessionKey;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The prompt of one turn, with everything that a backend needs.
 *
 * @param turnId the id of the run or the heartbeat
 * @param workspace the agent's directory, absolute; may not exist
 * @param model {@code <provider>/<model>}
 * @param thinking the thinking level; null for the model's default
 * @param instructions the workspace's {@code AGENTS.md}; empty if there is none
 * @param history the session's earlier lines, oldest first
 * @param recorder the recorder of what the turn uses and does
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
        TurnRecorder recorder) {

    public BackendPrompt {
        history = List.copyOf(history);
    }
}
