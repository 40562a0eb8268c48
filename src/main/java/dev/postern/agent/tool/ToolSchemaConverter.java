package dev.postern.agent.tool;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * A converter for the schema of a tool's arguments. It uses only keywords that LangChain4j 1.18 reads and each provider
 * accepts: {@code type}, {@code description}, {@code properties}, {@code required}, {@code additionalProperties},
 * {@code items}, {@code enum} and {@code anyOf}. A reference, which not every provider accepts, is replaced by its target,
 * and a recursive one by any object. {@code oneOf}, {@code const}, an {@code allOf} of one and a list of types are
 * translated. Other keywords, such as bounds of numbers, are left out: the server checks its arguments.
 */
final class ToolSchemaConverter {

    private static final int MOST_PARTS = 2_000;
    private static final int QUOTES = 2;

    private final JsonNode root;
    private int parts;
    private int length;

    private ToolSchemaConverter(JsonNode root) {
        this.root = root;
    }

    /**
     * The schema of a tool's arguments.
     *
     * @throws IllegalArgumentException if it is not the schema of an object, is not understood, has too many parts, or is longer than a
     *     tool may be
     */
    static ObjectNode ofArguments(JsonNode schema) {
        ToolSchemaConverter toolSchemaConverter = new ToolSchemaConverter(schema);
        ObjectNode plain = schema.path("$ref").isTextual()
                ? toolSchemaConverter.plain(schema, Set.of())
                : toolSchemaConverter.object(schema, Set.of());
        if (!schema.isObject() || !schema.path("type").asText("object").equals("object") || isNot(plain, "object")) {
            throw new IllegalArgumentException("no schema of an object");
        }
        return plain;
    }

    private static boolean isNot(JsonNode plain, String type) {
        return !plain.path("type").asText().equals(type);
    }

    private ObjectNode plain(JsonNode schema, Set<String> within) {
        parts++;
        if (parts > MOST_PARTS) {
            throw new IllegalArgumentException("too many parts");
        }
        JsonNode reference = schema.path("$ref");
        JsonNode all = schema.path("allOf");
        JsonNode any = schema.has("anyOf") ? schema.path("anyOf") : schema.path("oneOf");
        ObjectNode plain;
        if (reference.isTextual()) {
            plain = referred(reference.asText(), within);
        } else if (all.size() == 1 && !schema.has("type")) {
            plain = plain(all.get(0), within);
        } else if (!any.isEmpty() && isNot(schema, "object")) {
            plain = JsonNodeFactory.instance.objectNode();
            ArrayNode each = plain.putArray("anyOf");
            any.forEach(one -> each.add(plain(one, within)));
        } else if (schema.path("type").isArray()) {
            plain = anyType(schema, within);
        } else {
            plain = typed(schema, within);
        }
        if (schema.path("description").isTextual()) {
            JsonNode replaced = plain.path("description");
            length -= replaced.isTextual() ? replaced.asText().length() + QUOTES : 0;
            count(schema.path("description").asText());
            plain.set("description", schema.get("description"));
        }
        return plain;
    }

    /** Counts a text of the result, which references may repeat often. In UTF-8 it has as many bytes as counted, or more. */
    private void count(String text) {
        length += text.length() + QUOTES;
        if (length > ToolListPages.MAX_TOOL_BYTES) {
            throw new IllegalArgumentException("too long");
        }
    }

    private ObjectNode referred(String reference, Set<String> within) {
        if (!reference.startsWith("#") || within.contains(reference)) {
            return JsonNodeFactory.instance.objectNode().put("type", "object");
        }
        Set<String> deeper = new HashSet<>(within);
        deeper.add(reference);
        return plain(root.at(reference.substring(1)), deeper);
    }

    private ObjectNode anyType(JsonNode schema, Set<String> within) {
        ObjectNode plain = JsonNodeFactory.instance.objectNode();
        ArrayNode each = plain.putArray("anyOf");
        Set<JsonNode> types = new LinkedHashSet<>();
        schema.path("type").forEach(types::add);
        for (JsonNode type : types) {
            ObjectNode one = JsonNodeFactory.instance.objectNode();
            schema.properties().forEach(field -> one.set(field.getKey(), field.getValue()));
            one.remove("description");
            one.set("type", type);
            each.add(plain(one, within));
        }
        if (each.isEmpty()) {
            throw new IllegalArgumentException("no type");
        }
        return plain;
    }

    private ObjectNode typed(JsonNode schema, Set<String> within) {
        String type = schema.has("type") ? schema.path("type").asText() : guessed(schema);
        return switch (type) {
            case "object" -> object(schema, within);
            case "array" -> {
                ObjectNode array = JsonNodeFactory.instance.objectNode().put("type", type);
                if (schema.path("items").isObject()) {
                    array.set("items", plain(schema.get("items"), within));
                }
                yield array;
            }
            case "string" -> string(schema);
            case "number", "integer", "boolean", "null" ->
                JsonNodeFactory.instance.objectNode().put("type", type);
            default -> throw new IllegalArgumentException("no type");
        };
    }

    private static String guessed(JsonNode schema) {
        if (schema.path("const").isTextual() || schema.path("enum").path(0).isTextual()) {
            return "string";
        }
        return schema.has("items") ? "array" : "object";
    }

    private ObjectNode object(JsonNode schema, Set<String> within) {
        ObjectNode object = JsonNodeFactory.instance.objectNode().put("type", "object");
        ObjectNode properties = object.putObject("properties");
        for (var property : schema.path("properties").properties()) {
            count(property.getKey());
            properties.set(property.getKey(), plain(property.getValue(), within));
        }
        ArrayNode required = object.putArray("required");
        for (JsonNode name : schema.path("required")) {
            if (properties.has(name.asText())) {
                count(name.asText());
                required.add(name.asText());
            }
        }
        if (schema.path("additionalProperties").isBoolean()) {
            object.set("additionalProperties", schema.get("additionalProperties"));
        }
        return object;
    }

    private ObjectNode string(JsonNode schema) {
        ObjectNode string = JsonNodeFactory.instance.objectNode().put("type", "string");
        if (schema.path("const").isTextual()) {
            count(schema.path("const").asText());
            string.putArray("enum").add(schema.get("const"));
            return string;
        }
        ArrayNode values = JsonNodeFactory.instance.arrayNode();
        schema.path("enum").forEach(value -> {
            if (value.isTextual()) {
                count(value.asText());
                values.add(value);
            }
        });
        if (!values.isEmpty()) {
            string.set("enum", values);
        }
        return string;
    }
}
