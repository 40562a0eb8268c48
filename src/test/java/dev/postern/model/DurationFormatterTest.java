package dev.postern.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DurationFormatterTest {

    @ParameterizedTest
    @CsvSource({
        "0, 0 ms",
        "500, 500 ms",
        "999, 999 ms",
        "1000, 1 s",
        "10400, 10 s",
        "60000, 1 min",
        "90000, 90 s",
        "120000, 2 min",
        "600000, 10 min",
        "5400000, 90 min",
        "3600000, 1 h",
        "21600000, 6 h",
        "172800000, 48 h"
    })
    void isWhatAPersonSays(long millis, String text) {
        assertThat(DurationFormatter.of(Duration.ofMillis(millis))).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource({
        "PT0S, 0 ms",
        "PT0.00004S, 0 ms",
        "PT0.00042S, 0.4 ms",
        "PT0.00996S, 10 ms",
        "PT0.85S, 850 ms",
        "PT0.9996S, 1 s",
        "PT1.3S, 1.3 s",
        "PT59.9S, 59.9 s",
        "PT59.96S, 1 min",
        "PT2M5S, 2 min 5 s",
        "PT59M59.6S, 1 h",
        "PT3H, 3 h",
        "PT3H5M10S, 3 h 5 min",
        "PT23H59M40S, 1 d",
        "PT292H20M, 12 d 4 h",
        "PT-1.3S, -1.3 s"
    })
    void isPreciseInTables(Duration duration, String text) {
        assertThat(DurationFormatter.precise(duration)).isEqualTo(text);
    }
}
