package dev.postern.agent.chat;

import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.openai.OpenAiChatModel.OpenAiChatModelBuilder;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * OpenAI's chat completions, and what is compatible with them. A level of thinking is a {@code reasoning_effort}, for not
 * thinking {@code none} (https://platform.openai.com/docs/api-reference/chat/create); models differ in which ones they take.
 */
final class OpenAiDialect implements Dialect {

    @Override
    public List<Candidate> candidates(Target target, @Nullable String level) {
        if (level == null) {
            return List.of(Candidate.asAsked(model(target, null)));
        }
        Candidate without = Candidate.without(model(target, null), level);
        return switch (level) {
            case OFF ->
                List.of(
                        Candidate.asAsked(model(target, "none")),
                        Candidate.near(model(target, "minimal"), level, "minimal"),
                        without);
            case "minimal" ->
                List.of(
                        Candidate.asAsked(model(target, level)),
                        Candidate.near(model(target, "low"), level, "low"),
                        without);
            default -> List.of(Candidate.asAsked(model(target, level)), without);
        };
    }

    /** Thoughts that a server sends with a tool call go back with its result: some want that, the others send none. */
    private static ChatModel model(Target target, @Nullable String effort) {
        return new OpenAiChatModelBuilder()
                .httpClientBuilder(target.http())
                .baseUrl(target.baseUrl())
                .apiKey(target.key())
                .modelName(target.model())
                .maxCompletionTokens(target.provider().maxTokens())
                .reasoningEffort(effort)
                .returnThinking(true)
                .sendThinking(true)
                .maxRetries(0)
                .logRequests(false)
                .logResponses(false)
                .build();
    }
}
