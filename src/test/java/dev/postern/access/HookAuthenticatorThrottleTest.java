package dev.postern.access;

import static dev.postern.access.Doorway.ATTACKER;
import static dev.postern.access.Doorway.FAILURES;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postern.access.AuthenticationResult.Admitted;
import dev.postern.access.AuthenticationResult.Throttled;
import dev.postern.access.AuthenticationResult.Unauthorized;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HookAuthenticatorThrottleTest {

    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Duration NANO = Duration.ofNanos(1);

    private final Doorway door = new Doorway();

    @Test
    void answersTheTwentiethFailureLikeTheFirstAndThrottlesTheNext() {
        assertThat(door.refusedOf(FAILURES, ATTACKER)).isEqualTo(FAILURES);
        assertThat(door.wrong(ATTACKER)).isEqualTo(new Throttled(60));
    }

    @Test
    void countsAMissingTokenLikeAWrongOne() {
        for (int i = 0; i < FAILURES; i++) {
            assertThat(door.hookAuthenticator.authenticate(ATTACKER, Sent.nothing()))
                    .isEqualTo(new Unauthorized());
        }

        assertThat(door.hookAuthenticator.authenticate(ATTACKER, Sent.nothing()))
                .isEqualTo(new Throttled(60));
    }

    @ParameterizedTest
    @CsvSource({
        "0, 60",
        "1, 60",
        "999999999, 60",
        "1000000000, 59",
        "58999999999, 2",
        "59000000000, 1",
        "59999999999, 1"
    })
    void saysInWholeSecondsHowLongTheLockOutLasts(long nanosLater, long retryAfterSeconds) {
        door.refusedOf(FAILURES, ATTACKER);

        assertThat(door.after(Duration.ofNanos(nanosLater)).wrong(ATTACKER))
                .isEqualTo(new Throttled(retryAfterSeconds));
    }

    @Test
    void doesNotProlongALockOutByFailuresWithinIt() {
        door.refusedOf(FAILURES, ATTACKER);
        for (int second = 1; second < 60; second++) {
            assertThat(door.after(Duration.ofSeconds(1)).wrong(ATTACKER)).isEqualTo(new Throttled(60 - second));
        }

        assertThat(door.after(Duration.ofSeconds(1)).wrong(ATTACKER)).isEqualTo(new Unauthorized());
    }

    @Test
    void countsAfreshWhenALockOutIsOver() {
        door.refusedOf(FAILURES, ATTACKER);

        assertThat(door.after(MINUTE).refusedOf(2 * FAILURES, ATTACKER)).isEqualTo(FAILURES);
    }

    @Test
    void givesNoSecondBudgetAcrossTheEdgeOfAWindow() {
        door.wrong(ATTACKER);
        door.after(MINUTE.minus(NANO)).refusedOf(FAILURES - 2, ATTACKER);

        assertThat(door.after(NANO).refusedOf(FAILURES, ATTACKER)).isEqualTo(2);
    }

    @Test
    void forgetsEachFailureAWindowAfterIt() {
        for (int i = 0; i < 10 * FAILURES; i++) {
            assertThat(door.wrong(ATTACKER)).isEqualTo(new Unauthorized());
            door.after(MINUTE.dividedBy(FAILURES - 1).plus(NANO));
        }
    }

    @Test
    void locksOutClientWithTwentyEvenFailuresInWindow() {
        for (int i = 0; i < FAILURES; i++) {
            assertThat(door.wrong(ATTACKER)).isEqualTo(new Unauthorized());
            door.after(MINUTE.dividedBy(FAILURES - 1).minus(NANO));
        }

        assertThat(door.wrong(ATTACKER)).isInstanceOf(Throttled.class);
    }

    @Test
    void countsAfreshAfterAQuietWindow() {
        door.refusedOf(FAILURES - 1, ATTACKER);

        assertThat(door.after(MINUTE).refusedOf(2 * FAILURES, ATTACKER)).isEqualTo(FAILURES);
    }

    @Test
    void letsTheRightTokenInDuringALockOutWhichGoesOn() {
        door.refusedOf(FAILURES + 1, ATTACKER);

        assertThat(door.right(ATTACKER)).isEqualTo(new Admitted());
        assertThat(door.failures.lockedOutClients()).isEqualTo(1);
        assertThat(door.wrong(ATTACKER)).isEqualTo(new Throttled(60));
    }

    @Test
    void givesNoTriesBackForARightTokenBetweenThem() {
        for (int i = 0; i < FAILURES; i++) {
            assertThat(door.wrong(ATTACKER)).isEqualTo(new Unauthorized());
            assertThat(door.right(ATTACKER)).isEqualTo(new Admitted());
        }

        assertThat(door.wrong(ATTACKER)).isEqualTo(new Throttled(60));
    }

    @Test
    void locksOutNobodyElse() {
        door.refusedOf(FAILURES + 1, ATTACKER);

        assertThat(door.wrong("203.0.113.8")).isEqualTo(new Unauthorized());
    }

    @Test
    void clearsNobodyElsesCount() {
        door.refusedOf(FAILURES, ATTACKER);
        door.right("203.0.113.8");

        assertThat(door.wrong(ATTACKER)).isEqualTo(new Throttled(60));
    }

    @Test
    void countsWhatItAnsweredAndWhoIsLockedOut() {
        door.refusedOf(FAILURES + 3, ATTACKER);
        door.refusedOf(1, "203.0.113.8");
        door.right("203.0.113.9");

        assertThat(door.failures.unauthorized()).isEqualTo(FAILURES + 1);
        assertThat(door.failures.throttled()).isEqualTo(3);
        assertThat(door.failures.lockedOutClients()).isEqualTo(1);
        assertThat(door.after(MINUTE).failures.lockedOutClients()).isZero();
        assertThat(door.failures.droppedCounts()).isZero();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 1000})
    void locksOutAtTheConfiguredNumberOfFailures(int failures) {
        assertThat(new Doorway(failures, 0).refusedOf(failures + 5, ATTACKER)).isEqualTo(failures);
    }

    @ParameterizedTest
    @CsvSource({
        "0, PT1M, PT1M",
        "1001, PT1M, PT1M",
        "20, PT0S, PT1M",
        "20, PT1M, PT0S",
        "20, -PT1S, PT1M",
        "20, PT1M, -PT1S"
    })
    void refusesLimitsThatLimitNothing(int failures, Duration window, Duration lockout) {
        assertThatThrownBy(() -> new FailureThrottle(failures, window, lockout, System::nanoTime))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("[");
    }
}
