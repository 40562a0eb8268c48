package dev.postern.mapping.template;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class RenderBudgetTest {

    private static final int MIB = 1024 * 1024;

    @Test
    void endsARenderingThatAllocatesTooMuchEvenIfItKeepsNothing() {
        try (RenderBudget renderBudget = new RenderBudget()) {
            assertThatThrownBy(() -> {
                        for (int i = 0; i < 100; i++) {
                            assertThat(new byte[MIB]).isNotNull();
                            renderBudget.tick();
                        }
                    })
                    .isInstanceOf(BudgetExceededException.class)
                    // where the system is slow to give memory, that alone takes the time
                    .hasMessageMatching(
                            "The template (uses more memory than a template may|ran longer than 100 ms)[.]");
        }
    }

    @Test
    void onlyAFewRenderingsAreLargeAtOnce() throws InterruptedException {
        AtomicInteger large = new AtomicInteger();
        CountDownLatch done = new CountDownLatch(1);
        List<Thread> threads = new ArrayList<>();
        int most = Math.max(4, Runtime.getRuntime().availableProcessors());
        for (int i = 0; i < most + 8; i++) {
            threads.add(new Thread(() -> rendering(large, done)));
        }
        threads.forEach(Thread::start);
        await().until(() -> threads.stream().allMatch(thread -> thread.getState() == Thread.State.WAITING));

        assertThat(large.get()).isBetween(1, most);
        done.countDown();
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(large.get()).isEqualTo(threads.size());
    }

    private static void rendering(AtomicInteger large, CountDownLatch done) {
        try (RenderBudget renderBudget = new RenderBudget()) {
            assertThat(new byte[4 * MIB]).isNotNull();
            renderBudget.tick();
            large.incrementAndGet();
            done.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
