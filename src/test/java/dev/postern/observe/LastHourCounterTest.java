package dev.postern.observe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.observe.LastHourCounter.Minute;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class LastHourCounterTest {

    private final AtomicLong total = new AtomicLong(1_000);
    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.EPOCH);
    private final LastHourCounter hour = new LastHourCounter(total::get, now::get);

    @Test
    void countsFromItsBeginning() {
        assertThat(hour.minutes()).containsExactly(new Minute(Instant.EPOCH, 0));
    }

    @Test
    void keepsCountOfEachMinuteAndOfTheCurrentOne() {
        pass(3);
        pass(0);
        total.addAndGet(4);

        assertThat(hour.minutes())
                .containsExactly(
                        new Minute(Instant.EPOCH, 3),
                        new Minute(Instant.EPOCH.plusSeconds(60), 0),
                        new Minute(Instant.EPOCH.plusSeconds(120), 4));
    }

    @Test
    void forgetsWhatIsLongerAgoThanAnHour() {
        for (int i = 0; i < 100; i++) {
            pass(i);
        }

        assertThat(hour.minutes()).hasSize(61).startsWith(new Minute(Instant.EPOCH.plus(Duration.ofMinutes(40)), 40));
    }

    private void pass(int count) {
        total.addAndGet(count);
        now.set(now.get().plusSeconds(60));
        hour.everyMinute();
    }
}
