package dev.postern.agent.chat;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpHeaders;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ProviderRetryRuleTest {

    private final ProviderRetryRule providerRetryRule =
            new ProviderRetryRule(InstantSource.fixed(Instant.parse("2026-11-22T02:00:00Z")), Duration.ofSeconds(1));

    @ParameterizedTest
    @ValueSource(strings = {"", "soon", "-1", "1.5", "99999999999999999999", "Sun, 99 Nov 2026 02:00:07 GMT"})
    void passOverWhatIsNoTime(String value) {
        assertThat(providerRetryRule.requestedPause(headers(Map.of("Retry-After", value))))
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "0|PT0S",
                "7|PT7S",
                "Sun, 22 Nov 2026 02:00:07 GMT|PT7S",
                "Sun, 22 Nov 2026 01:00:00 GMT|PT0S",
            })
    void readSecondsAndDates(String value, Duration pause) {
        assertThat(providerRetryRule.requestedPause(headers(Map.of("Retry-After", value))))
                .contains(pause);
    }

    @Test
    void readMilliseconds() {
        assertThat(providerRetryRule.requestedPause(headers(Map.of("retry-after-ms", "250", "Retry-After", "1"))))
                .contains(Duration.ofMillis(250));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "1|PT0S|PT0S",
                "2|PT0S|PT1S",
                "3|PT0S|PT2S",
                "3|PT1.5S|PT2S",
                "2|PT1.5S|PT1.5S",
                "2|PT30S|PT30S",
            })
    void letNoPauseButTheFirstBeShorterThanTheirOwnOfTheTryBefore(int tries, Duration asked, Duration pause) {
        assertThat(providerRetryRule.pause(tries, Optional.of(asked))).isEqualTo(pause);
    }

    @Test
    void waitTwiceAsLongAfterEachTry() {
        assertThat(providerRetryRule.pause(1, Optional.empty())).isEqualTo(Duration.ofSeconds(1));
        assertThat(providerRetryRule.pause(2, Optional.empty())).isEqualTo(Duration.ofSeconds(2));
        assertThat(providerRetryRule.pause(4, Optional.empty())).isEqualTo(Duration.ofSeconds(8));
    }

    private static HttpHeaders headers(Map<String, String> values) {
        Map<String, List<String>> all = new HashMap<>();
        values.forEach((name, value) -> all.put(name, List.of(value)));
        return HttpHeaders.of(all, (name, value) -> true);
    }
}
