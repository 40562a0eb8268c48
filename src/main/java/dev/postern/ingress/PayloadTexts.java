package dev.postern.ingress;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HashMap;
import java.util.Map;

/** The text fields of a payload. */
public final class PayloadTexts {

    private PayloadTexts() {}

    /** The fields of the JSON object {@code body} whose values are texts, by name; none if it is no JSON object. */
    public static Map<String, String> read(byte[] body) {
        Map<String, String> texts = new HashMap<>();
        if (JsonBody.read(body) instanceof JsonBody.Value payload) {
            for (Map.Entry<String, JsonNode> field : payload.json().properties()) {
                if (field.getValue().isTextual()) {
                    texts.put(field.getKey(), field.getValue().textValue());
                }
            }
        }
        return texts;
    }
}
