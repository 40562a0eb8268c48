package dev.postern.access;

import dev.postern.access.AuthenticationResult.Admitted;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A gate for people and programs that show a password. A password may be short enough to be guessed, so that no client is
 * judged more often than it may fail: not by many tries at one time, and during a lock-out once a second. The others are
 * throttled whether they are right or not. Safe for use by many threads.
 */
public final class PasswordAuthenticator {

    private static final AuthenticationResult ADMITTED = new Admitted();
    private static final long AT_ONCE_NANOS = 1;

    private final AuthenticationFailures failures;

    /** The tries that are being judged, by client; there are no more of them than threads. */
    private final Map<Long, Integer> underWay = new HashMap<>();

    /** A gate at which {@code failures} are counted. */
    public PasswordAuthenticator(AuthenticationFailures failures) {
        this.failures = failures;
    }

    /**
     * Judges a try, unless its client has failed too often to be judged now. Where as many tries of the client are being judged
     * as may fail, this one waits for them.
     *
     * @param remoteAddress the sender's, as the container has it; null counts as one client with every unreadable one
     * @param isRight asks whether the name and the password are right
     */
    public AuthenticationResult judge(@Nullable String remoteAddress, BooleanSupplier isRight) {
        long client = ClientKey.of(remoteAddress);
        long waitNanos = begin(client);
        if (waitNanos > 0) {
            return failures.later(waitNanos);
        }
        try {
            return isRight.getAsBoolean() ? ADMITTED : failures.failed(client);
        } finally {
            end(client);
        }
    }

    /** Zero where a try of {@code client} may be judged, which {@link #end} then ends; else the nanoseconds until one may. */
    private synchronized long begin(long client) {
        try {
            long answer = failures.mayTry(client, others(client));
            while (answer == FailureThrottleShard.BUSY) {
                wait();
                answer = failures.mayTry(client, others(client));
            }
            if (answer == 0) {
                underWay.merge(client, 1, Integer::sum);
            }
            return answer;
        } catch (InterruptedException ended) { // with the server
            Thread.currentThread().interrupt();
            return AT_ONCE_NANOS;
        }
    }

    private int others(long client) {
        return underWay.getOrDefault(client, 0);
    }

    private synchronized void end(long client) {
        underWay.merge(client, -1, (before, one) -> before == 1 ? null : before - 1);
        notifyAll();
    }
}
