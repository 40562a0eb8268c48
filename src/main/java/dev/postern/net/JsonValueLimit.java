package dev.postern.net;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import java.io.IOException;

/**
 * A limit on the number of values in a JSON text. A tree of many small values needs some fifty times the memory of its text,
 * so a limit on the length of the text is not enough. The values are counted one by one, without a tree.
 */
public final class JsonValueLimit {

    /** The most values: objects, arrays, texts, numbers, booleans and nulls, at all depths. */
    public static final int MAX_VALUES = 100_000;

    private static final JsonFactory JSON = JsonFactory.builder()
            // The callers limit the text, and their own parsers limit its parts.
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(Integer.MAX_VALUE)
                    .maxNumberLength(Integer.MAX_VALUE)
                    .maxNameLength(Integer.MAX_VALUE)
                    .maxStringLength(Integer.MAX_VALUE)
                    .build())
            // Names in untrusted content must not accumulate in a shared symbol table.
            .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
            .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
            .build();

    private JsonValueLimit() {}

    /**
     * Whether {@code json} has more than {@value #MAX_VALUES} values. In a text that is not valid JSON, only the values before
     * the first error count: a parser builds a tree of no others.
     *
     * @param json a JSON text, or several in a row
     */
    public static boolean isExceeded(String json) {
        try (JsonParser parser = JSON.createParser(json)) {
            int values = 0;
            for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
                if (token.isStructStart() || token.isScalarValue()) {
                    values++;
                }
                if (values > MAX_VALUES) {
                    return true;
                }
            }
            return false;
        } catch (IOException malformed) {
            return false;
        }
    }
}
