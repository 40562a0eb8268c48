package dev.postern.agent.chat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Set;

/** Where Gemini and LangChain4j's idea of it differ (https://ai.google.dev/api/generate-content). */
final class GeminiWording {

    private static final ObjectMapper JSON = new ObjectMapper();

    /** The reasons for a reply's end that are told apart. */
    private static final Set<String> REASONS =
            Set.of("STOP", "MAX_TOKENS", "SAFETY", "RECITATION", "LANGUAGE", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII");

    private GeminiWording() {}

    /** A request in which the results of calls that were made together come together, and not each in a content of its own. */
    static String asked(String body) {
        try {
            ObjectNode request = (ObjectNode) JSON.readTree(body);
            ArrayNode contents = JSON.createArrayNode();
            JsonNode last = MissingNode.getInstance();
            for (JsonNode content : request.path("contents")) {
                if (isResult(last) && isResult(content)) {
                    ((ArrayNode) last.get("parts")).addAll((ArrayNode) content.get("parts"));
                } else {
                    contents.add(content);
                    last = content;
                }
            }
            return JSON.writeValueAsString(request.set("contents", contents));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("LangChain4j writes JSON", e);
        }
    }

    private static boolean isResult(JsonNode content) {
        return content.path("parts").path(0).has("functionResponse");
    }

    /**
     * An answer that LangChain4j can read: with a candidate also where the prompt was blocked, with a count of tokens, and
     * with no reason that it doesn't know. What is no answer stays as it is.
     */
    static String answered(String body) {
        try {
            if (!(JSON.readTree(body) instanceof ObjectNode answer)) {
                return body;
            }
            if (answer.path("promptFeedback").has("blockReason")
                    && answer.path("candidates").isEmpty()) {
                answer.putArray("candidates").addObject().put("finishReason", "SAFETY");
            }
            if (!answer.has("usageMetadata")) {
                answer.putObject("usageMetadata");
            }
            if (answer.path("candidates").path(0) instanceof ObjectNode candidate
                    && candidate.has("finishReason")
                    && !REASONS.contains(candidate.get("finishReason").asText())) {
                candidate.put("finishReason", "OTHER");
            }
            return JSON.writeValueAsString(answer);
        } catch (JsonProcessingException noJson) {
            return body;
        }
    }
}
