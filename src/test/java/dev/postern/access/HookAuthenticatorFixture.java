package dev.postern.access;

import dev.postern.access.AuthenticationResult.Throttled;
import dev.postern.access.AuthenticationResult.Unauthorized;
import dev.postern.model.Secret;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** A hook authenticator with a clock that only the test moves: 20 failures in 60 s, then 60 s of lock-out. */
final class HookAuthenticatorFixture {

    static final String TOKEN = "correct-horse-battery-staple";
    static final String ATTACKER = "203.0.113.7";
    static final int FAILURES = 20;

    final AtomicLong nanos;
    final AuthenticationFailures failures;
    final HookAuthenticator hookAuthenticator;

    HookAuthenticatorFixture() {
        this(FAILURES, Long.MAX_VALUE - 1_000_000);
    }

    /** The clock starts shortly before it overflows, since {@code System.nanoTime} may do so. */
    HookAuthenticatorFixture(int failures, long startNanos) {
        nanos = new AtomicLong(startNanos);
        FailureThrottle throttle =
                new FailureThrottle(failures, Duration.ofSeconds(60), Duration.ofSeconds(60), nanos::get);
        this.failures = new AuthenticationFailures(throttle);
        hookAuthenticator = new HookAuthenticator(
                List.of(new Secret(TOKEN)), List.of(), List.of(), this.failures, InstantSource.system());
    }

    HookAuthenticatorFixture after(Duration time) {
        nanos.addAndGet(time.toNanos());
        return this;
    }

    AuthenticationResult authenticateWrongToken(String address) {
        return hookAuthenticator.authenticate(address, RequestHeaders.bearer("wrong"));
    }

    AuthenticationResult authenticateRightToken(String address) {
        return hookAuthenticator.authenticate(address, RequestHeaders.bearer(TOKEN));
    }

    /** The number of {@code tries} wrong tokens that are answered 401; the others are answered 429. */
    int countUnauthorized(int tries, String address) {
        int refused = 0;
        for (int i = 0; i < tries; i++) {
            AuthenticationResult answer = authenticateWrongToken(address);
            if (answer instanceof Unauthorized) {
                refused++;
            } else if (!(answer instanceof Throttled)) {
                throw new AssertionError("a wrong token was answered " + answer);
            }
        }
        return refused;
    }
}
