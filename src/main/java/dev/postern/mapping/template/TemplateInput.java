package dev.postern.mapping.template;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The input of a request's templates: {@code payload}, {@code headers}, {@code query}, {@code path}, {@code now}, and for
 * an element of a fan-out {@code item} and {@code index}. It is made once per request; the templates share it and don't
 * change it.
 */
public final class TemplateInput {

    private static final int LONGEST_NAME = 256;

    private final JsonNode payload;
    private final ObjectNode headers;
    private final ObjectNode query;
    private final TextNode path;
    private final TextNode now;
    private final @Nullable JsonNode item;
    private final @Nullable IntNode index;

    /**
     * Makes the input of a request without a fan-out.
     *
     * @param payload any JSON; numbers are shown as exactly as its nodes hold them
     * @param headers by lower-case name, without those that carry a token
     * @param path below the hook path, such as {@code github/push}
     * @param now shown as an ISO-8601 instant
     */
    public TemplateInput(
            JsonNode payload, Map<String, String> headers, Map<String, String> query, String path, Instant now) {
        this(payload, object(headers), object(query), new TextNode(path), new TextNode(now.toString()), null, null);
    }

    private TemplateInput(
            JsonNode payload,
            ObjectNode headers,
            ObjectNode query,
            TextNode path,
            TextNode now,
            @Nullable JsonNode item,
            @Nullable IntNode index) {
        this.payload = payload;
        this.headers = headers;
        this.query = query;
        this.path = path;
        this.now = now;
        this.item = item;
        this.index = index;
    }

    /** The input for one element of the fan-out; {@code index} counts from 0. */
    public TemplateInput forItem(JsonNode item, int index) {
        return new TemplateInput(payload, headers, query, path, now, item, IntNode.valueOf(index));
    }

    /** The value of a top-level name; null for an unknown one, and for {@code item} and {@code index} outside a fan-out. */
    @Nullable
    JsonNode named(String name) {
        return switch (name) {
            case "payload" -> payload;
            case "headers" -> headers;
            case "query" -> query;
            case "path" -> path;
            case "now" -> now;
            case "item" -> item;
            case "index" -> index;
            default -> null;
        };
    }

    /** The header of a name in any case; null if there is none. */
    @Nullable
    JsonNode header(String name) {
        JsonNode exact = headers.get(name);
        // The name may come from a payload. Names of headers are short, and lower-casing a long text takes long.
        return exact == null && name.length() <= LONGEST_NAME ? headers.get(name.toLowerCase(Locale.ROOT)) : exact;
    }

    private static ObjectNode object(Map<String, String> fields) {
        ObjectNode object = JsonNodeFactory.instance.objectNode();
        fields.forEach(object::put);
        return object;
    }
}
