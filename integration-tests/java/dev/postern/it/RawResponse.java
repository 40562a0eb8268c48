package dev.postern.it;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonObject;
import com.google.gson.Strictness;
import dev.postern.it.openapi.ActualResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * An HTTP response as it came over the wire.
 *
 * @param headers by name in any case; a header that was sent twice has two values
 * @param body its bytes as ISO 8859-1, which is its text where it holds ASCII alone
 */
record RawResponse(int status, Map<String, List<String>> headers, String body) {

    private static final Gson STRICT =
            new GsonBuilder().setStrictness(Strictness.STRICT).create();

    RawResponse {
        Map<String, List<String>> byName = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        byName.putAll(headers);
        headers = byName;
    }

    /** The one value of a header, empty where it is absent. */
    Optional<String> header(String name) {
        List<String> values = headers.getOrDefault(name, List.of());
        if (values.size() > 1) {
            throw new AssertionError(name + " was sent more than once: " + this);
        }
        return values.stream().findFirst();
    }

    /** The same, to be held against the web application's document. */
    ActualResponse toActualResponse() {
        return new ActualResponse(
                status, headers, new String(body.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8));
    }

    /** The body, which must be one JSON object. */
    JsonObject json() {
        return STRICT.fromJson(body, JsonObject.class);
    }

    /** A field of the body that holds a string. */
    String text(String field) {
        return json().get(field).getAsString();
    }
}
