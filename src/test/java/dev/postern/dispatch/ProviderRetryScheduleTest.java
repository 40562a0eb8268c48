package dev.postern.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.acceptance.ClaimedRun.Retries;
import dev.postern.acceptance.ProviderWait;
import dev.postern.agent.TurnResult.ProviderDown;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class ProviderRetryScheduleTest {

    private static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");
    private static final ProviderDown DOWN = new ProviderDown("it answered 503", Duration.ZERO);

    @Test
    void triesNoMoreWhenItsTimeIsOver() {
        assertThat(schedule(0).next(new Retries(40, NOW.minus(Duration.ofHours(6))), DOWN))
                .isEmpty();
    }

    @Test
    void triesNeverWithoutATime() {
        ProviderRetrySchedule none = new ProviderRetrySchedule(Duration.ZERO, () -> NOW, () -> 0);

        assertThat(none.next(new Retries(0, null), DOWN)).isEmpty();
    }

    @Test
    void triesALastTimeAtItsEnd() {
        Instant since = NOW.minus(Duration.ofHours(6)).plusSeconds(2);

        assertThat(schedule(0).next(new Retries(40, since), DOWN))
                .contains(new ProviderWait(NOW.plusSeconds(2), since, "it answered 503"));
    }

    @Test
    void doublesItsPauses() {
        assertThat(schedule(0).next(new Retries(0, null), DOWN))
                .contains(new ProviderWait(NOW.plusSeconds(10), NOW, "it answered 503"));
        assertThat(schedule(0).next(new Retries(2, NOW), DOWN).orElseThrow().until())
                .isEqualTo(NOW.plusSeconds(40));
        assertThat(schedule(0).next(new Retries(90, NOW), DOWN).orElseThrow().until())
                .isEqualTo(NOW.plusSeconds(300));
    }

    @Test
    void lengthensItsPausesByAQuarterAtMost() {
        assertThat(schedule(1).next(new Retries(90, NOW), DOWN).orElseThrow().until())
                .isEqualTo(NOW.plusSeconds(375));
    }

    @Test
    void waitsAsLongAsTheProviderAsks() {
        ProviderDown asks = new ProviderDown("it answered 429", Duration.ofMinutes(20));

        assertThat(schedule(0).next(new Retries(0, null), asks))
                .contains(new ProviderWait(NOW.plusSeconds(1_200), NOW, "it answered 429"));
    }

    @Test
    void countsFromNowWhenTheClockWasSetBack() {
        assertThat(schedule(0).next(new Retries(3, NOW.plusSeconds(999)), DOWN).map(ProviderWait::since))
                .contains(NOW);
    }

    private static ProviderRetrySchedule schedule(double random) {
        return new ProviderRetrySchedule(Duration.ofHours(6), () -> NOW, () -> random);
    }
}
