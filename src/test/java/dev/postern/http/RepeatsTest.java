package dev.postern.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class RepeatsTest {

    private final AtomicLong nanos = new AtomicLong();
    private final Repeats repeats = new Repeats(nanos::get);

    @Test
    void keepsSilentOnTheSameLineForAMinute() {
        assertThat(repeats.isNews("a")).isTrue();
        nanos.addAndGet(Duration.ofSeconds(59).toNanos());
        assertThat(repeats.isNews("a")).isFalse();
        nanos.addAndGet(Duration.ofSeconds(1).toNanos());
        assertThat(repeats.isNews("a")).isTrue();
    }

    @Test
    void takesAnotherLineForNews() {
        assertThat(repeats.isNews("a")).isTrue();
        assertThat(repeats.isNews("b")).isTrue();
    }

    @Test
    void keepsSilentOnSeveralLinesInTurn() {
        repeats.isNews("a");
        repeats.isNews("b");

        assertThat(repeats.isNews("a")).isFalse();
        assertThat(repeats.isNews("b")).isFalse();
    }

    @Test
    void remembersTheLatestHundredLinesAlone() {
        for (int line = 0; line <= 100; line++) {
            assertThat(repeats.isNews("line " + line)).isTrue();
        }

        assertThat(repeats.isNews("line 1")).isFalse();
        assertThat(repeats.isNews("line 0")).isTrue();
    }
}
