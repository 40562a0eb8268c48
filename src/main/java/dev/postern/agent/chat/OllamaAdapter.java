package dev.postern.agent.chat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.ollama.OllamaChatModel.OllamaChatModelBuilder;
import dev.langchain4j.model.output.FinishReason;
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

    /** A trait of each response with texts as arguments, or that ended at the output limit. Others need no tree. */
    private static final Pattern UNUSUAL =
            Pattern.compile("\"arguments\"\\s*:\\s*\"|\"done_reason\"\\s*:\\s*\"length\"");

    private boolean isCut;

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
        isCut = false;
        return UNUSUAL.matcher(body).find()
                ? JsonBodyReader.answer(body).map(this::adapted).orElse(body)
                : body;
    }

    private String adapted(ObjectNode answer) {
        isCut = answer.path("done_reason").asText().equals("length");
        for (JsonNode call : answer.path("message").path("tool_calls")) {
            if (call.path("function") instanceof ObjectNode function
                    && function.path("arguments").isTextual()) {
                JsonBodyReader.answer(function.get("arguments").asText())
                        .ifPresent(arguments -> function.set("arguments", arguments));
            }
        }
        return answer.toString();
    }

    /** LangChain4j hides the limit if there are calls. */
    @Override
    public @Nullable FinishReason finishReason(ChatResponse response) {
        return isCut ? FinishReason.LENGTH : response.finishReason();
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
