package dev.postern.ingress;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.postern.model.ErrorCode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;

/** A request body read as JSON (RFC 8259): UTF-8 only, bounded in depth and size of its parts. */
sealed interface JsonBody {

    /** The body's value; an empty body is an empty object. */
    record Value(JsonNode json) implements JsonBody {}

    /**
     * The body is not JSON, or exceeds a limit.
     *
     * @param code {@link ErrorCode#INVALID_JSON}, unless the error is not in JSON
     * @param sentence says where, and never quotes the body
     */
    record Malformed(ErrorCode code, String sentence) implements JsonBody {}

    /** Reads {@code body}. A leading byte order mark is skipped. */
    static JsonBody read(byte[] body) {
        if (body.length == 0) {
            return new Value(JsonNodeFactory.instance.objectNode());
        }
        CharBuffer text = CharBuffer.allocate(body.length);
        CharsetDecoder utf8 = StandardCharsets.UTF_8
                .newDecoder()
                .onMalformedInput(CodingErrorAction.REPORT)
                .onUnmappableCharacter(CodingErrorAction.REPORT);
        boolean decoded = !utf8.decode(ByteBuffer.wrap(body), text, true).isError();
        text.flip();
        if (!decoded) {
            return malformed("The body is not UTF-8", Reader.endOf(text));
        }
        int start = text.hasRemaining() && text.charAt(0) == '\uFEFF' ? 1 : 0;
        return Reader.parse(text.array(), start, text.length() - start);
    }

    private static Malformed malformed(String what, String where) {
        return new Malformed(ErrorCode.INVALID_JSON, what + " (" + where + ").");
    }

    /** The parser and its error messages. */
    final class Reader {

        private static final int MAX_DEPTH = 200;
        private static final int MAX_DIGITS = 1_000;
        private static final int MAX_NAME = 10_000;

        private static final ObjectReader JSON = JsonMapper.builder(JsonFactory.builder()
                        .streamReadConstraints(StreamReadConstraints.builder()
                                .maxNestingDepth(MAX_DEPTH)
                                .maxNumberLength(MAX_DIGITS)
                                .maxNameLength(MAX_NAME)
                                // A text may be as long as the body, which is bounded.
                                .maxStringLength(Integer.MAX_VALUE)
                                .build())
                        .disable(StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION)
                        // Names in untrusted content must not accumulate in a shared symbol table.
                        .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
                        .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
                        .build())
                .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
                .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
                .build()
                .readerFor(JsonNode.class);

        private Reader() {}

        private static JsonBody parse(char[] text, int offset, int length) {
            try (JsonParser parser = JSON.createParser(text, offset, length)) {
                return parse(parser);
            } catch (IOException e) {
                throw new UncheckedIOException("reading from memory failed", e);
            }
        }

        private static JsonBody parse(JsonParser parser) throws IOException {
            try {
                return new Value(JSON.with(new OriginalNumber.Factory(parser)).readValue(parser));
            } catch (StreamConstraintsException e) {
                return malformed(
                        "The body passes a limit: " + MAX_DEPTH + " levels of nesting, numbers of " + MAX_DIGITS
                                + " digits, names of " + MAX_NAME + " characters",
                        endOfWhatWasRead(parser));
            } catch (NumberFormatException e) {
                return malformed("The body has a number whose exponent is out of all bounds", endOfWhatWasRead(parser));
            } catch (JsonProcessingException e) {
                return malformed("The body is not valid JSON", endOfWhatWasRead(parser));
            }
        }

        private static String endOfWhatWasRead(JsonParser parser) {
            JsonLocation location = parser.currentLocation();
            return "line " + location.getLineNr() + ", column " + location.getColumnNr();
        }

        /** The position right after {@code text}. */
        private static String endOf(CharBuffer text) {
            int line = 1;
            int column = 1;
            for (int i = 0; i < text.length(); i++) {
                boolean newline = text.charAt(i) == '\n';
                line += newline ? 1 : 0;
                column = newline ? 1 : column + 1;
            }
            return "line " + line + ", column " + column;
        }
    }
}
