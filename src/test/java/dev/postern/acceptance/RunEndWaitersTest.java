package dev.postern.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.model.RunId;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class RunEndWaitersTest {

    private static final RunId RUN = new RunId("run_1");
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private long nanos = Long.MAX_VALUE;
    private final RunEndWaiters runEndWaiters = new RunEndWaiters(2, () -> nanos);

    @Test
    void endsTheWaitAtItsBound() {
        CompletableFuture<RunId> first = runEndWaiters.ended(RUN, MINUTE);
        CompletableFuture<RunId> second = runEndWaiters.ended(RUN, MINUTE);

        assertThat(runEndWaiters.ended(RUN, MINUTE)).isCompletedWithValue(RUN);
        assertThat(first).isNotDone();
        assertThat(second).isNotDone();
    }

    @Test
    void endsEachWaitAtOnceWhenClosed() {
        CompletableFuture<RunId> before = runEndWaiters.ended(RUN, MINUTE);
        runEndWaiters.close();

        assertThat(before).isCompletedWithValue(RUN);
        assertThat(runEndWaiters.ended(RUN, MINUTE)).isCompletedWithValue(RUN);
    }

    @Test
    void forgetsAWaitThatIsCompletedFromOutside() {
        assertThat(runEndWaiters.ended(RUN, MINUTE).complete(RUN)).isTrue();
        assertThat(runEndWaiters.ended(RUN, MINUTE).cancel(false)).isTrue();

        assertThat(runEndWaiters.watched()).isEmpty();
        assertThat(runEndWaiters.ended(RUN, MINUTE)).isNotDone();
        assertThat(runEndWaiters.ended(RUN, MINUTE)).isNotDone();
    }

    @Test
    void notifiesOnlyTheWaitersOfTheRun() {
        RunId other = new RunId("run_2");
        CompletableFuture<RunId> mine = runEndWaiters.ended(RUN, MINUTE);
        CompletableFuture<RunId> others = runEndWaiters.ended(other, MINUTE);

        runEndWaiters.signal(RUN);

        assertThat(mine).isCompletedWithValue(RUN);
        assertThat(others).isNotDone();
        assertThat(runEndWaiters.watched()).containsExactly(other);
    }

    @Test
    void letsGoOfThoseWhoseWaitIsOver() {
        CompletableFuture<RunId> brief = runEndWaiters.ended(RUN, Duration.ofSeconds(1));
        CompletableFuture<RunId> longer = runEndWaiters.ended(RUN, MINUTE);
        nanos += Duration.ofSeconds(1).toNanos();

        runEndWaiters.expire();

        assertThat(brief).isCompletedWithValue(RUN);
        assertThat(longer).isNotDone();
    }
}
