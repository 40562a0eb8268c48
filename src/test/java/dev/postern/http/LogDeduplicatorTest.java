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
        assertThat(logDeduplicator.isNew("a")).isTrue();
        nanos.addAndGet(Duration.ofSeconds(59).toNanos());
        assertThat(logDeduplicator.isNew("a")).isFalse();
        nanos.addAndGet(Duration.ofSeconds(1).toNanos());
        assertThat(logDeduplicator.isNew("a")).isTrue();
    }

    @Test
    void takesAnotherLineForNews() {
        assertThat(logDeduplicator.isNew("a")).isTrue();
        assertThat(logDeduplicator.isNew("b")).isTrue();
    }

    @Test
    void keepsSilentOnSeveralLinesInTurn() {
        logDeduplicator.isNew("a");
        logDeduplicator.isNew("b");

        assertThat(logDeduplicator.isNew("a")).isFalse();
        assertThat(logDeduplicator.isNew("b")).isFalse();
    }

    @Test
    void remembersTheLatestHundredLinesAlone() {
        for (int line = 0; line <= 100; line++) {
            assertThat(logDeduplicator.isNew("line " + line)).isTrue();
        }

        assertThat(logDeduplicator.isNew("line 1")).isFalse();
        assertThat(logDeduplicator.isNew("line 0")).isTrue();
    }
}
