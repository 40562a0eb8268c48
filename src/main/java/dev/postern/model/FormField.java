package dev.postern.model;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URLDecoder;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A field of a form, {@code application/x-www-form-urlencoded} in UTF-8 (URL Standard, section 5.1).
 *
 * @param name the field's name, decoded
 * @param value the field's value, decoded; empty if there is none
 */
public record FormField(String name, String value) {

    /** The maximum number of fields of one form. */
    public static final int MAX_FIELDS = 1_000;

    /**
     * The fields of {@code form} in their order. Empty if there are more than {@link #MAX_FIELDS}, if an escape is malformed,
     * or if a name or value is not UTF-8.
     */
    public static Optional<List<FormField>> read(byte[] form) {
        List<FormField> fields = new ArrayList<>();
        try {
            for (String pair : new String(form, ISO_8859_1).split("&", -1)) {
                if (!pair.isEmpty()) {
                    String name = pair.split("=", 2)[0];
                    String value = pair.substring(Math.min(pair.length(), name.length() + 1));
                    if (fields.size() == MAX_FIELDS) {
                        return Optional.empty();
                    }
                    fields.add(new FormField(decoded(name), decoded(value)));
                }
            }
            return Optional.of(fields);
        } catch (IllegalArgumentException | CharacterCodingException malformed) {
            return Optional.empty();
        }
    }

    /**
     * The text that {@code encoded} stands for.
     *
     * @throws IllegalArgumentException for a malformed escape
     */
    private static String decoded(String encoded) throws CharacterCodingException {
        byte[] bytes = URLDecoder.decode(encoded, ISO_8859_1).getBytes(ISO_8859_1);
        return UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    }
}
