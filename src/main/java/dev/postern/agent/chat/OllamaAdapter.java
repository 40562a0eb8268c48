package dev.postern.agent.chat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.ollama.OllamaChatModel.OllamaChatModelBuilder;
import dev.postern.model.ThinkingLevels;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * An adapter for Ollama's chat (https://docs.ollama.com/api/chat). Thinking is on or off: every level but {@code off} turns
 * it on, and a level of the operator's own is unknown.
 */
final class OllamaAdapter implements ProviderAdapter {

    /** A trait of each response with texts as arguments. Other responses need no tree. */
    private static final Pattern TEXT_ARGUMENTS = Pattern.compile("\"arguments\"\\s*:\\s*\"");

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

    /** The response with objects as the arguments of calls, where a server sends their text. */
    @Override
    public String adaptResponse(String body) {
        return TEXT_ARGUMENTS.matcher(body).find()
                ? JsonBodyReader.answer(body).map(OllamaAdapter::adapted).orElse(body)
                : body;
    }

    private static String adapted(ObjectNode answer) {
        for (JsonNode call : answer.path("message").path("tool_calls")) {
            if (call.path("function") instanceof ObjectNode function
                    && function.path("arguments").isTextual()) {
                JsonBodyReader.answer(function.get("arguments").asText())
                        .ifPresent(arguments -> function.set("arguments", arguments));
            }
        }
        return answer.toString();
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
