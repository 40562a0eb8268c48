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
 * tools, in bytes, in pages and in time.
 */
final class ToolListPages {

    static final int MAX_TOOL_BYTES = 64 * 1024;
    static final int MAX_TOOLS = 1_000;
    static final int MAX_PAGES = 100;

    /** The most bytes of all tools together, as they are kept. */
    static final int MAX_BYTES = 4 * 1024 * 1024;

    private final CallDeadline until;
    private int pages;
    private int tools;
    private int bytes;
    private int leftOut;
    private boolean isCut;

    ToolListPages(CallDeadline until) {
        this.until = until;
    }

    /** The deadline of the last page. */
    CallDeadline until() {
        return until;
    }

    /** The number of tools that were left out because they could not be read or are too long. */
    int leftOut() {
        return leftOut;
    }

    /** Whether the last tools were left out, because there are too many or they are too long together. */
    boolean isCut() {
        return isCut;
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
            if (!isCut) {
                admit(tool, admitted);
            }
        }
        String cursor = answer.path("result").path("nextCursor").asText("");
        isCut |= !cursor.isEmpty() && pages == MAX_PAGES;
        if (!cursor.isEmpty() && !isCut) {
            result.put("nextCursor", cursor);
        }
        return page;
    }

    private void admit(JsonNode tool, ArrayNode admitted) {
        ObjectNode told = description(tool);
        int length = told == null ? 0 : told.toString().getBytes(StandardCharsets.UTF_8).length;
        if (told == null || length > MAX_TOOL_BYTES) {
            leftOut++;
        } else if (tools == MAX_TOOLS || bytes + length > MAX_BYTES) {
            isCut = true;
        } else {
            tools++;
            bytes += length;
            admitted.add(told);
        }
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
        return told;
    }
}
