package dev.postern.agent.chat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.ollama.OllamaChatModel.OllamaChatModelBuilder;
import dev.postern.model.ThinkingLevels;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An adapter for Ollama's chat (https://docs.ollama.com/api/chat). Thinking is on or off: every level but {@code off} turns
 * it on, and a level of the operator's own is unknown.
 */
final class OllamaAdapter implements ProviderAdapter {

    /**
     * Makes Ollama refuse a request that is too long, and end a reply when no space is left. By default it drops the
     * beginning, which contains the instructions and the rules about untrusted content. Ollama knows this since 0.12.6
     * ({@code ChatRequest} in its api/types.go); earlier versions truncate anyway. An empty list of tools is removed.
     */
    @Override
    public String adaptRequest(String body) {
        ObjectNode request = JsonBodyReader.request(body).put("truncate", false).put("shift", false);
        if (request.path("tools").isEmpty()) {
            request.remove("tools");
        }
        return request.toString();
    }

    @Override
    public List<ThinkingVariant> candidates(ModelEndpoint modelEndpoint, @Nullable String level) {
        if (level == null) {
            return List.of(ThinkingVariant.asAsked(model(modelEndpoint, null)));
        }
        ThinkingVariant without = ThinkingVariant.without(model(modelEndpoint, null), level);
        return ThinkingLevels.LEVELS.contains(level)
                ? List.of(ThinkingVariant.asAsked(model(modelEndpoint, !level.equals(OFF))), without)
                : List.of(without);
    }

    private static ChatModel model(ModelEndpoint modelEndpoint, @Nullable Boolean think) {
        return new OllamaChatModelBuilder()
                .httpClientBuilder(modelEndpoint.http())
                .baseUrl(modelEndpoint.baseUrl())
                .customHeaders(
                        modelEndpoint.key() == null
                                ? Map.of()
                                : Map.of("Authorization", "Bearer " + modelEndpoint.key()))
                .modelName(modelEndpoint.model())
                .numCtx(modelEndpoint.provider().contextTokens())
                .numPredict(modelEndpoint.provider().maxTokens())
                .think(think)
                .returnThinking(false)
                .logRequests(false)
                .logResponses(false)
                .maxRetries(0)
                .build();
    }
}
