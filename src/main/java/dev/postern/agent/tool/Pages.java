package dev.postern.agent.tool;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.util.Set;

/**
 * The pages of one listing of a server's tools, on their way to the client: of each tool only what a model is told, and only
 * the tools that the client can read; it would refuse the whole list for one that it can't. Bounded in tools and in pages.
 */
final class Pages {

    static final int MAX_TOOL_BYTES = 64 * 1024;
    private static final int MAX_TOOLS = 1_000;
    private static final int MAX_PAGES = 100;
    private static final int METHOD_NOT_FOUND = -32601;
    private static final Set<String> TYPES =
            Set.of("object", "string", "number", "integer", "boolean", "array", "null");

    private int pages;
    private int tools;
    private int leftOut;

    /** How many tools were left out. */
    int leftOut() {
        return leftOut;
    }

    /**
     * The answer to {@code tools/list} as the client is to read it. A server that knows no such method has no tools.
     *
     * @throws Fault when it is no list of tools
     */
    JsonNode admitted(JsonNode answer) {
        ObjectNode page = JsonNodeFactory.instance.objectNode();
        ObjectNode result = page.putObject("result");
        ArrayNode admitted = result.putArray("tools");
        JsonNode listed = answer.path("result").path("tools");
        if (!listed.isArray()) {
            if (answer.path("error").path("code").asInt() == METHOD_NOT_FOUND) {
                return page;
            }
            throw new Fault(Fault.Reach.CONNECTION, "did not list its tools");
        }
        pages++;
        for (JsonNode tool : listed) {
            if (tools == MAX_TOOLS || !isReadable(tool)) {
                leftOut++;
            } else {
                tools++;
                admitted.add(told(tool));
            }
        }
        String cursor = answer.path("result").path("nextCursor").asText("");
        if (!cursor.isEmpty() && pages < MAX_PAGES && tools < MAX_TOOLS) {
            result.put("nextCursor", cursor);
        }
        return page;
    }

    private static ObjectNode told(JsonNode tool) {
        ObjectNode told = JsonNodeFactory.instance.objectNode();
        told.set("name", tool.get("name"));
        if (tool.path("description").isTextual()) {
            told.set("description", tool.get("description"));
        }
        told.set("inputSchema", tool.get("inputSchema"));
        return told;
    }

    private static boolean isReadable(JsonNode tool) {
        JsonNode schema = tool.path("inputSchema");
        return tool.path("name").isTextual()
                && !tool.path("name").asText().isBlank()
                && schema.isObject()
                && schema.path("type").asText("object").equals("object")
                && !schema.path("type").isArray()
                && (schema.has("type") || !(schema.has("anyOf") || schema.has("$ref")))
                && isReadableSchema(schema)
                && told(tool).toString().getBytes(StandardCharsets.UTF_8).length <= MAX_TOOL_BYTES;
    }

    /** What LangChain4j 1.18's {@code ToolSpecificationHelper} reads without an exception. */
    private static boolean isReadableSchema(JsonNode schema) {
        JsonNode type = schema.path("type");
        if (!type.isMissingNode() && !isType(type)) {
            return false;
        }
        JsonNode definitions = schema.has("$defs") ? schema.path("$defs") : schema.path("definitions");
        JsonNode items = schema.path("items");
        return areReadable(schema.path("properties"), true)
                && areReadable(definitions, true)
                && areReadable(schema.path("anyOf"), false)
                && isArrayOrMissing(schema.path("required"))
                && isArrayOrMissing(schema.path("enum"))
                && !(schema.path("enum").isArray() && schema.path("enum").isEmpty())
                && (items.isMissingNode() || isReadableSchema(items));
    }

    private static boolean isType(JsonNode type) {
        if (type.isTextual()) {
            return TYPES.contains(type.asText());
        }
        if (!type.isArray() || type.isEmpty()) {
            return false;
        }
        for (JsonNode each : type) {
            if (!each.isTextual() || !TYPES.contains(each.asText())) {
                return false;
            }
        }
        return true;
    }

    private static boolean areReadable(JsonNode schemas, boolean named) {
        if (schemas.isMissingNode()) {
            return true;
        }
        if (named ? !schemas.isObject() : !schemas.isArray() || schemas.isEmpty()) {
            return false;
        }
        for (JsonNode each : schemas) {
            if (!isReadableSchema(each)) {
                return false;
            }
        }
        return true;
    }

    private static boolean isArrayOrMissing(JsonNode node) {
        return node.isMissingNode() || node.isArray();
    }
}
