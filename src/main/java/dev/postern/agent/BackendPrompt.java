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
 * @param journal what the turn did before it was paused, if it was
 * @param maxTokens the most tokens of the turn before its model may call no more tools; null for no limit
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
        TurnJournal journal,
        @Nullable Integer maxTokens,
        TurnRecorder recorder) {

    public BackendPrompt {
        history = List.copyOf(history);
    }

    /** The same prompt for another model. */
    BackendPrompt withModel(String other) {
        return with(other, thinking);
    }

    /** The same prompt, at the model's default where its level is none of {@code levels}. */
    public BackendPrompt thinkingOn(List<String> levels) {
        return thinking == null || levels.contains(thinking) ? this : with(model, null);
    }

    private BackendPrompt with(String otherModel, @Nullable String level) {
        return new BackendPrompt(
                turnId,
                agentId,
                sessionKey,
                workspace,
                /* model= */ otherModel,
                /* thinking= */ level,
                instructions,
                history,
                message,
                tools,
                journal,
                maxTokens,
                recorder);
    }
}
