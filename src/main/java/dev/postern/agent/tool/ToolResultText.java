package dev.postern.agent.tool;

import com.fasterxml.jackson.databind.JsonNode;
import dev.langchain4j.mcp.client.McpToolResultExtractor;
import dev.langchain4j.service.tool.ToolExecutionResult;
import java.nio.charset.StandardCharsets;

/**
 * The text of a tool's result: its texts unchanged, and a few words in brackets for all other content. Parts that the model
 * would not read are not part of it.
 */
final class ToolResultText implements McpToolResultExtractor {

    /** The longest result that a model reads, in bytes of UTF-8. */
    static final int MAX_BYTES = 256 * 1024;

    @Override
    public ToolExecutionResult extract(JsonNode content, boolean isError) {
        StringBuilder text = new StringBuilder();
        for (JsonNode part : content) {
            if (text.length() > MAX_BYTES) {
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

    /** At most {@link #MAX_BYTES} of {@code text}, cut between two characters; without halves of characters. */
    static String bounded(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        if (bytes.length <= MAX_BYTES) {
            return new String(bytes, StandardCharsets.UTF_8);
        }
        int end = MAX_BYTES;
        while ((bytes[end] & 0xC0) == 0x80) {
            end--;
        }
        return new String(bytes, 0, end, StandardCharsets.UTF_8) + "\n[cut here: the result had at least "
                + bytes.length + " bytes]";
    }
}
