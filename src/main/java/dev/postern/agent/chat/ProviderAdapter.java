package dev.postern.agent.chat;

import dev.langchain4j.agent.tool.ToolSpecification;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one kind of provider speaks, for one turn. LangChain4j's own retries and its logging of requests are off in each:
 * requests are sent again by {@link ProviderHttpClient}, within the turn's time.
 */
interface ProviderAdapter {

    /** The word for not thinking. */
    String OFF = "off";

    /** Whether a model of this kind of provider can have the name {@code model}. */
    default boolean canBeCalled(String model) {
        return !model.isBlank();
    }

    /** Whether this kind of provider takes a request with {@code tool} among its tools. */
    default boolean takes(ToolSpecification tool) {
        return true;
    }

    /** Whether this kind of provider refuses a request whose messages hold tool calls where it tells of no tools. */
    default boolean needsToolsWithCalls() {
        return false;
    }

    /** A request's body as LangChain4j writes it, as the provider wants it. */
    default String asked(String body) {
        return body;
    }

    /** An answer's body as the provider gives it, as LangChain4j reads it. */
    default String answered(String body) {
        return body;
    }

    /**
     * The model in the ways in which it may be asked to think at {@code level}, the best first; the next is for where the
     * provider refuses the one before.
     *
     * @param level one of {@link dev.postern.model.ThinkingLevels#LEVELS} or what the provider's configuration names; null for
     *     the model's own
     */
    List<ThinkingVariant> candidates(ModelEndpoint modelEndpoint, @Nullable String level);

    /** The dialect of {@code kind}, for a turn that begins. */
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
