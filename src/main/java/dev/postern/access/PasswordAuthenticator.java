package dev.postern.access;

import dev.postern.access.AuthenticationResult.Admitted;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * An authenticator of people and programs by password. A password may be short enough to be guessed, so a client's
 * attempts are checked no more often than they may fail. That limits concurrent attempts too, and during a lock-out one
 * attempt per second is checked. All others are throttled, right or wrong. Thread-safe.
 */
public final class PasswordAuthenticator {

    private static final AuthenticationResult ADMITTED = new Admitted(null);
    private static final long AT_ONCE_NANOS = 1;

    private final AuthenticationFailures failures;

    /** The number of attempts that are being checked, by client; in total there are no more than threads. */
    private final Map<Long, Integer> attemptsInProgress = new HashMap<>();

    /**
     * Creates an authenticator.
     *
     * @param failures counts the failed attempts
     */
    public PasswordAuthenticator(AuthenticationFailures failures) {
        this.failures = failures;
    }

    /**
     * Checks an attempt, unless its client has failed too often. While as many of the client's attempts are being
     * checked as may fail, this one waits for them.
     *
     * @param remoteAddress the sender's address as the container gives it; null counts as the same client as every
     *     unreadable address
     * @param isRight checks whether the name and the password are right
     */
    public AuthenticationResult authenticate(@Nullable String remoteAddress, BooleanSupplier isRight) {
        long client = ClientKey.of(remoteAddress);
        long waitNanos = begin(client);
        if (waitNanos > 0) {
            return failures.later(waitNanos);
        }
        try {
            return isRight.getAsBoolean() ? ADMITTED : failures.recordFailure(client, FailureKind.LOGIN);
        } finally {
            end(client);
        }
    }

    /**
     * Begins an attempt of {@code client} and returns zero if it may be checked now; {@link #end} then ends it.
     * Otherwise returns the nanoseconds until an attempt may be checked.
     */
    private synchronized long begin(long client) {
        try {
            long answer = failures.mayTry(client, others(client));
            while (answer == FailureThrottleShard.BUSY) {
                wait();
                answer = failures.mayTry(client, others(client));
            }
            if (answer == 0) {
                attemptsInProgress.merge(client, 1, Integer::sum);
            }
            return answer;
        } catch (InterruptedException ended) { // the server stops
            Thread.currentThread().interrupt();
            return AT_ONCE_NANOS;
        }
    }

    private int others(long client) {
        return attemptsInProgress.getOrDefault(client, 0);
    }

    private synchronized void end(long client) {
        attemptsInProgress.merge(client, -1, (before, one) -> before == 1 ? null : before - 1);
        notifyAll();
    }
}
