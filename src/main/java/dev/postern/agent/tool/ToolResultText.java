package dev.postern.agent.tool;

import com.fasterxml.jackson.databind.JsonNode;
import dev.langchain4j.mcp.client.McpToolResultExtractor;
import dev.langchain4j.service.tool.ToolExecutionResult;

/**
 * The text of a tool's result: its texts unchanged, and a few words in brackets for all other content. Parts that the model
 * would not read are not part of it.
 */
final class ToolResultText implements McpToolResultExtractor {

    @Override
    public ToolExecutionResult extract(JsonNode content, boolean isError) {
        StringBuilder text = new StringBuilder();
        for (JsonNode part : content) {
            if (text.length() > TurnToolbox.MAX_RESULT_BYTES) {
                break;
            }
            if (!text.isEmpty()) {
                text.append('\n');
            }
            text.append(read(part));
        }
        return ToolExecutionResult.builder()
                .isError(isError)
                .resultText(text.toString())
                .build();
    }

    private static String read(JsonNode part) {
        String kind = part.path("type").asText();
        return switch (kind) {
            case "text" -> part.path("text").asText();
            case "image", "audio" -> described(kind, part, part.path("data"));
            case "resource_link" -> "[resource " + part.path("uri").asText() + "]";
            case "resource" -> resource(part.path("resource"));
            default -> "[content of an unknown kind]";
        };
    }

    private static String resource(JsonNode resource) {
        return resource.path("text").isTextual()
                ? resource.path("text").asText()
                : described("resource", resource, resource.path("blob"));
    }

    private static String described(String kind, JsonNode part, JsonNode base64) {
        String type = part.path("mimeType").asText("of an unknown type");
        return "[" + kind + " " + type + ", " + base64.asText().length() * 3L / 4 + " bytes]";
    }
}
