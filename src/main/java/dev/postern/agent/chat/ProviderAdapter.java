package dev.postern.agent.chat;

import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.output.FinishReason;
import java.util.List;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * An adapter for the API of one kind of provider, for one turn. LangChain4j's own retries and its logging of requests are
 * off in each: {@link ProviderHttpClient} sends requests again, within the turn's time.
 */
interface ProviderAdapter {

    /** The level for no thinking. */
    String OFF = "off";

    /** Whether {@code model} is a valid name of a model for this kind of provider. */
    default boolean isModelName(String model) {
        return !model.isBlank();
    }

    /** Whether this kind of provider accepts a request with {@code tool} among its tools. */
    default boolean takes(ToolSpecification tool) {
        return true;
    }

    /** Whether this kind of provider refuses a request that contains tool calls but lists no tools. */
    default boolean needsToolsWithCalls() {
        return false;
    }

    /** Whether requests have a {@code traceparent}: servers with OpenAI's API often belong to the operator. */
    default boolean passesTraceOn() {
        return false;
    }

    /** A request's body in the provider's form, from the one that LangChain4j writes. */
    default String adaptRequest(String body) {
        return body;
    }

    /** A response's body in the form that LangChain4j reads, from the provider's. */
    default String adaptResponse(String body) {
        return body;
    }

    /**
     * The reason why the model ended {@code response}, the one of the last body that was adapted; null if the provider names
     * none. LangChain4j hides some reasons.
     */
    default @Nullable FinishReason finishReason(ChatResponse response) {
        return response.finishReason();
    }

    /** The status that a 2xx response with {@code body} should have had; empty if it reports no error. */
    default OptionalInt errorStatus(String body) {
        return OptionalInt.empty();
    }

    /**
     * The variants of the model that think at {@code level}, best first. The next one is tried if the provider refuses the
     * one before.
     *
     * @param level one of {@link dev.postern.model.ThinkingLevels#LEVELS} or of the provider's configuration; null for the
     *     model's default
     */
    List<ThinkingVariant> candidates(ModelEndpoint modelEndpoint, @Nullable String level);

    /** A new adapter for providers of {@code kind}, for one turn. */
    static ProviderAdapter of(String kind) {
        return switch (kind) {
            case "openai" -> new OpenAiAdapter();
            case "anthropic" -> new AnthropicAdapter();
            case "ollama" -> new OllamaAdapter();
            case "gemini" -> new GeminiAdapter();
            default -> throw new IllegalArgumentException("not a kind of chat models: " + kind);
        };
    }
}
