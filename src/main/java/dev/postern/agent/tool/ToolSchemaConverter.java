package dev.postern.agent.tool;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * A converter for the schema of a tool's arguments. It uses only keywords that LangChain4j 1.18 reads and each provider
 * accepts: {@code type}, {@code description}, {@code properties}, {@code required}, {@code additionalProperties},
 * {@code items}, {@code enum} and {@code anyOf}. A reference, which not every provider accepts, is replaced by its target,
 * and a recursive one by any object. {@code oneOf}, {@code const}, {@code allOf} and a list of types are translated. What says
 * nothing of its type is any value, and numbers that alone are allowed stand in the description. Other keywords, such as bounds
 * of numbers, are left out: the server checks its arguments.
 */
final class ToolSchemaConverter {

    /** The type of a schema that does not say one. */
    private static final String ANY = "";

    private static final int MOST_PARTS = 2_000;
    private static final int QUOTES = 2;
    private static final int MOST_NUMBERS = 50;

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
        ObjectNode plain = schema.path("$ref").isTextual() || schema.has("allOf")
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
        } else if (!all.isEmpty() && !schema.path("type").isArray()) {
            plain = allOf(schema, within);
        } else if (!any.isEmpty() && isNot(schema, "object")) {
            plain = JsonNodeFactory.instance.objectNode();
            ArrayNode each = plain.putArray("anyOf");
            any.forEach(one -> each.add(plain(one, within)));
        } else if (schema.path("type").isArray()) {
            plain = anyType(schema, within);
        } else {
            plain = typed(schema, within);
        }
        describe(plain, schema);
        return plain;
    }

    private void describe(ObjectNode plain, JsonNode schema) {
        String numbers = numbers(schema);
        String description = schema.path("description").asText("");
        if (description.isEmpty() && numbers.isEmpty()) {
            return;
        }
        JsonNode replaced = plain.path("description");
        length -= replaced.isTextual() ? replaced.asText().length() + QUOTES : 0;
        String said = description.isEmpty() || numbers.isEmpty() ? description + numbers : description + " " + numbers;
        count(said);
        plain.put("description", said);
    }

    /** The numbers that alone are allowed, in words; empty if others are, or if there are too many to tell. */
    private static String numbers(JsonNode schema) {
        List<String> numbers = new ArrayList<>();
        for (JsonNode value : allowed(schema)) {
            if (value.isNumber()) {
                numbers.add(value.asText());
            }
        }
        return numbers.isEmpty() || numbers.size() > MOST_NUMBERS ? "" : "One of: " + String.join(", ", numbers) + ".";
    }

    /** The values that alone are allowed; none if others are. */
    private static Iterable<JsonNode> allowed(JsonNode schema) {
        return schema.has("const") ? List.of(schema.get("const")) : schema.path("enum");
    }

    /** An object with the properties of all parts, or else the first part that says what it is. */
    private ObjectNode allOf(JsonNode schema, Set<String> within) {
        List<ObjectNode> all = new ArrayList<>();
        if (schema.has("type") || schema.has("properties")) {
            all.add(typed(schema, within));
        }
        schema.path("allOf").forEach(part -> all.add(plain(part, within)));
        ObjectNode first = all.get(0);
        for (ObjectNode part : all.subList(1, all.size())) {
            if (first.has("anyOf") && !part.has("anyOf")) {
                first = part;
            } else if (!isNot(first, "object") && !isNot(part, "object")) {
                add(first, part);
            }
        }
        return first;
    }

    /** Adds the properties of {@code part} to {@code object}, which then says nothing of further ones. */
    private static void add(ObjectNode object, ObjectNode part) {
        ObjectNode properties = object.withObject("/properties");
        part.path("properties").properties().forEach(each -> properties.putIfAbsent(each.getKey(), each.getValue()));
        Set<JsonNode> required = new LinkedHashSet<>();
        object.path("required").forEach(required::add);
        part.path("required").forEach(required::add);
        object.putArray("required").addAll(required);
        object.remove("additionalProperties");
    }

    /** A schema of any value. */
    private ObjectNode any() {
        ObjectNode any = anyItem();
        any.withArray("anyOf").addObject().put("type", "array").set("items", anyItem());
        return any;
    }

    /** A schema of any value that is no array. Some providers want to know the items of each array. */
    private ObjectNode anyItem() {
        ObjectNode any = JsonNodeFactory.instance.objectNode();
        ArrayNode each = any.putArray("anyOf");
        for (String type : List.of("string", "number", "boolean", "object")) {
            count(type);
            each.addObject().put("type", type);
        }
        return any;
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
            case ANY -> any();
            case "object" -> object(schema, within);
            case "array" -> {
                ObjectNode array = JsonNodeFactory.instance.objectNode().put("type", type);
                JsonNode items = schema.path("items");
                array.set("items", items.isObject() ? plain(items, within) : anyItem());
                yield array;
            }
            case "string" -> string(schema);
            case "number", "integer", "boolean", "null" ->
                JsonNodeFactory.instance.objectNode().put("type", type);
            default -> throw new IllegalArgumentException("no type");
        };
    }

    /** The type of the values that {@code schema} allows; else array or object where it describes one. */
    private static String guessed(JsonNode schema) {
        for (JsonNode value : allowed(schema)) {
            if (value.isTextual()) {
                return "string";
            }
            if (value.isNumber()) {
                return "number";
            }
            if (value.isBoolean()) {
                return "boolean";
            }
        }
        if (schema.has("items")) {
            return "array";
        }
        return schema.has("properties") || schema.has("additionalProperties") ? "object" : ANY;
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
