package dev.postern.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.agent.TurnResult.Cancelled;
import dev.postern.agent.TurnResult.Interrupted;
import dev.postern.agent.TurnResult.TimedOut;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class TurnCancellationTest {

    private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 5);
    private final TurnCancellation turnCancellation = new TurnCancellation(nanos::get, Duration.ofNanos(100));

    @Test
    void leavesNoTimeOnceItIsReached() {
        nanos.addAndGet(101);

        assertThat(turnCancellation.remaining()).isZero();
        assertThat(turnCancellation.outcome().join()).isEqualTo(new TimedOut());
    }

    @Test
    void leavesNoTimeOnceItIsInterrupted() {
        turnCancellation.interrupt("a shutdown");

        assertThat(turnCancellation.remaining()).isZero();
        assertThat(turnCancellation.outcome().join()).isEqualTo(new Interrupted("a shutdown"));
    }

    @Test
    void endsAsWhatHasReachedItFirst() {
        turnCancellation.cancel("somebody has cancelled it");
        turnCancellation.interrupt("a shutdown");
        nanos.addAndGet(101);

        assertThat(turnCancellation.isRequested()).isTrue();
        assertThat(turnCancellation.outcome().join()).isEqualTo(new Cancelled("somebody has cancelled it"));
    }

    @Test
    void isReachedOnceTheTurnIsLost() {
        AtomicReference<Optional<String>> lost = new AtomicReference<>(Optional.empty());
        TurnCancellation losing = new TurnCancellation(nanos::get, Duration.ofNanos(100), lost::get);
        assertThat(losing.isRequested()).isFalse();

        lost.set(Optional.of("a thaw"));
        nanos.addAndGet(101);

        assertThat(losing.isRequested()).isTrue();
        assertThat(losing.outcome().join()).isEqualTo(new Interrupted("a thaw"));
    }

    @Test
    void tellsTheTimeThatIsLeft() {
        nanos.addAndGet(40);

        assertThat(turnCancellation.remaining()).isEqualTo(Duration.ofNanos(60));
        assertThat(turnCancellation.outcome()).isNotDone();
    }
}
