package dev.postern.it.openapi;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.harrel.jsonschema.Validator;
import dev.harrel.jsonschema.ValidatorFactory;
import dev.harrel.jsonschema.providers.GsonNode;
import java.net.URI;
import java.util.List;

/** A cache of the document's schemas, each read once. */
final class Schemas {

    private static final String BASE = "https://postern.example/answers";

    private final Validator validator =
            new ValidatorFactory().withJsonNodeFactory(new GsonNode.Factory()).createValidator();
    private final JsonObject components;
    private final JsonArray added = new JsonArray();

    /** @param components what the document has below {@code components/schemas} */
    Schemas(JsonObject components) {
        this.components = components;
    }

    /** Adds a schema, which may refer to the components; it can be asked about once all are {@link #complete}. */
    URI add(JsonElement schema) {
        added.add(schema);
        return URI.create(BASE + "#/added/" + (added.size() - 1));
    }

    void complete() {
        JsonObject shared = new JsonObject();
        shared.add("schemas", components);
        JsonObject all = new JsonObject();
        all.add("components", shared);
        all.add("added", added);
        validator.registerSchema(URI.create(BASE), all);
    }

    /** What keeps {@code value} from being what {@code schema} says, a line each; none where it is. */
    List<String> faults(URI schema, JsonElement value) {
        return validator.validate(schema, value).getErrors().stream()
                .map(error -> "at [" + error.getInstanceLocation() + "]: " + error.getError())
                .toList();
    }
}
