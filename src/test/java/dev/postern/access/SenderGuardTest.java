package dev.postern.access;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.access.SenderDecision.Accepted;
import dev.postern.access.SenderDecision.HookDenied;
import dev.postern.access.SenderDecision.RateExceeded;
import dev.postern.access.SenderGuard.SenderCounts;
import dev.postern.config.SenderSettings;
import dev.postern.config.SenderSettings.Rate;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A test of the limits of senders, with a clock that only the test moves. It overflows, as {@code System.nanoTime} may. */
class SenderGuardTest {

    private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 1_000);
    private final SenderSettings limited = sender("limited", new Rate(6, Duration.ofMinutes(1)));
    private final SenderSettings free = sender("free", null);
    private final SenderGuard guard = new SenderGuard(List.of(limited, free), nanos::get);

    @Test
    void deniesHookBeforeItTakesFromTheRate() {
        for (int i = 0; i < 10; i++) {
            assertThat(guard.decide(limited, "wake")).isEqualTo(new HookDenied());
        }

        assertThat(send(6)).containsOnly(new Accepted());
        assertThat(guard.counts("limited")).isEqualTo(new SenderCounts(16, 10, 0, 0L));
    }

    @Test
    void saysWhenTheNextRequestIsTaken() {
        assertThat(send(6)).containsOnly(new Accepted());
        assertThat(send(1)).containsExactly(new RateExceeded(10));
        after(Duration.ofMillis(3_500));
        assertThat(send(1)).containsExactly(new RateExceeded(7));
        after(Duration.ofMillis(6_499));
        assertThat(send(1)).containsExactly(new RateExceeded(1));
        after(Duration.ofMillis(1));

        assertThat(send(2)).containsExactly(new Accepted(), new RateExceeded(10));
        assertThat(guard.counts("limited")).isEqualTo(new SenderCounts(11, 0, 4, 0L));
    }

    @Test
    void hasNoMoreThanTheRateAfterLongSilence() {
        after(Duration.ofDays(30));

        assertThat(send(7))
                .containsSubsequence(new Accepted(), new RateExceeded(10))
                .hasSize(7);
        assertThat(guard.counts("limited").rateLimited()).isEqualTo(1);
    }

    @Test
    void boundsNoSenderWithoutRate() {
        assertThat(IntStream.range(0, 10_000).mapToObj(i -> guard.decide(free, "ci")))
                .containsOnly(new Accepted());
        guard.take("free", List.of(Duration.ZERO));
        guard.empty("free", Duration.ZERO);
        assertThat(guard.counts("free")).isEqualTo(new SenderCounts(10_000, 0, 0, null));
    }

    @Test
    void goesOnWithWhatWasTakenBeforeTheRestart() {
        guard.empty("limited", Duration.ofMinutes(2));
        guard.take(
                "limited",
                IntStream.range(0, 6).mapToObj(i -> Duration.ofSeconds(25)).toList());

        assertThat(guard.counts("limited").left()).isEqualTo(2);
        assertThat(send(3)).containsExactly(new Accepted(), new Accepted(), new RateExceeded(5));
    }

    @Test
    void hasNothingLeftAfterRestartOfSenderAtItsLimit() {
        guard.empty("limited", Duration.ofMinutes(2));
        guard.take(
                "limited",
                IntStream.rangeClosed(0, 11)
                        .mapToObj(i -> Duration.ofSeconds(110 - 10 * i))
                        .toList());

        assertThat(send(1)).containsExactly(new RateExceeded(10));
    }

    @Test
    void owesWhatOtherNodesHaveTakenBeyondTheRate() {
        guard.take("limited", IntStream.range(0, 9).mapToObj(i -> Duration.ZERO).toList());

        assertThat(guard.counts("limited").left()).isZero();
        assertThat(send(1)).containsExactly(new RateExceeded(40));
    }

    private void after(Duration time) {
        nanos.addAndGet(time.toNanos());
    }

    private List<SenderDecision> send(int requests) {
        return Stream.generate(() -> guard.decide(limited, "ci"))
                .limit(requests)
                .toList();
    }

    private static SenderSettings sender(String id, @Nullable Rate rate) {
        return new SenderSettings(
                id,
                List.of("00"),
                List.of("ci"),
                new SenderSettings.Scope(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty()),
                null,
                false,
                rate,
                null);
    }
}
