package dev.postern.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class LogDeduplicatorTest {

    private final AtomicLong nanos = new AtomicLong();
    private final LogDeduplicator logDeduplicator = new LogDeduplicator(nanos::get);

    @Test
    void keepsSilentOnTheSameLineForAMinute() {
        assertThat(logDeduplicator.isNews("a")).isTrue();
        nanos.addAndGet(Duration.ofSeconds(59).toNanos());
        assertThat(logDeduplicator.isNews("a")).isFalse();
        nanos.addAndGet(Duration.ofSeconds(1).toNanos());
        assertThat(logDeduplicator.isNews("a")).isTrue();
    }

    @Test
    void takesAnotherLineForNews() {
        assertThat(logDeduplicator.isNews("a")).isTrue();
        assertThat(logDeduplicator.isNews("b")).isTrue();
    }

    @Test
    void keepsSilentOnSeveralLinesInTurn() {
        logDeduplicator.isNews("a");
        logDeduplicator.isNews("b");

        assertThat(logDeduplicator.isNews("a")).isFalse();
        assertThat(logDeduplicator.isNews("b")).isFalse();
    }

    @Test
    void remembersTheLatestHundredLinesAlone() {
        for (int line = 0; line <= 100; line++) {
            assertThat(logDeduplicator.isNews("line " + line)).isTrue();
        }

        assertThat(logDeduplicator.isNews("line 1")).isFalse();
        assertThat(logDeduplicator.isNews("line 0")).isTrue();
    }
}
