package dev.postern.mapping;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.jspecify.annotations.Nullable;

/** What a mapping's script is called with: the request's part of it, made once, and what differs from element to element. */
final class ScriptInput {

    private final Arrival arrival;
    private @Nullable ObjectNode shared;

    ScriptInput(Arrival arrival) {
        this.arrival = arrival;
    }

    /**
     * For one call.
     *
     * @param action what the templates made
     * @param item the element, and {@code index} its place; null where the mapping has no {@code forEach}
     */
    ObjectNode with(ObjectNode action, @Nullable JsonNode item, int index) {
        ObjectNode input = JsonNodeFactory.instance.objectNode();
        input.setAll(shared());
        input.set("action", action);
        if (item != null) {
            input.set("item", item);
            input.put("index", index);
        }
        return input;
    }

    private ObjectNode shared() {
        if (shared == null) {
            shared = JsonNodeFactory.instance.objectNode();
            shared.set("payload", arrival.payload());
            ObjectNode headers = shared.putObject("headers");
            arrival.headers().forEach(headers::put);
            ObjectNode query = shared.putObject("query");
            arrival.query().forEach(query::put);
            shared.put("path", arrival.hook());
            shared.put("now", arrival.now().toString());
        }
        return shared;
    }
}
