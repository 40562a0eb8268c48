package dev.postern.agent.chat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Set;

/**
 * A converter between Gemini's messages (https://ai.google.dev/api/generate-content) and LangChain4j's form of them, for one
 * turn.
 */
final class GeminiMessageConverter {

    /** The finish reasons that are distinguished; any other becomes {@code OTHER}. */
    private static final Set<String> REASONS =
            Set.of("STOP", "MAX_TOKENS", "SAFETY", "RECITATION", "LANGUAGE", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII");

    private final RawAssistantMessages said = new RawAssistantMessages("model", "parts");
    private boolean isCut;

    /** Whether the last response ended at the model's output limit. */
    boolean isCut() {
        return isCut;
    }

    /**
     * The request in the form that Gemini accepts. Results of calls that were made together stand in one content, not in one
     * each. The model's messages of this turn have their original form, with the signatures of its thoughts
     * (https://ai.google.dev/gemini-api/docs/thought-signatures). Tools have schemas that Gemini accepts.
     */
    String adaptRequest(String body) {
        ObjectNode request = JsonBodyReader.request(body);
        ArrayNode contents = request.arrayNode();
        JsonNode last = MissingNode.getInstance();
        for (JsonNode content : request.path("contents")) {
            if (isResult(last) && isResult(content)) {
                ((ArrayNode) last.get("parts")).addAll((ArrayNode) content.get("parts"));
            } else {
                contents.add(content);
                last = content;
            }
        }
        said.putBack(contents);
        for (JsonNode tool : request.path("tools")) {
            tool.path("functionDeclarations").forEach(GeminiMessageConverter::fitTool);
        }
        return request.set("contents", contents).toString();
    }

    private static boolean isResult(JsonNode content) {
        return content.path("parts").path(0).has("functionResponse");
    }

    private static void fitTool(JsonNode declaration) {
        if (declaration.path("parameters").path("properties").isEmpty()) {
            ((ObjectNode) declaration).remove("parameters");
        } else {
            fit(declaration.get("parameters"));
        }
    }

    /**
     * Gemini requires the item type of an array. It refuses an empty list of properties and an empty text among the choices.
     */
    private static void fit(JsonNode schema) {
        if (!(schema instanceof ObjectNode open)) {
            return;
        }
        if (schema.path("type").asText().equals("ARRAY")
                && !schema.path("items").isObject()) {
            open.putObject("items").put("type", "STRING");
        }
        if (schema.path("properties").isEmpty()) {
            open.remove(List.of("properties", "required"));
        }
        if (schema.path("enum") instanceof ArrayNode words) {
            words.removeIf(word -> word.asText().isEmpty());
            if (words.isEmpty()) {
                open.remove("enum");
            }
        }
        schema.path("properties").forEach(GeminiMessageConverter::fit);
        fit(schema.path("items"));
        schema.path("anyOf").forEach(GeminiMessageConverter::fit);
    }

    /**
     * The response in a form that LangChain4j can read: with a candidate even if there is none, with a count of tokens,
     * and without a finish reason that it doesn't know. Thoughts count as output, as Gemini bills them
     * (https://ai.google.dev/gemini-api/docs/thinking#pricing). Anything but a JSON object stays unchanged.
     */
    String adaptResponse(String body) {
        return JsonBodyReader.answer(body).map(this::readable).orElse(body);
    }

    private String readable(ObjectNode answer) {
        isCut = answer.at("/candidates/0/finishReason").asText().equals("MAX_TOKENS");
        boolean isBlocked = answer.path("promptFeedback").has("blockReason");
        if (answer.path("candidates").isEmpty() && (isBlocked || answer.has("usageMetadata"))) {
            answer.putArray("candidates").addObject().put("finishReason", isBlocked ? "SAFETY" : "OTHER");
        }
        if (!answer.path("usageMetadata").isObject()) {
            answer.putObject("usageMetadata");
        }
        TokenCounts.add(answer.get("usageMetadata"), "promptTokenCount", "toolUsePromptTokenCount");
        TokenCounts.add(answer.get("usageMetadata"), "candidatesTokenCount", "thoughtsTokenCount");
        if (answer.path("candidates").path(0) instanceof ObjectNode candidate) {
            if (candidate.has("finishReason")
                    && !REASONS.contains(candidate.get("finishReason").asText())) {
                candidate.put("finishReason", "OTHER");
            }
            said.keep(candidate.path("content").path("parts"));
        }
        return answer.toString();
    }
}
