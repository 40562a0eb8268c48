package dev.postern.ingress;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.postern.config.MappingSettings.FormPayload;
import dev.postern.model.ErrorCode;
import dev.postern.model.FormField;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A request body read as a form, {@code application/x-www-form-urlencoded}. */
final class FormBody {

    static final String MEDIA_TYPE = "application/x-www-form-urlencoded";
    private static final String PAYLOAD = "payload";

    private FormBody() {}

    /**
     * Whether {@code body} is a form. A body that begins like an object or a list of JSON is none, whatever its type: curl
     * sends JSON with the type of a form unless told otherwise.
     *
     * @param headers the request's headers by lower-case name
     */
    static boolean isForm(Map<String, String> headers, byte[] body) {
        @Nullable String type = headers.get("content-type");
        return type != null
                && type.split(";", 2)[0].strip().toLowerCase(Locale.ROOT).equals(MEDIA_TYPE)
                && body.length > 0
                && isFormCharacter(body[0]);
    }

    /** Whether an encoded form may begin with {@code first}; white space, a byte order mark and JSON may not. */
    private static boolean isFormCharacter(byte first) {
        return first > ' ' && first != '{' && first != '[' && first != '"';
    }

    /** Reads the payload of the form {@code body}. */
    static JsonBody read(byte[] body, FormPayload payload) {
        Optional<List<FormField>> fields = FormField.read(body);
        if (fields.isEmpty()) {
            return malformed("The form has more than " + FormField.MAX_FIELDS
                    + " fields, or a malformed escape, or is not UTF-8.");
        }
        return payload == FormPayload.PAYLOAD ? payload(fields.get()) : new JsonBody.Value(object(fields.get()));
    }

    /** The JSON in the field {@code payload}, of which there may be one. */
    private static JsonBody payload(List<FormField> fields) {
        List<FormField> payloads =
                fields.stream().filter(field -> field.name().equals(PAYLOAD)).toList();
        if (payloads.size() != 1) {
            return malformed("The form has " + (payloads.isEmpty() ? "no" : "more than one") + " field payload.");
        }
        JsonBody json = JsonBody.read(payloads.get(0).value().getBytes(StandardCharsets.UTF_8));
        return json instanceof JsonBody.Malformed malformed
                ? malformed(malformed.sentence().replaceFirst("^The body", "The form's field payload"))
                : json;
    }

    /** An object with all fields: a text each, or a list of texts for a name that occurs again. */
    private static JsonNode object(List<FormField> fields) {
        ObjectNode object = JsonNodeFactory.instance.objectNode();
        for (FormField field : fields) {
            @Nullable JsonNode earlier = object.get(field.name());
            if (earlier == null) {
                object.put(field.name(), field.value());
            } else if (earlier instanceof ArrayNode texts) {
                texts.add(field.value());
            } else {
                object.putArray(field.name()).add(earlier).add(field.value());
            }
        }
        return object;
    }

    private static JsonBody malformed(String sentence) {
        return new JsonBody.Malformed(ErrorCode.INVALID_PAYLOAD, sentence);
    }
}
