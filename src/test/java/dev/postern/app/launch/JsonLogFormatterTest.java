package dev.postern.app.launch;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.time.Instant;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of the log in JSON. */
class JsonLogFormatterTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "a \"quoted\" \\ word",
                "two\nlines\r\n\tand {\"more\": 1}",
                "\u0000\u001b[31m\u007f\u0085\u2028\u2029",
                "größe \uD83D\uDE00 and half of one \uD83D"
            })
    void writesAnyTextOnOneLine(String message) throws JsonProcessingException {
        String line = new JsonLogFormatter().format(logRecord(message));

        assertThat(line.lines()).hasSize(1);
        assertThat(line).endsWith("}\n");
        assertThat(line.strip()).isPrintable().isASCII();
        assertThat(json(line).path("message").textValue()).isEqualTo(message);
    }

    @Test
    void saysWhenAndWhereAndWithWhichError() throws JsonProcessingException {
        LogRecord logRecord = logRecord("It is {0}.");
        logRecord.setParameters(new Object[] {"broken"});
        logRecord.setThrown(new IllegalStateException("why", new RuntimeException("cause")));

        JsonNode entry = json(new JsonLogFormatter().format(logRecord));

        assertThat(entry.fieldNames())
                .toIterable()
                .containsExactly("timestamp", "level", "logger", "thread", "message", "exception");
        assertThat(entry.path("timestamp").textValue()).isEqualTo("2026-11-26T09:30:00.123Z");
        assertThat(entry.path("level").textValue()).isEqualTo("WARNING");
        assertThat(entry.path("logger").textValue()).isEqualTo("dev.postern.Example");
        assertThat(entry.path("thread").textValue())
                .isEqualTo(Thread.currentThread().getName());
        assertThat(entry.path("message").textValue()).isEqualTo("It is broken.");
        assertThat(entry.path("exception").textValue())
                .startsWith("java.lang.IllegalStateException: why\n\tat ")
                .contains("Caused by: java.lang.RuntimeException: cause");
    }

    @Test
    void writesTheErrorOfARecordWithoutMessage() throws JsonProcessingException {
        LogRecord logRecord = logRecord(null);
        logRecord.setThrown(new IllegalStateException("why"));

        JsonNode entry = json(new JsonLogFormatter().format(logRecord));

        assertThat(entry.path("message").textValue()).isEqualTo("null");
        assertThat(entry.path("exception").textValue()).startsWith("java.lang.IllegalStateException: why");
    }

    @Test
    void namesTraceThatMessageNames() throws JsonProcessingException {
        String trace = "4bf92f3577b34da6a3ce929d0e0e4736";

        assertThat(json(new JsonLogFormatter().format(logRecord("Turn run_1, trace " + trace + ": begins")))
                        .path("trace_id")
                        .textValue())
                .isEqualTo(trace);
        assertThat(json(new JsonLogFormatter().format(logRecord("Turn run_1, trace " + trace + "0: begins")))
                        .has("trace_id"))
                .isFalse();
    }

    private static LogRecord logRecord(@Nullable String message) {
        LogRecord logRecord = new LogRecord(Level.WARNING, message);
        logRecord.setLoggerName("dev.postern.Example");
        logRecord.setInstant(Instant.parse("2026-11-26T09:30:00.123Z"));
        return logRecord;
    }

    private static JsonNode json(String line) throws JsonProcessingException {
        return new ObjectMapper().readTree(line);
    }
}
