package dev.postern.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postern.access.AuthenticationResult.Admitted;
import dev.postern.access.AuthenticationResult.Throttled;
import dev.postern.access.AuthenticationResult.Unauthorized;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PasswordAuthenticatorTest {

    private static final String GUESSER = "203.0.113.7";
    private static final int FAILURES = 20;
    private static final int CROWD = 100;
    private static final Duration SECOND = Duration.ofSeconds(1);

    /** Shortly before it overflows, since {@code System.nanoTime} may do so. */
    private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 1_000_000);

    private final AuthenticationFailures failures = new AuthenticationFailures(
            new FailureThrottle(FAILURES, Duration.ofSeconds(60), Duration.ofSeconds(60), nanos::get));
    private final PasswordAuthenticator passwordAuthenticator = new PasswordAuthenticator(failures);
    private final ExecutorService threads = Executors.newFixedThreadPool(CROWD);
    private final AtomicInteger judged = new AtomicInteger();

    @AfterEach
    void endThreads() {
        threads.shutdownNow();
    }

    @Test
    void checksOneAttemptPerSecondDuringLockOut() throws Exception {
        lockOut();
        judged.set(0);
        after(SECOND);

        List<AuthenticationResult> answers = crowd(this::wrong);

        assertThat(judged).hasValue(1);
        assertThat(answers).allMatch(Throttled.class::isInstance);
    }

    @Test
    void checksNoMoreAttemptsAtOnceThanMayFail() throws Exception {
        AtomicInteger atOneTime = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();

        List<AuthenticationResult> answers = crowd(() -> {
            most.accumulateAndGet(atOneTime.incrementAndGet(), Math::max);
            judged.incrementAndGet();
            atOneTime.decrementAndGet();
            return false;
        });

        assertThat(judged).hasValue(FAILURES);
        assertThat(most.get()).isLessThanOrEqualTo(FAILURES);
        assertThat(answers).filteredOn(Unauthorized.class::isInstance).hasSize(FAILURES);
        assertThat(answers).filteredOn(Throttled.class::isInstance).hasSize(CROWD - FAILURES);
    }

    @Test
    void throttlesRightPasswordForASecondAfterLatestAttempt() {
        lockOut();

        assertThat(passwordAuthenticator.authenticate(GUESSER, this::right)).isEqualTo(new Throttled(1));
        assertThat(judged).hasValue(FAILURES);
        after(SECOND.minusNanos(1));
        assertThat(passwordAuthenticator.authenticate(GUESSER, this::right)).isEqualTo(new Throttled(1));
        after(Duration.ofNanos(1));
        assertThat(passwordAuthenticator.authenticate(GUESSER, this::right)).isEqualTo(new Admitted(null));
        assertThat(passwordAuthenticator.authenticate(GUESSER, this::right)).isEqualTo(new Throttled(1));
        assertThat(failures.lockedOutClients()).isEqualTo(1);
    }

    @Test
    void reportsLockOutToCheckedAttemptWithoutProlongingIt() {
        lockOut();
        for (int second = 1; second < 60; second++) {
            after(SECOND);
            assertThat(passwordAuthenticator.authenticate(GUESSER, this::wrong)).isEqualTo(new Throttled(60 - second));
        }
        after(SECOND);

        assertThat(passwordAuthenticator.authenticate(GUESSER, this::wrong)).isEqualTo(new Unauthorized());
    }

    @Test
    void givesNoTriesBackForARightPasswordBetweenThem() {
        for (int i = 0; i < FAILURES; i++) {
            assertThat(passwordAuthenticator.authenticate(GUESSER, this::right)).isEqualTo(new Admitted(null));
            assertThat(passwordAuthenticator.authenticate(GUESSER, this::wrong)).isEqualTo(new Unauthorized());
        }

        assertThat(passwordAuthenticator.authenticate(GUESSER, this::wrong)).isEqualTo(new Throttled(1));
    }

    @Test
    void admitsManyRightPasswordsAtOnce() throws Exception {
        for (int i = 0; i < FAILURES - 1; i++) {
            passwordAuthenticator.authenticate(GUESSER, this::wrong);
        }

        assertThat(crowd(this::right)).hasSize(CROWD).containsOnly(new Admitted(null));
    }

    @Test
    void keepsNobodyElseWaiting() throws Exception {
        CountDownLatch begun = new CountDownLatch(FAILURES);
        CountDownLatch end = new CountDownLatch(1);
        List<Future<AuthenticationResult>> tries = new ArrayList<>();
        for (int i = 0; i < FAILURES; i++) {
            tries.add(threads.submit(() -> passwordAuthenticator.authenticate(GUESSER, () -> {
                begun.countDown();
                return await(end);
            })));
        }
        await(begun);

        assertThat(passwordAuthenticator.authenticate("203.0.113.8", this::right))
                .isEqualTo(new Admitted(null));
        assertThat(passwordAuthenticator.authenticate("203.0.113.8", this::wrong))
                .isEqualTo(new Unauthorized());
        end.countDown();
        for (Future<AuthenticationResult> each : tries) {
            assertThat(each.get()).isEqualTo(new Admitted(null));
        }
    }

    @Test
    void countsNoAttemptThatCouldNotBeChecked() {
        for (int i = 0; i < 2 * FAILURES; i++) {
            assertThatThrownBy(() -> passwordAuthenticator.authenticate(GUESSER, () -> {
                        throw new IllegalStateException("the user directory is away");
                    }))
                    .isInstanceOf(IllegalStateException.class);
        }

        assertThat(passwordAuthenticator.authenticate(GUESSER, this::wrong)).isEqualTo(new Unauthorized());
    }

    @Test
    void countsApartFromTheHooks() {
        HookAuthenticatorFixture hooks = new HookAuthenticatorFixture();
        lockOut();

        assertThat(hooks.authenticateWrongToken(GUESSER)).isEqualTo(new Unauthorized());
        assertThat(new AuthenticationLockouts(hooks.failures, failures).count()).isEqualTo(1);
        hooks.countUnauthorized(FAILURES, GUESSER);
        AuthenticationLockouts both = new AuthenticationLockouts(hooks.failures, failures);
        assertThat(both.count()).isEqualTo(2);
        assertThat(both.unlock(GUESSER)).isTrue();
        assertThat(both.count()).isZero();
        assertThat(both.unlock(GUESSER)).isFalse();
    }

    private void lockOut() {
        for (int i = 0; i < FAILURES; i++) {
            assertThat(passwordAuthenticator.authenticate(GUESSER, this::wrong)).isEqualTo(new Unauthorized());
        }
    }

    private void after(Duration time) {
        nanos.addAndGet(time.toNanos());
    }

    private boolean wrong() {
        judged.incrementAndGet();
        return false;
    }

    private boolean right() {
        judged.incrementAndGet();
        return true;
    }

    private List<AuthenticationResult> crowd(BooleanSupplier isRight) throws Exception {
        CyclicBarrier start = new CyclicBarrier(CROWD);
        List<Future<AuthenticationResult>> tries = new ArrayList<>();
        for (int i = 0; i < CROWD; i++) {
            tries.add(threads.submit(() -> {
                start.await();
                return passwordAuthenticator.authenticate(GUESSER, isRight);
            }));
        }
        List<AuthenticationResult> answers = new ArrayList<>();
        for (Future<AuthenticationResult> each : tries) {
            answers.add(each.get());
        }
        return answers;
    }

    private static boolean await(CountDownLatch latch) {
        try {
            latch.await();
            return true;
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
