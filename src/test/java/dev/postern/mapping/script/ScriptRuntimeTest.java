package dev.postern.mapping.script;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import dev.postern.mapping.script.ScriptRuntime.NoResultException;
import dev.postern.mapping.script.ScriptRuntime.NoResultReason;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A test of how long a script call may wait for a thread, and how long it may then take. */
class ScriptRuntimeTest {

    private static final Duration LONG = Duration.ofMinutes(2);
    private static final Duration NO_TIME = Duration.ofNanos(1);

    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch released = new CountDownLatch(1);

    /** A pool that hands work over once its thread is at it, so that no time is left of the shortest wait. */
    private final ExecutorService pool =
            new ThreadPoolExecutor(1, 1, 1, TimeUnit.MINUTES, new LinkedBlockingQueue<>()) {
                @Override
                public void execute(Runnable command) {
                    super.execute(command);
                    if (getQueue().isEmpty()) {
                        waitFor(begun);
                    }
                }
            };

    @AfterEach
    void close() {
        pool.shutdownNow();
    }

    @Test
    void doesNotRunWorkThatHasNotBegunInTime() {
        AtomicBoolean ran = new AtomicBoolean();
        pool.execute(this::blocks);

        NoResultException e = noResult(
                () -> {
                    ran.set(true);
                    return 1;
                },
                NO_TIME,
                LONG);

        assertThat(e.reason()).isEqualTo(NoResultReason.UNRUN);
        assertThat(e).hasMessage("found no free thread in time");
        released.countDown();
        pool.shutdown();
        await().until(pool::isTerminated);
        assertThat(ran).isFalse();
    }

    @Test
    void endsWorkThatTakesTooLongFromItsBeginning() {
        NoResultException e = noResult(
                () -> {
                    blocks();
                    return 1;
                },
                LONG,
                NO_TIME);

        assertThat(e.reason()).isEqualTo(NoResultReason.LATE);
    }

    @Test
    void givesWorkThatBeginsLateItsWholeTime() throws NoResultException {
        Thread waiting = Thread.currentThread();

        int result = ScriptRuntime.on(
                pool,
                () -> {
                    begun.countDown();
                    await().until(() -> waiting.getState() == Thread.State.TIMED_WAITING);
                    return 1;
                },
                NO_TIME,
                LONG);

        assertThat(result).isOne();
    }

    private void blocks() {
        begun.countDown();
        waitFor(released);
    }

    private static void waitFor(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private NoResultException noResult(Callable<Integer> work, Duration longestWait, Duration longestRun) {
        return catchThrowableOfType(
                NoResultException.class, () -> ScriptRuntime.on(pool, work, longestWait, longestRun));
    }
}
