package dev.postern.ingress;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SignedPayloadTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{",
                "[]",
                "7",
                "{}",
                "{\"at\": null}",
                "{\"at\": true}",
                "{\"at\": {\"at\": 1760000000}}",
                "{\"at\": [1760000000]}",
                "{\"at\": -1760000000}",
                "{\"at\": 1760000000.5}",
                "{\"at\": 1.76e9}",
                "{\"at\": 1e1000000000}",
                "{\"at\": 1760000000000000}",
                "{\"at\": 99999999999999999999999999}",
                "{\"at\": \"\"}",
                "{\"at\": \" 1760000000\"}",
                "{\"at\": \"+1760000000\"}",
                "{\"at\": \"\u0661760000000\"}",
                "{\"at\": \"2025-10-09\"}",
                "{\"at\": \"2025-10-09T08:53:20\"}",
                "{\"at\": \"9 Oct 2025 08:53:20 GMT\"}",
                "{\"other\": 1760000000}",
                "{\"at\": 1760000000} {}"
            })
    void findsNoneWhereNoneIsSaidPlainly(String body) {
        assertThat(SignedPayload.time(body.getBytes(UTF_8), "at")).isEmpty();
    }

    @Test
    void findsNoneBelowWhatIsNoObject() {
        assertThat(read("{\"sent\": 7}", "sent.at")).isEmpty();
        assertThat(read("{\"sent\": [{\"at\": 1760000000}]}", "sent.0.at")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "1760000000 | 2025-10-09T08:53:20Z",
                "1760000000123 | 2025-10-09T08:53:20.123Z",
                "\"1760000000\" | 2025-10-09T08:53:20Z",
                "\"1760000000123\" | 2025-10-09T08:53:20.123Z",
                "\"2025-10-09T08:53:20Z\" | 2025-10-09T08:53:20Z",
                "\"2025-10-09T10:53:20.5+02:00\" | 2025-10-09T08:53:20.5Z",
                "99999999999 | 5138-11-16T09:46:39Z",
                "100000000000 | 1973-03-03T09:46:40Z",
                "0 | 1970-01-01T00:00:00Z"
            })
    void readsSecondsMillisecondsAndIso8601(String value, Instant moment) {
        assertThat(read("{\"at\": " + value + "}", "at")).contains(moment);
        assertThat(read("{\"sent\": {\"last\": {\"at\": " + value + "}}}", "sent.last.at"))
                .contains(moment);
    }

    private static Optional<Instant> read(String body, String field) {
        return SignedPayload.time(body.getBytes(UTF_8), field);
    }
}
