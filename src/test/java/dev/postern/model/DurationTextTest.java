package dev.postern.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DurationTextTest {

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
        assertThat(DurationText.of(Duration.ofMillis(millis))).isEqualTo(text);
    }
}
