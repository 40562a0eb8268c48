package dev.postern.agent.chat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.openai.OpenAiChatModel.OpenAiChatModelBuilder;
import java.util.List;
import java.util.OptionalInt;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * An adapter for OpenAI's chat completions and compatible APIs. A thinking level is a {@code reasoning_effort}, {@code none}
 * for no thinking (https://platform.openai.com/docs/api-reference/chat/create); models differ in the levels that they
 * accept.
 */
final class OpenAiAdapter implements ProviderAdapter {

    /** A trait of each response that may not be in the form that LangChain4j reads. Other responses need no tree. */
    private static final Pattern OTHER_FORM =
            Pattern.compile("\"content\"\\s*:\\s*\\[|\"tool_calls\"\\s*:\\s*\\[|\"refusal\"\\s*:\\s*\"");

    @Override
    public boolean passesTraceOn() {
        return true;
    }

    /**
     * The request with an empty object as the arguments of each earlier call whose own are no JSON object. A response was cut
     * within them, or its model wrote them badly. Some servers parse them, and refuse the whole conversation otherwise; others
     * take an empty object themselves (https://github.com/vllm-project/vllm/blob/main/vllm/entrypoints/chat_utils.py).
     */
    @Override
    public String adaptRequest(String body) {
        if (!body.contains("\"tool_calls\"")) {
            return body;
        }
        ObjectNode request = JsonBodyReader.request(body);
        boolean isAdapted = false;
        for (JsonNode message : request.path("messages")) {
            for (JsonNode call : message.path("tool_calls")) {
                isAdapted |= clearUnlessObject(call);
            }
        }
        return isAdapted ? request.toString() : body;
    }

    /** Whether the arguments of {@code call} were no object, and are an empty one now. */
    private static boolean clearUnlessObject(JsonNode call) {
        if (!(call.path("function") instanceof ObjectNode function)
                || JsonBodyReader.isObject(function.path("arguments").asText())) {
            return false;
        }
        function.put("arguments", "{}");
        return true;
    }

    /**
     * Gateways report an error of their own provider in a response with the status 200: in an {@code error} object without
     * {@code choices}, or in the choice that the error broke off (https://openrouter.ai/docs/api-reference/errors). Its
     * {@code code} is the status that they got.
     */
    @Override
    public OptionalInt errorStatus(String body) {
        if (!body.contains("\"error\"")) {
            return OptionalInt.empty();
        }
        return JsonBodyReader.answer(body)
                .filter(OpenAiAdapter::isError)
                .map(answer -> error(answer).path("code").asInt())
                .map(code -> OptionalInt.of(code >= 400 && code <= 599 ? code : 500))
                .orElse(OptionalInt.empty());
    }

    private static boolean isError(ObjectNode answer) {
        return error(answer).isObject()
                || answer.at("/choices/0/finish_reason").asText().equals("error");
    }

    private static JsonNode error(ObjectNode answer) {
        return answer.path("choices").isEmpty() ? answer.path("error") : answer.at("/choices/0/error");
    }

    /**
     * The response with a text as the content of a message, where a server sends parts, with texts as arguments, where it
     * sends objects, and with a type of each tool call, where it sends none. A refusal alone becomes an empty message that a
     * content filter has ended, since LangChain4j throws the tokens away with it.
     */
    @Override
    public String adaptResponse(String body) {
        return OTHER_FORM.matcher(body).find()
                ? JsonBodyReader.answer(body).map(OpenAiAdapter::adapted).orElse(body)
                : body;
    }

    private static String adapted(ObjectNode answer) {
        for (JsonNode choice : answer.path("choices")) {
            if (choice.path("message") instanceof ObjectNode message) {
                if (message.path("content") instanceof ArrayNode parts) {
                    message.put("content", text(parts));
                }
                message.path("tool_calls").forEach(OpenAiAdapter::adaptCall);
                if (choice instanceof ObjectNode open && isRefusalAlone(message)) {
                    message.remove("refusal");
                    open.put("finish_reason", "content_filter");
                }
            }
        }
        return answer.toString();
    }

    private static boolean isRefusalAlone(ObjectNode message) {
        return !message.path("refusal").asText("").isBlank()
                && message.path("content").asText("").isBlank()
                && message.path("tool_calls").isEmpty();
    }

    /** The texts among {@code parts}; thoughts and images are none. */
    private static String text(ArrayNode parts) {
        StringBuilder text = new StringBuilder();
        for (JsonNode part : parts) {
            text.append(part.isTextual() ? part.asText() : part.path("text").asText(""));
        }
        return text.toString();
    }

    private static void adaptCall(JsonNode call) {
        if (!(call instanceof ObjectNode open) || !(call.path("function") instanceof ObjectNode function)) {
            return;
        }
        if (call.path("type").asText("").isEmpty()) {
            open.put("type", "function");
        }
        if (function.path("arguments").isObject()) {
            function.put("arguments", function.get("arguments").toString());
        }
    }

    @Override
    public List<ThinkingVariant> candidates(ModelEndpoint modelEndpoint, @Nullable String level) {
        if (level == null) {
            return List.of(ThinkingVariant.asAsked(model(modelEndpoint, null)));
        }
        ThinkingVariant without = ThinkingVariant.without(model(modelEndpoint, null), level);
        return switch (level) {
            case OFF ->
                List.of(
                        ThinkingVariant.asAsked(model(modelEndpoint, "none")),
                        ThinkingVariant.near(model(modelEndpoint, "minimal"), level, "minimal"),
                        without);
            case "minimal" ->
                List.of(
                        ThinkingVariant.asAsked(model(modelEndpoint, level)),
                        ThinkingVariant.near(model(modelEndpoint, "low"), level, "low"),
                        without);
            default -> List.of(ThinkingVariant.asAsked(model(modelEndpoint, level)), without);
        };
    }

    /**
     * Thoughts that a server sends with a tool call are sent back with its result: some servers require that, the others
     * send none.
     */
    private static ChatModel model(ModelEndpoint modelEndpoint, @Nullable String effort) {
        return new OpenAiChatModelBuilder()
                .httpClientBuilder(modelEndpoint.http())
                .baseUrl(modelEndpoint.baseUrl())
                .apiKey(modelEndpoint.key())
                .modelName(modelEndpoint.model())
                .maxCompletionTokens(modelEndpoint.provider().maxTokens())
                .reasoningEffort(effort)
                .returnThinking(true)
                .sendThinking(true)
                .maxRetries(0)
                .logRequests(false)
                .logResponses(false)
                .build();
    }
}
