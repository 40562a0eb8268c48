package dev.postern.acceptance;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.postern.model.TurnRecord;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/** The JSON form of a turn record, for a column that no statement looks into. */
final class TurnRecordJson {

    private static final ObjectMapper JSON =
            new ObjectMapper().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);

    private TurnRecordJson() {}

    static String encode(TurnRecord turn) {
        try {
            return JSON.writeValueAsString(turn);
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }

    static @Nullable TurnRecord decode(@Nullable String text) {
        try {
            return text == null ? null : JSON.readValue(text, TurnRecord.class);
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }
}
