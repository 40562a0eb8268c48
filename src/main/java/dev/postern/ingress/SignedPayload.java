package dev.postern.ingress;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** What a check of a signature reads from the payload that is signed. */
public final class SignedPayload {

    /** The first number that is milliseconds (in the year 1973); smaller ones are seconds (up to the year 5138). */
    private static final long FIRST_MILLIS = 100_000_000_000L;

    private static final int MAX_DIGITS = 15;
    private static final int MAX_CHARACTERS = 40;

    private SignedPayload() {}

    /**
     * The moment in a field of {@code body}: whole seconds or milliseconds since 1970, or ISO 8601 with an offset. Empty if the body is not JSON, or the field is missing or holds no moment.
     *
     * @param field the path of names to it, with full stops between them
     */
    public static Optional<Instant> time(byte[] body, String field) {
        if (!(JsonBody.read(body) instanceof JsonBody.Value payload)) {
            return Optional.empty();
        }
        JsonNode value = payload.json();
        for (String name : field.split("\\.", -1)) {
            value = value.path(name);
        }
        if (value.isIntegralNumber()) {
            return ofNumber(value.asText());
        }
        return value.isTextual() ? ofText(value.textValue()) : Optional.empty();
    }

    /** The fields of the JSON object {@code body} whose values are texts, by name; none if it is no JSON object. */
    public static Map<String, String> texts(byte[] body) {
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

    private static Optional<Instant> ofText(String text) {
        if (text.length() > MAX_CHARACTERS) {
            return Optional.empty();
        }
        try {
            return Optional.of(OffsetDateTime.parse(text).toInstant());
        } catch (DateTimeException noIso) {
            return ofNumber(text);
        }
    }

    private static Optional<Instant> ofNumber(String digits) {
        boolean isNumber = !digits.isEmpty()
                && digits.length() <= MAX_DIGITS
                && digits.chars().allMatch(c -> c >= '0' && c <= '9');
        if (!isNumber) {
            return Optional.empty();
        }
        long number = Long.parseLong(digits);
        return Optional.of(number < FIRST_MILLIS ? Instant.ofEpochSecond(number) : Instant.ofEpochMilli(number));
    }
}
