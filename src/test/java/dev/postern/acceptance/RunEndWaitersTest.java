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
    private final RunEndWaiters watch = new RunEndWaiters(2, () -> nanos);

    @Test
    void endsTheWaitAtItsBound() {
        CompletableFuture<RunId> first = watch.ended(RUN, MINUTE);
        CompletableFuture<RunId> second = watch.ended(RUN, MINUTE);

        assertThat(watch.ended(RUN, MINUTE)).isCompletedWithValue(RUN);
        assertThat(first).isNotDone();
        assertThat(second).isNotDone();
    }

    @Test
    void endsEachWaitAtOnceWhenClosed() {
        CompletableFuture<RunId> before = watch.ended(RUN, MINUTE);
        watch.close();

        assertThat(before).isCompletedWithValue(RUN);
        assertThat(watch.ended(RUN, MINUTE)).isCompletedWithValue(RUN);
    }

    @Test
    void forgetsAWaitThatIsCompletedFromOutside() {
        assertThat(watch.ended(RUN, MINUTE).complete(RUN)).isTrue();
        assertThat(watch.ended(RUN, MINUTE).cancel(false)).isTrue();

        assertThat(watch.watched()).isEmpty();
        assertThat(watch.ended(RUN, MINUTE)).isNotDone();
        assertThat(watch.ended(RUN, MINUTE)).isNotDone();
    }

    @Test
    void notifiesOnlyTheWaitersOfTheRun() {
        RunId other = new RunId("run_2");
        CompletableFuture<RunId> mine = watch.ended(RUN, MINUTE);
        CompletableFuture<RunId> others = watch.ended(other, MINUTE);

        watch.signal(RUN);

        assertThat(mine).isCompletedWithValue(RUN);
        assertThat(others).isNotDone();
        assertThat(watch.watched()).containsExactly(other);
    }

    @Test
    void letsGoOfThoseWhoseWaitIsOver() {
        CompletableFuture<RunId> brief = watch.ended(RUN, Duration.ofSeconds(1));
        CompletableFuture<RunId> longer = watch.ended(RUN, MINUTE);
        nanos += Duration.ofSeconds(1).toNanos();

        watch.expire();

        assertThat(brief).isCompletedWithValue(RUN);
        assertThat(longer).isNotDone();
    }
}
