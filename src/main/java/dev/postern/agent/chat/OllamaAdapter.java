package dev.postern.agent.chat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.ollama.OllamaChatModel.OllamaChatModelBuilder;
import dev.postern.model.ThinkingLevels;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Ollama's chat (https://docs.ollama.com/api/chat), where thinking is on or off: every level but {@code off} is on, and one
 * of the operator's own is not known.
 */
final class OllamaAdapter implements ProviderAdapter {

    /**
     * A request that is refused where it is too long, and whose reply ends where there is no room left: by itself Ollama
     * leaves out what came first, the instructions and the rules about a stranger's words among it. Known to Ollama since
     * 0.12.6 ({@code ChatRequest} in its api/types.go); those before cut all the same. A list of no tools is left out.
     */
    @Override
    public String asked(String body) {
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
