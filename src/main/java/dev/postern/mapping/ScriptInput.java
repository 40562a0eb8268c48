package dev.postern.mapping;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.postern.model.HookRequest;
import org.jspecify.annotations.Nullable;

/**
 * The argument of a mapping's script. The part of the request is built once; the action and the element differ from call to
 * call.
 */
final class ScriptInput {

    private final HookRequest request;
    private final JsonNode payload;
    private @Nullable ObjectNode shared;

    ScriptInput(HookRequest request, JsonNode payload) {
        this.request = request;
        this.payload = payload;
    }

    /**
     * Builds the argument of one call.
     *
     * @param action the fields that the templates rendered
     * @param item the element, with {@code index} as its position from 0; null if the mapping has no {@code forEach}
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
