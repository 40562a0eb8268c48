package dev.postern.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests of the tasks that the clock thread repeats. */
class RepeatedTaskTest {

    private final ScheduledThreadPoolExecutor clock = new PosternThreads("test").clock();
    private final CountDownLatch runs = new CountDownLatch(3);

    @AfterEach
    void end() throws InterruptedException {
        PosternThreads.end(clock);
    }

    @Test
    void isRepeatedAfterItFailed() throws InterruptedException {
        RepeatedTask task = new RepeatedTask(clock, Duration.ofMillis(1), () -> {
            runs.countDown();
            throw new OutOfMemoryError("of a test");
        });

        assertThat(runs.await(30, TimeUnit.SECONDS)).isTrue();
        task.close();
    }

    @Test
    void endsWhenItIsClosed() throws InterruptedException {
        RepeatedTask task = new RepeatedTask(clock, Duration.ofMillis(1), runs::countDown);
        assertThat(runs.await(30, TimeUnit.SECONDS)).isTrue();

        task.close();

        assertThat(clock.getQueue()).isEmpty();
    }
}
