package dev.postern.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class CachedValueTest {

    @Test
    void asksAgainWhenTheAnswerIsOld() {
        AtomicLong nanos = new AtomicLong(Long.MAX_VALUE);
        AtomicInteger asked = new AtomicInteger();
        CachedValue<Integer> cachedValue = new CachedValue<>(asked::incrementAndGet, Duration.ofNanos(10), nanos::get);

        assertThat(cachedValue.get()).isEqualTo(1);
        nanos.addAndGet(9);
        assertThat(cachedValue.get()).isEqualTo(1);
        nanos.addAndGet(1);
        assertThat(cachedValue.get()).isEqualTo(2);
    }
}
