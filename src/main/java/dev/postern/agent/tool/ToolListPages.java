package dev.postern.agent.tool;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The pages of one listing of a server's tools, filtered for the client. A tool has only the fields that a model gets. Tools
 * whose schema is not understood are left out, because one of them would make the client refuse the whole list. Bounded in
 * tools, in pages and in time.
 */
final class ToolListPages {

    static final int MAX_TOOL_BYTES = 64 * 1024;
    private static final int MAX_TOOLS = 1_000;
    private static final int MAX_PAGES = 100;

    private final CallDeadline until;
    private int pages;
    private int tools;
    private int leftOut;

    ToolListPages(CallDeadline until) {
        this.until = until;
    }

    /** The deadline of the last page. */
    CallDeadline until() {
        return until;
    }

    /** The number of tools that were left out. */
    int leftOut() {
        return leftOut;
    }

    /**
     * The response to {@code tools/list} as the client should read it. A server that knows no such method has no tools.
     *
     * @throws ToolServerException if it is no list of tools
     */
    JsonNode admitted(JsonNode answer) {
        ObjectNode page = JsonNodeFactory.instance.objectNode();
        ObjectNode result = page.putObject("result");
        ArrayNode admitted = result.putArray("tools");
        JsonNode listed = answer.path("result").path("tools");
        if (!listed.isArray()) {
            if (answer.path("error").path("code").asInt() == BoundedMcpTransport.METHOD_NOT_FOUND) {
                return page;
            }
            throw new ToolServerException(ToolServerException.Scope.CONNECTION, "did not list its tools");
        }
        pages++;
        for (JsonNode tool : listed) {
            ObjectNode told = description(tool);
            if (tools == MAX_TOOLS || told == null) {
                leftOut++;
            } else {
                tools++;
                admitted.add(told);
            }
        }
        String cursor = answer.path("result").path("nextCursor").asText("");
        if (!cursor.isEmpty() && pages < MAX_PAGES && tools < MAX_TOOLS) {
            result.put("nextCursor", cursor);
        }
        return page;
    }

    /** The description of {@code tool} for the model; null if the model can't have the tool. */
    private static @Nullable ObjectNode description(JsonNode tool) {
        String name = tool.path("name").asText();
        if (name.isBlank()) {
            return null;
        }
        ObjectNode told = JsonNodeFactory.instance.objectNode().put("name", name);
        if (tool.path("description").isTextual()) {
            told.set("description", tool.get("description"));
        }
        try {
            told.set("inputSchema", ToolSchemaConverter.ofArguments(tool.path("inputSchema")));
        } catch (IllegalArgumentException notUnderstood) {
            return null;
        }
        return told.toString().getBytes(StandardCharsets.UTF_8).length <= MAX_TOOL_BYTES ? told : null;
    }
}
