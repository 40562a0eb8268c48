package dev.postern.access;

import static dev.postern.access.HookAuthenticatorFixture.ATTACKER;
import static dev.postern.access.HookAuthenticatorFixture.FAILURES;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.access.AuthenticationResult.Admitted;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class HookAuthenticatorConcurrencyTest {

    private static final int THREADS = 8;

    private final HookAuthenticatorFixture fixture = new HookAuthenticatorFixture();
    private final ExecutorService senders = Executors.newFixedThreadPool(THREADS);

    @AfterEach
    void stop() {
        senders.shutdownNow();
    }

    @Test
    void allowsExactlyTheLimitHoweverManyTryAtOnce() throws Exception {
        for (int round = 0; round < 200; round++) {
            String attacker = "203.0.113." + round;

            assertThat(sum(() -> fixture.countUnauthorized(FAILURES, attacker))).isEqualTo(FAILURES);
        }
        assertThat(fixture.failures.unauthorized()).isEqualTo(200 * FAILURES);
        assertThat(fixture.failures.throttled()).isEqualTo(200 * (THREADS - 1) * FAILURES);
        assertThat(fixture.failures.lockedOutClients()).isEqualTo(200);
    }

    @Test
    void letsTheRightTokenInWhileOthersFailFromTheSameAddress() throws Exception {
        int admitted = sum(() -> {
            int right = 0;
            for (int i = 0; i < 1_000; i++) {
                fixture.authenticateWrongToken(ATTACKER);
                right += fixture.authenticateRightToken(ATTACKER) instanceof Admitted ? 1 : 0;
            }
            return right;
        });

        assertThat(admitted).isEqualTo(THREADS * 1_000);
    }

    private int sum(IntSupplier sender) throws Exception {
        CyclicBarrier start = new CyclicBarrier(THREADS);
        Callable<Integer> task = () -> {
            start.await();
            return sender.getAsInt();
        };
        List<Future<Integer>> running = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            running.add(senders.submit(task));
        }
        int sum = 0;
        for (Future<Integer> result : running) {
            sum += result.get();
        }
        return sum;
    }
}
