package dev.postern.agent.chat;

import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.googleai.GeminiThinkingConfig;
import dev.langchain4j.model.googleai.GoogleAiGeminiChatModel;
import dev.langchain4j.model.output.FinishReason;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * An adapter for Google's Gemini (https://ai.google.dev/api/generate-content). A thinking level is a budget of tokens: 0 for
 * no thinking, and -1, {@code dynamic}, for a budget that the model chooses. A level of the operator's own is sent as a
 * {@code thinkingLevel}, which newer models take.
 */
final class GeminiAdapter implements ProviderAdapter {

    private static final Map<String, Integer> BUDGETS =
            Map.of(OFF, 0, "minimal", 512, "low", 2048, "medium", 8192, "high", 16_384, "dynamic", -1);

    /** The name is part of the URL and must not lead elsewhere. */
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]*");

    private final GeminiMessageConverter converter = new GeminiMessageConverter();

    @Override
    public boolean isModelName(String model) {
        return NAME.matcher(model).matches();
    }

    @Override
    public String adaptRequest(String body) {
        return converter.adaptRequest(body);
    }

    @Override
    public String adaptResponse(String body) {
        return converter.adaptResponse(body);
    }

    /** LangChain4j hides the limit if there are calls. */
    @Override
    public @Nullable FinishReason finishReason(ChatResponse response) {
        return converter.isCut() ? FinishReason.LENGTH : response.finishReason();
    }

    @Override
    public List<ThinkingVariant> candidates(ModelEndpoint modelEndpoint, @Nullable String level) {
        if (level == null) {
            return List.of(ThinkingVariant.asAsked(model(modelEndpoint, null)));
        }
        Integer budget = BUDGETS.get(level);
        GeminiThinkingConfig.Builder thinking = GeminiThinkingConfig.builder();
        GeminiThinkingConfig asked = budget == null
                ? thinking.thinkingLevel(level).build()
                : thinking.thinkingBudget(budget).build();
        return List.of(
                ThinkingVariant.asAsked(model(modelEndpoint, asked)),
                ThinkingVariant.without(model(modelEndpoint, null), level));
    }

    /** Thoughts are kept apart from the reply, and their signatures are sent back with a tool's result. */
    private static ChatModel model(ModelEndpoint modelEndpoint, @Nullable GeminiThinkingConfig thinking) {
        return GoogleAiGeminiChatModel.builder()
                .httpClientBuilder(modelEndpoint.http())
                .baseUrl(modelEndpoint.baseUrl())
                .apiKey(modelEndpoint.key())
                .modelName(modelEndpoint.model())
                .maxOutputTokens(modelEndpoint.provider().maxTokens())
                .thinkingConfig(thinking)
                .returnThinking(true)
                .sendThinking(true)
                .logRequestsAndResponses(false)
                .maxRetries(0)
                .build();
    }
}
