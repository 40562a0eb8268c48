package dev.postern.ingress;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.postern.config.MappingSettings.FormPayload;
import dev.postern.model.ErrorCode;
import java.net.URLDecoder;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A request body read as a form, {@code application/x-www-form-urlencoded} in UTF-8 (URL Standard, section 5.1). Its fields
 * keep their order, and their number is bounded.
 */
final class FormBody {

    private static final String MEDIA_TYPE = "application/x-www-form-urlencoded";
    private static final String PAYLOAD = "payload";
    private static final int MAX_FIELDS = 1_000;

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
        List<Field> fields = new ArrayList<>();
        for (String pair : new String(body, ISO_8859_1).split("&", -1)) {
            if (fields.size() == MAX_FIELDS) {
                return malformed("The form has more than " + MAX_FIELDS + " fields.");
            }
            if (!pair.isEmpty()) {
                String name = pair.split("=", 2)[0];
                @Nullable Field field = field(name, pair.substring(Math.min(pair.length(), name.length() + 1)));
                if (field == null) {
                    return malformed("The form has a malformed escape, or is not UTF-8.");
                }
                fields.add(field);
            }
        }
        return payload == FormPayload.PAYLOAD ? payload(fields) : new JsonBody.Value(object(fields));
    }

    /**
     * A field of a form, decoded.
     *
     * @param value the bytes of its value, which are UTF-8
     */
    @SuppressWarnings("ArrayRecordComponent") // the bytes are handed on, never compared
    private record Field(String name, byte[] value) {

        String text() {
            return new String(value, UTF_8);
        }
    }

    /** The JSON in the field {@code payload}, of which there may be one. */
    private static JsonBody payload(List<Field> fields) {
        List<Field> payloads =
                fields.stream().filter(field -> field.name().equals(PAYLOAD)).toList();
        if (payloads.size() != 1) {
            return malformed("The form has " + (payloads.isEmpty() ? "no" : "more than one") + " field payload.");
        }
        JsonBody json = JsonBody.read(payloads.get(0).value());
        return json instanceof JsonBody.Malformed malformed
                ? malformed(malformed.sentence().replaceFirst("^The body", "The form's field payload"))
                : json;
    }

    /** An object with all fields: a text each, or a list of texts for a name that occurs again. */
    private static JsonNode object(List<Field> fields) {
        ObjectNode object = JsonNodeFactory.instance.objectNode();
        for (Field field : fields) {
            @Nullable JsonNode earlier = object.get(field.name());
            if (earlier == null) {
                object.put(field.name(), field.text());
            } else if (earlier instanceof ArrayNode texts) {
                texts.add(field.text());
            } else {
                object.putArray(field.name()).add(earlier).add(field.text());
            }
        }
        return object;
    }

    private static JsonBody malformed(String sentence) {
        return new JsonBody.Malformed(ErrorCode.INVALID_PAYLOAD, sentence);
    }

    /** Decodes a field; null if it has a malformed escape or is not UTF-8. */
    private static @Nullable Field field(String name, String value) {
        try {
            byte[] bytes = decoded(value);
            UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes));
            return new Field(
                    UTF_8.newDecoder().decode(ByteBuffer.wrap(decoded(name))).toString(), bytes);
        } catch (IllegalArgumentException | CharacterCodingException malformed) {
            return null;
        }
    }

    /**
     * The bytes that {@code text} stands for.
     *
     * @throws IllegalArgumentException for a malformed escape
     */
    private static byte[] decoded(String text) {
        return URLDecoder.decode(text, ISO_8859_1).getBytes(ISO_8859_1);
    }
}
