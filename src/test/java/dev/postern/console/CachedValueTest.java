package dev.postern.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
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

    @Test
    void computesANewValueForEachCallThatAsksForIt() {
        AtomicLong nanos = new AtomicLong(Long.MAX_VALUE);
        AtomicInteger asked = new AtomicInteger();
        CachedValue<Integer> cachedValue =
                new CachedValue<>(asked::incrementAndGet, Duration.ofNanos(10), nanos::getAndIncrement);

        assertThat(cachedValue.getNew()).isEqualTo(1);
        assertThat(cachedValue.getNew()).isEqualTo(2);
        assertThat(cachedValue.get()).isEqualTo(2);
    }

    @Test
    void givesOneNewValueToAllWhoWaitForIt() throws Exception {
        AtomicInteger asked = new AtomicInteger();
        CountDownLatch first = new CountDownLatch(1);
        CachedValue<Integer> cachedValue = new CachedValue<>(
                () -> {
                    int number = asked.incrementAndGet();
                    if (number == 1) {
                        awaitUninterrupted(first);
                    }
                    return number;
                },
                Duration.ZERO,
                System::nanoTime);
        Queue<Integer> values = new ConcurrentLinkedQueue<>();
        List<Thread> callers = Stream.generate(() -> new Thread(() -> values.add(cachedValue.getNew())))
                .limit(9)
                .toList();

        callers.get(0).start();
        await().until(() -> asked.get() == 1);
        callers.subList(1, 9).forEach(Thread::start);
        await().until(() -> callers.stream()
                        .filter(each -> each.getState() == Thread.State.BLOCKED)
                        .count()
                == 8);
        first.countDown();
        for (Thread caller : callers) {
            caller.join();
        }

        assertThat(values).containsExactlyInAnyOrder(1, 2, 2, 2, 2, 2, 2, 2, 2);
    }

    private static void awaitUninterrupted(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
