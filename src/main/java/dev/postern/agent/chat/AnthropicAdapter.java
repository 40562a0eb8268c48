package dev.postern.agent.chat;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.model.anthropic.AnthropicChatModel.AnthropicChatModelBuilder;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.output.FinishReason;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * An adapter for Anthropic's messages (https://docs.anthropic.com/en/api/messages). A thinking level is a budget of tokens.
 * Newer models take an effort instead, which is also how a level of the operator's own is sent. Without either, models don't
 * think.
 */
final class AnthropicAdapter implements ProviderAdapter {

    /** The most tokens of a reply if none are configured, thinking not counted. */
    private static final int REPLY_TOKENS = 8192;

    private static final Map<String, Integer> BUDGETS =
            Map.of("minimal", 1024, "low", 4096, "medium", 8192, "high", 16_384);

    private static final int MOST_THINKING = 16_384;

    /** The names that an argument of a tool may have; the provider does not check names within arguments. */
    private static final Pattern ARGUMENT = Pattern.compile("[a-zA-Z0-9_.-]{1,64}");

    /** The statuses of the errors that the provider names (https://docs.anthropic.com/en/api/errors). */
    private static final Map<String, Integer> ERRORS = Map.of(
            "invalid_request_error", 400,
            "authentication_error", 401,
            "billing_error", 402,
            "permission_error", 403,
            "not_found_error", 404,
            "request_too_large", 413,
            "rate_limit_error", 429,
            "timeout_error", 504,
            "overloaded_error", 529);

    /** LangChain4j requires a key; {@link ProviderHttpClient} leaves it out if none is configured. */
    private static final String NO_KEY = "none";

    private final RawAssistantMessages said = new RawAssistantMessages("assistant", "content");
    private boolean isRefused;

    /**
     * Restores the model's messages of this turn to their original form
     * (https://docs.anthropic.com/en/docs/build-with-claude/extended-thinking#preserving-thinking-blocks).
     */
    @Override
    public String adaptRequest(String body) {
        ObjectNode request = JsonBodyReader.request(body);
        said.putBack(request.path("messages"));
        return request.toString();
    }

    /**
     * The response with one count of all tokens of its request: the provider counts those from its cache apart
     * (https://docs.anthropic.com/en/docs/build-with-claude/prompt-caching#tracking-cache-performance). A full context ends
     * it like the output limit.
     */
    @Override
    public String adaptResponse(String body) {
        return JsonBodyReader.answer(body).map(this::adapted).orElse(body);
    }

    private String adapted(ObjectNode answer) {
        isRefused = answer.path("stop_reason").asText().equals("refusal");
        if (answer.path("stop_reason").asText().equals("model_context_window_exceeded")) {
            answer.put("stop_reason", "max_tokens");
        }
        TokenCounts.add(answer.path("usage"), "input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens");
        String adapted = answer.toString();
        keep(answer);
        return adapted;
    }

    /** Keeps the parts of {@code answer}, except for blank texts, which the provider sends but does not accept. */
    private void keep(ObjectNode answer) {
        if (answer.path("content") instanceof ArrayNode parts) {
            parts.removeIf(part ->
                    part.path("text").isTextual() && part.path("text").asText().isBlank());
            said.keep(parts);
        }
    }

    /** Gateways report an error in a response with the status 200, as an {@code error} object without {@code content}. */
    @Override
    public OptionalInt errorStatus(String body) {
        if (!body.contains("\"error\"")) {
            return OptionalInt.empty();
        }
        return JsonBodyReader.answer(body)
                .filter(answer -> answer.path("error").isObject()
                        && answer.path("content").isEmpty())
                .map(answer -> answer.at("/error/type").asText())
                .map(type -> OptionalInt.of(ERRORS.getOrDefault(type, 500)))
                .orElse(OptionalInt.empty());
    }

    /** LangChain4j does not know a refusal, with which the provider's classifiers end a response. */
    @Override
    public @Nullable FinishReason finishReason(ChatResponse response) {
        return isRefused ? FinishReason.CONTENT_FILTER : response.finishReason();
    }

    @Override
    public boolean takes(ToolSpecification tool) {
        return tool.parameters() == null
                || tool.parameters().properties().keySet().stream()
                        .allMatch(name -> ARGUMENT.matcher(name).matches());
    }

    /**
     * A request whose messages contain tool calls needs {@code tools}; with a {@code tool_choice} of none the model calls
     * none of them (https://docs.anthropic.com/en/docs/agents-and-tools/tool-use/implement-tool-use).
     */
    @Override
    public boolean needsToolsWithCalls() {
        return true;
    }

    @Override
    public List<ThinkingVariant> candidates(ModelEndpoint modelEndpoint, @Nullable String level) {
        ThinkingVariant plain = ThinkingVariant.asAsked(model(modelEndpoint, 0).build());
        if (level == null || level.equals(OFF)) {
            return List.of(plain);
        }
        String effort = level.equals("minimal") ? "low" : level;
        ThinkingVariant adaptive = ThinkingVariant.asAsked(model(modelEndpoint, MOST_THINKING)
                .thinkingType("adaptive")
                .customParameters(Map.of("output_config", Map.of("effort", effort)))
                .build());
        ThinkingVariant without = ThinkingVariant.without(plain.model(), level);
        Integer budget = BUDGETS.get(level);
        if (budget == null) {
            return List.of(adaptive, without);
        }
        ThinkingVariant budgeted = ThinkingVariant.asAsked(model(modelEndpoint, budget)
                .thinkingType("enabled")
                .thinkingBudgetTokens(budget)
                .build());
        return List.of(budgeted, adaptive, without);
    }

    /**
     * @param thinking the most tokens of the model's thoughts
     */
    private static AnthropicChatModelBuilder model(ModelEndpoint modelEndpoint, int thinking) {
        return new AnthropicChatModelBuilder()
                .httpClientBuilder(modelEndpoint.http())
                .baseUrl(modelEndpoint.baseUrl())
                .apiKey(Objects.requireNonNullElse(modelEndpoint.key(), NO_KEY))
                .modelName(modelEndpoint.model())
                .maxTokens(Objects.requireNonNullElse(modelEndpoint.provider().maxTokens(), REPLY_TOKENS) + thinking)
                .returnThinking(true)
                .sendThinking(true)
                .maxRetries(0)
                .logRequests(false)
                .logResponses(false);
    }
}
