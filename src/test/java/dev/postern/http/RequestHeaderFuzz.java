package dev.postern.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.postern.access.BasicCredentials;
import dev.postern.it.InputCounter;
import dev.postern.net.RetryAfter;
import java.net.URLEncoder;
import java.net.http.HttpHeaders;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A fuzz target of the parsers of header values and query strings. An input is the text that they read. */
@Tag("fuzz")
class RequestHeaderFuzz {

    @RegisterExtension
    static final InputCounter INPUTS = new InputCounter("header values");

    private static final Duration LONGEST_WAIT = Duration.ofMinutes(2);
    private static final int LONGEST = 8192;
    private static final Instant NOW = Instant.parse("2026-11-21T03:00:00Z");

    @FuzzTest
    void readsAnyValue(byte[] bytes) {
        INPUTS.increment();
        String value = new String(bytes, StandardCharsets.UTF_8);

        assertPreferenceIsRead(value);
        assertQueryIsRead(value);
        assertCredentialsAreRead(value);
        for (String header : List.of("retry-after", "retry-after-ms")) {
            assertThat(RetryAfter.in(HttpHeaders.of(Map.of(header, List.of(value)), (n, v) -> true), () -> NOW))
                    .satisfies(pause -> assertThat(pause.orElse(Duration.ZERO)).isGreaterThanOrEqualTo(Duration.ZERO));
        }
    }

    private static void assertPreferenceIsRead(String value) {
        Optional<Duration> wait = WaitPreference.wait(List.of(value));
        assertThat(wait.orElse(LONGEST_WAIT)).isPositive().isLessThanOrEqualTo(LONGEST_WAIT);
        assertThat(WaitPreference.wait(List.of("respond-async", value))).isEqualTo(wait);
        assertThat(WaitPreference.wait(List.of("wait=7, " + value))).contains(Duration.ofSeconds(7));

        String quoted = "x=\"" + value.replace("\\", "\\\\").replace("\"", "\\\"") + "\", wait=5";
        assertThat(WaitPreference.wait(List.of(quoted))).contains(Duration.ofSeconds(5));
    }

    private static void assertQueryIsRead(String value) {
        Map<String, String> parameters = QueryStringParser.firstValues(value);
        if (!QueryStringParser.hasToken(value)) {
            assertThat(parameters).doesNotContainKey("token");
            assertThat(QueryStringParser.first(value, "token")).isNull();
        }
        String encoded = URLEncoder.encode(value, StandardCharsets.UTF_8);
        String query = "a=" + encoded + "&" + encoded + "=1&token";
        assertThat(QueryStringParser.hasToken(query)).isTrue();
        assertThat(QueryStringParser.firstValues(query)).containsEntry("a", value);
        assertThat(QueryStringParser.first(query, value)).isEqualTo(value.equals("a") ? value : "1");
    }

    private static void assertCredentialsAreRead(String value) {
        BasicCredentials.of(value).ifPresent(given -> {
            String pair = given.name() + ":" + given.password();
            assertThat(value).startsWithIgnoringCase("Basic ");
            assertThat(BasicCredentials.of("Basic " + encoded(pair))).contains(given);
        });

        String header = "Basic " + encoded("ann:" + value);
        assertThat(BasicCredentials.of(header))
                .isEqualTo(
                        header.length() > LONGEST ? Optional.empty() : Optional.of(new BasicCredentials("ann", value)));
    }

    private static String encoded(String pair) {
        return Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.UTF_8));
    }
}
