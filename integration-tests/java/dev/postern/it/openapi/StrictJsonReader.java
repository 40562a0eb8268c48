package dev.postern.it.openapi;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonElement;
import com.google.gson.JsonParseException;
import com.google.gson.Strictness;
import java.util.Optional;

/** A JSON reader that follows RFC 8259. */
final class StrictJsonReader {

    private static final Gson STRICT =
            new GsonBuilder().setStrictness(Strictness.STRICT).create();

    private StrictJsonReader() {}

    /** The value that {@code text} is; empty where it is none, or has a name twice. */
    static Optional<JsonElement> read(String text) {
        try {
            return Optional.ofNullable(STRICT.fromJson(text, JsonElement.class));
        } catch (JsonParseException malformed) {
            return Optional.empty();
        }
    }
}
