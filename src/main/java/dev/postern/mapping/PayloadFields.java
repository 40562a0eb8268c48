package dev.postern.mapping;

import com.fasterxml.jackson.databind.JsonNode;
import dev.postern.model.BlankText;
import dev.postern.model.Rejection;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Reads typed fields from a payload without coercing any: a wrong type is a fault that names the field, {@code null}
 * counts as absent, strings are trimmed, what shows nothing ({@link BlankText}) is blank, unknown fields are not looked at. The first fault is kept; what is read after
 * it is of no use and is thrown away with it.
 */
final class PayloadFields {

    private final JsonNode payload;
    private @Nullable Rejection fault;

    PayloadFields(JsonNode payload) {
        this.payload = payload;
        if (!payload.isObject()) {
            fault = Rejection.invalid(null, "The body must be a JSON object.");
        }
    }

    /** A string that must be there and not be blank. */
    String required(String name) {
        @Nullable String value = string(name);
        if (value == null || BlankText.isNothing(value)) {
            fail(name, name + " is required: a string that is not blank.");
            return "";
        }
        return value;
    }

    /** A string, or null where it is absent or blank. */
    @Nullable
    String optional(String name) {
        @Nullable String value = string(name);
        return value == null || BlankText.isNothing(value) ? null : value;
    }

    /** A string, trimmed and perhaps empty, or null where it is absent. */
    @Nullable
    String string(String name) {
        @Nullable JsonNode value = value(name);
        if (value == null) {
            return null;
        }
        if (!value.isTextual()) {
            fail(name, name + " must be a string.");
            return null;
        }
        return BlankText.trimmed(value.textValue());
    }

    boolean flag(String name, boolean otherwise) {
        @Nullable JsonNode value = value(name);
        if (value == null) {
            return otherwise;
        }
        if (!value.isBoolean()) {
            fail(name, name + " must be true or false, without quotes.");
        }
        return value.booleanValue();
    }

    /** One of a few words, spelled exactly. */
    <T> T choice(String name, Function<String, Optional<T>> words, T otherwise, String allowed) {
        @Nullable String value = string(name);
        if (value == null) {
            return otherwise;
        }
        return words.apply(value).orElseGet(() -> {
            fail(name, name + " must be " + allowed + ".");
            return otherwise;
        });
    }

    /** A number of seconds more than 0, rounded up to a millisecond. How many are too many is for policy to say. */
    @Nullable
    Duration seconds(String name) {
        @Nullable JsonNode value = value(name);
        if (value == null) {
            return null;
        }
        if (!value.isNumber() || !(value.doubleValue() > 0)) {
            fail(name, name + " must be a number more than 0.");
            return null;
        }
        return Duration.ofMillis((long) Math.ceil(value.doubleValue() * 1000));
    }

    /** What is wrong, or null while nothing is. */
    @Nullable
    Rejection fault() {
        return fault;
    }

    private @Nullable JsonNode value(String name) {
        @Nullable JsonNode value = payload.get(name);
        return value == null || value.isNull() ? null : value;
    }

    private void fail(String field, String sentence) {
        if (fault == null) {
            fault = Rejection.invalid(field, sentence);
        }
    }
}
