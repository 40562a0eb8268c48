package dev.postern.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.agent.TurnOutcome.Cancelled;
import dev.postern.agent.TurnOutcome.Interrupted;
import dev.postern.agent.TurnOutcome.TimedOut;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class CutoffTest {

    private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 5);
    private final Cutoff cutoff = new Cutoff(nanos::get, Duration.ofNanos(100));

    @Test
    void leavesNoTimeOnceItIsReached() {
        nanos.addAndGet(101);

        assertThat(cutoff.remaining()).isZero();
        assertThat(cutoff.outcome().join()).isEqualTo(new TimedOut());
    }

    @Test
    void leavesNoTimeOnceItIsInterrupted() {
        cutoff.interrupt("a shutdown");

        assertThat(cutoff.remaining()).isZero();
        assertThat(cutoff.outcome().join()).isEqualTo(new Interrupted("a shutdown"));
    }

    @Test
    void endsAsWhatHasReachedItFirst() {
        cutoff.cancel("somebody has cancelled it");
        cutoff.interrupt("a shutdown");
        nanos.addAndGet(101);

        assertThat(cutoff.reached()).isTrue();
        assertThat(cutoff.outcome().join()).isEqualTo(new Cancelled("somebody has cancelled it"));
    }

    @Test
    void isReachedOnceTheTurnIsLost() {
        AtomicReference<Optional<String>> lost = new AtomicReference<>(Optional.empty());
        Cutoff losing = new Cutoff(nanos::get, Duration.ofNanos(100), lost::get);
        assertThat(losing.reached()).isFalse();

        lost.set(Optional.of("a thaw"));
        nanos.addAndGet(101);

        assertThat(losing.reached()).isTrue();
        assertThat(losing.outcome().join()).isEqualTo(new Interrupted("a thaw"));
    }

    @Test
    void tellsTheTimeThatIsLeft() {
        nanos.addAndGet(40);

        assertThat(cutoff.remaining()).isEqualTo(Duration.ofNanos(60));
        assertThat(cutoff.outcome()).isNotDone();
    }
}
