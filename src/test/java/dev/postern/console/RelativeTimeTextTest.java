package dev.postern.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RelativeTimeTextTest {

    private static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");

    @ParameterizedTest
    @CsvSource({
        "2026-11-21T12:00:00Z, just now",
        "2026-11-21T11:59:55.001Z, just now",
        "2026-11-21T12:00:04Z, just now",
        "2026-11-21T11:59:55Z, 5 s ago",
        "2026-11-21T11:59:00.001Z, 59 s ago",
        "2026-11-21T11:59:00Z, 1 min ago",
        "2026-11-21T11:00:01Z, 59 min ago",
        "2026-11-21T10:00:01Z, 1 h ago",
        "2026-11-20T12:00:01Z, 23 h ago",
        "2026-11-20T12:00:00Z, 1 d ago",
        "2026-10-22T12:00:00Z, 30 d ago",
        "2026-10-22T11:59:59Z, 2026-10-22",
        "2026-11-21T12:02:30Z, in 2 min",
        "2027-11-21T12:00:00Z, 2027-11-21"
    })
    void namesLargestUnit(Instant at, String text) {
        assertThat(RelativeTimeText.of(at, NOW)).isEqualTo(text);
    }
}
