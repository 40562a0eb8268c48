package dev.postern.mapping;

import com.fasterxml.jackson.databind.JsonNode;
import dev.postern.model.BlankText;
import dev.postern.model.Rejection;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The typed fields of a payload. No value is coerced: a wrong type is an error that names the field. {@code null} counts as
 * absent, and invisible text ({@link BlankText}) as blank. Strings are trimmed, and unknown fields are ignored. Only the
 * first error is kept; values read after it are meaningless and are discarded with it.
 */
final class PayloadFields {

    private final JsonNode payload;
    private @Nullable Rejection error;

    PayloadFields(JsonNode payload) {
        this.payload = payload;
        if (!payload.isObject()) {
            error = Rejection.invalid(null, "The body must be a JSON object.");
        }
    }

    /** Reads a string that must be present and not blank. */
    String required(String name) {
        @Nullable String value = string(name);
        if (value == null || BlankText.isBlank(value)) {
            fail(name, name + " is required: a string that is not blank.");
            return "";
        }
        return value;
    }

    /** Reads a string; null if it is absent or blank. */
    @Nullable
    String optional(String name) {
        @Nullable String value = string(name);
        return value == null || BlankText.isBlank(value) ? null : value;
    }

    /** Reads a string, trimmed and perhaps empty; null if it is absent. */
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

    /** Reads one of a few words, spelled exactly. */
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

    /** Reads a number of seconds greater than 0, rounded up to a millisecond. The policy sets the upper limit. */
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

    /** The first error; null if there is none. */
    @Nullable
    Rejection error() {
        return error;
    }

    private @Nullable JsonNode value(String name) {
        @Nullable JsonNode value = payload.get(name);
        return value == null || value.isNull() ? null : value;
    }

    private void fail(String field, String sentence) {
        if (error == null) {
            error = Rejection.invalid(field, sentence);
        }
    }
}
