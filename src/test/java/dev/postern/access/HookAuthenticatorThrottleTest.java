package dev.postern.access;

import static dev.postern.access.HookAuthenticatorFixture.ATTACKER;
import static dev.postern.access.HookAuthenticatorFixture.FAILURES;
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

    private final HookAuthenticatorFixture fixture = new HookAuthenticatorFixture();

    @Test
    void answersTheTwentiethFailureLikeTheFirstAndThrottlesTheNext() {
        assertThat(fixture.countUnauthorized(FAILURES, ATTACKER)).isEqualTo(FAILURES);
        assertThat(fixture.authenticateWrongToken(ATTACKER)).isEqualTo(new Throttled(60));
    }

    @Test
    void countsAMissingTokenLikeAWrongOne() {
        for (int i = 0; i < FAILURES; i++) {
            assertThat(fixture.hookAuthenticator.authenticate(ATTACKER, RequestHeaders.empty()))
                    .isEqualTo(new Unauthorized());
        }

        assertThat(fixture.hookAuthenticator.authenticate(ATTACKER, RequestHeaders.empty()))
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
        fixture.countUnauthorized(FAILURES, ATTACKER);

        assertThat(fixture.after(Duration.ofNanos(nanosLater)).authenticateWrongToken(ATTACKER))
                .isEqualTo(new Throttled(retryAfterSeconds));
    }

    @Test
    void doesNotProlongALockOutByFailuresWithinIt() {
        fixture.countUnauthorized(FAILURES, ATTACKER);
        for (int second = 1; second < 60; second++) {
            assertThat(fixture.after(Duration.ofSeconds(1)).authenticateWrongToken(ATTACKER))
                    .isEqualTo(new Throttled(60 - second));
        }

        assertThat(fixture.after(Duration.ofSeconds(1)).authenticateWrongToken(ATTACKER))
                .isEqualTo(new Unauthorized());
    }

    @Test
    void countsAfreshWhenALockOutIsOver() {
        fixture.countUnauthorized(FAILURES, ATTACKER);

        assertThat(fixture.after(MINUTE).countUnauthorized(2 * FAILURES, ATTACKER))
                .isEqualTo(FAILURES);
    }

    @Test
    void givesNoSecondBudgetAcrossTheEdgeOfAWindow() {
        fixture.authenticateWrongToken(ATTACKER);
        fixture.after(MINUTE.minus(NANO)).countUnauthorized(FAILURES - 2, ATTACKER);

        assertThat(fixture.after(NANO).countUnauthorized(FAILURES, ATTACKER)).isEqualTo(2);
    }

    @Test
    void forgetsEachFailureAWindowAfterIt() {
        for (int i = 0; i < 10 * FAILURES; i++) {
            assertThat(fixture.authenticateWrongToken(ATTACKER)).isEqualTo(new Unauthorized());
            fixture.after(MINUTE.dividedBy(FAILURES - 1).plus(NANO));
        }
    }

    @Test
    void locksOutClientWithTwentyEvenFailuresInWindow() {
        for (int i = 0; i < FAILURES; i++) {
            assertThat(fixture.authenticateWrongToken(ATTACKER)).isEqualTo(new Unauthorized());
            fixture.after(MINUTE.dividedBy(FAILURES - 1).minus(NANO));
        }

        assertThat(fixture.authenticateWrongToken(ATTACKER)).isInstanceOf(Throttled.class);
    }

    @Test
    void countsAfreshAfterAQuietWindow() {
        fixture.countUnauthorized(FAILURES - 1, ATTACKER);

        assertThat(fixture.after(MINUTE).countUnauthorized(2 * FAILURES, ATTACKER))
                .isEqualTo(FAILURES);
    }

    @Test
    void letsTheRightTokenInDuringALockOutWhichGoesOn() {
        fixture.countUnauthorized(FAILURES + 1, ATTACKER);

        assertThat(fixture.authenticateRightToken(ATTACKER)).isEqualTo(new Admitted(null));
        assertThat(fixture.failures.lockedOutClients()).isEqualTo(1);
        assertThat(fixture.authenticateWrongToken(ATTACKER)).isEqualTo(new Throttled(60));
    }

    @Test
    void givesNoTriesBackForARightTokenBetweenThem() {
        for (int i = 0; i < FAILURES; i++) {
            assertThat(fixture.authenticateWrongToken(ATTACKER)).isEqualTo(new Unauthorized());
            assertThat(fixture.authenticateRightToken(ATTACKER)).isEqualTo(new Admitted(null));
        }

        assertThat(fixture.authenticateWrongToken(ATTACKER)).isEqualTo(new Throttled(60));
    }

    @Test
    void locksOutNobodyElse() {
        fixture.countUnauthorized(FAILURES + 1, ATTACKER);

        assertThat(fixture.authenticateWrongToken("203.0.113.8")).isEqualTo(new Unauthorized());
    }

    @Test
    void clearsNobodyElsesCount() {
        fixture.countUnauthorized(FAILURES, ATTACKER);
        fixture.authenticateRightToken("203.0.113.8");

        assertThat(fixture.authenticateWrongToken(ATTACKER)).isEqualTo(new Throttled(60));
    }

    @Test
    void countsWhatItAnsweredAndWhoIsLockedOut() {
        fixture.countUnauthorized(FAILURES + 3, ATTACKER);
        fixture.countUnauthorized(1, "203.0.113.8");
        fixture.authenticateRightToken("203.0.113.9");

        assertThat(fixture.failures.unauthorized()).isEqualTo(FAILURES + 1);
        assertThat(fixture.failures.throttled()).isEqualTo(3);
        assertThat(fixture.failures.lockedOutClients()).isEqualTo(1);
        assertThat(fixture.after(MINUTE).failures.lockedOutClients()).isZero();
        assertThat(fixture.failures.droppedCounts()).isZero();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 1000})
    void locksOutAtTheConfiguredNumberOfFailures(int failures) {
        assertThat(new HookAuthenticatorFixture(failures, 0).countUnauthorized(failures + 5, ATTACKER))
                .isEqualTo(failures);
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
