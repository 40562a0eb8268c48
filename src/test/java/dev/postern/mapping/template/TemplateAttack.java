package dev.postern.mapping.template;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Objects;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/**
 * An attack: a template, or a payload for an honest one, that tries to escape or to use up the server.
 *
 * @param payload null for one that is large in every way
 * @param gives the text that has to come out; null if there need not be any
 */
record TemplateAttack(String kind, String name, String template, @Nullable JsonNode payload, @Nullable String gives) {

    private static final JsonMapper JSON = new JsonMapper();

    /** The attacks of one of the files in {@code /attacks}, in their order. */
    static Stream<TemplateAttack> of(String file) {
        try (InputStream in = TemplateAttack.class.getResourceAsStream("/attacks/" + file)) {
            JsonNode attacks = JSON.readTree(Objects.requireNonNull(in)).path("attacks");
            return StreamSupport.stream(attacks.spliterator(), false).map(TemplateAttack::read);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static TemplateAttack read(JsonNode entry) {
        return new TemplateAttack(
                entry.path("kind").asText(),
                entry.path("name").asText(),
                template(entry.path("template")),
                entry.has("payload") ? value(entry.get("payload")) : null,
                entry.path("gives").textValue());
    }

    /** A text; or parts one after the other, each a text or, as {@code [text, n]}, n times a text. */
    private static String template(JsonNode written) {
        StringBuilder text = new StringBuilder(written.asText());
        for (JsonNode part : written) {
            text.append(part.isArray() ? part.get(0).asText().repeat(part.get(1).asInt()) : part.asText());
        }
        return text.toString();
    }

    /** A value as it stands, or one that is described by how it is made. */
    private static JsonNode value(JsonNode written) {
        if (written.has("repeat")) {
            return repeated(value(written.get("repeat")), written.get("times").asInt());
        }
        if (written.has("parts")) {
            StringBuilder text = new StringBuilder();
            written.get("parts").forEach(part -> text.append(value(part).asText()));
            return TextNode.valueOf(text.toString());
        }
        if (written.has("nest")) {
            ArrayNode lists = JsonNodeFactory.instance.arrayNode();
            ArrayNode inner = lists;
            for (int i = 1; i < written.get("nest").asInt(); i++) {
                inner = inner.addArray();
            }
            return lists;
        }
        if (written.has("wide")) {
            ObjectNode fields = JsonNodeFactory.instance.objectNode();
            for (int i = 0; i < written.get("wide").asInt(); i++) {
                fields.put("key" + i, i);
            }
            return fields;
        }
        if (written.has("number")) {
            return RenderingFixture.json(written.get("number").asText());
        }
        return within(written);
    }

    private static JsonNode within(JsonNode written) {
        if (written.isObject()) {
            ObjectNode fields = JsonNodeFactory.instance.objectNode();
            written.properties().forEach(field -> fields.set(field.getKey(), value(field.getValue())));
            return fields;
        }
        if (written.isArray()) {
            ArrayNode items = JsonNodeFactory.instance.arrayNode();
            written.forEach(item -> items.add(value(item)));
            return items;
        }
        return written;
    }

    private static JsonNode repeated(JsonNode one, int times) {
        if (one.isTextual()) {
            return TextNode.valueOf(one.asText().repeat(times));
        }
        ArrayNode items = JsonNodeFactory.instance.arrayNode();
        for (int i = 0; i < times; i++) {
            items.add(one);
        }
        return items;
    }

    @Override
    public String toString() {
        return kind + " " + name;
    }
}
