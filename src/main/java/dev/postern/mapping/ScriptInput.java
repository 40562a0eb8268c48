package dev.postern.mapping;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.postern.model.HookRequest;
import org.jspecify.annotations.Nullable;

/** What a mapping's script is called with: the request's part of it, made once, and what differs from element to element. */
final class ScriptInput {

    private final HookRequest request;
    private final JsonNode payload;
    private @Nullable ObjectNode shared;

    ScriptInput(HookRequest request, JsonNode payload) {
        this.request = request;
        this.payload = payload;
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
            shared.set("payload", payload);
            ObjectNode headers = shared.putObject("headers");
            request.headers().forEach(headers::put);
            ObjectNode query = shared.putObject("query");
            request.query().forEach(query::put);
            shared.put("path", request.hook());
            shared.put("now", request.receivedAt().toString());
        }
        return shared;
    }
}
