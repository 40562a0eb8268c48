package dev.postern.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class RecentTest {

    @Test
    void asksAgainWhenTheAnswerIsOld() {
        AtomicLong nanos = new AtomicLong(Long.MAX_VALUE);
        AtomicInteger asked = new AtomicInteger();
        Recent<Integer> recent = new Recent<>(asked::incrementAndGet, Duration.ofNanos(10), nanos::get);

        assertThat(recent.get()).isEqualTo(1);
        nanos.addAndGet(9);
        assertThat(recent.get()).isEqualTo(1);
        nanos.addAndGet(1);
        assertThat(recent.get()).isEqualTo(2);
    }
}
