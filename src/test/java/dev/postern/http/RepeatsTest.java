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
        assertThat(repeats.isNews("a")).isTrue();
    }
}
