package dev.postern.access;

import dev.postern.access.AuthenticationResult.Refused;
import dev.postern.access.AuthenticationResult.Throttled;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * The failures of clients to show one kind of credential, and what was answered to them. Safe for use by many threads.
 */
public final class AuthenticationFailures {

    private static final AuthenticationResult REFUSED = new Refused();
    private static final long NANOS_PER_SECOND = Duration.ofSeconds(1).toNanos();

    private final FailureThrottle throttle;
    private final LongAdder refused = new LongAdder();
    private final LongAdder throttled = new LongAdder();

    /** Failures that {@code throttle} counts, and nobody else with it. */
    public AuthenticationFailures(FailureThrottle throttle) {
        this.throttle = throttle;
    }

    /** Counts a failure of {@code client}, and says how to answer it. */
    AuthenticationResult failed(long client) {
        long leftNanos = throttle.failed(client);
        if (leftNanos > 0) {
            return later(leftNanos);
        }
        refused.increment();
        return REFUSED;
    }

    /** How to answer a client that is to try again in {@code nanos}. */
    AuthenticationResult later(long nanos) {
        throttled.increment();
        return new Throttled((nanos + NANOS_PER_SECOND - 1) / NANOS_PER_SECOND);
    }

    /** As {@link FailureThrottleShard#mayTry}. */
    long mayTry(long client, int underWay) {
        return throttle.mayTry(client, underWay);
    }

    /** Requests answered {@link Refused} so far. */
    public long refused() {
        return refused.sum();
    }

    /** Requests answered {@link Throttled} so far. */
    public long throttled() {
        return throttled.sum();
    }

    /** Clients locked out now; looks at the whole table (a millisecond at most), so not for each request. */
    public long lockedOutClients() {
        return throttle.lockedOutClients();
    }

    /**
     * Clients locked out now, those first that are so longest yet; where there are more than {@code most}, any of them. Looks
     * at the whole table, as {@link #lockedOutClients} does.
     */
    public List<LockedOut> lockedOut(int most) {
        List<LockedOut> found = new ArrayList<>();
        throttle.lockedOut(most)
                .forEach((client, left) -> found.add(new LockedOut(ClientKey.text(client), Duration.ofNanos(left))));
        found.sort(Comparator.comparing(LockedOut::left).reversed().thenComparing(LockedOut::address));
        return found;
    }

    /**
     * Forgets the failures of a client.
     *
     * @param address as {@link LockedOut#address} has it, or any address that is counted for the same client
     * @return true when it was locked out; false when it was not, or {@code address} is none
     */
    public boolean unlock(String address) {
        OptionalLong client = ClientKey.read(address);
        return client.isPresent() && throttle.forget(client.getAsLong());
    }

    /** Counts of failures that the table had no room for, since a flood of clients took it. */
    public long droppedCounts() {
        return throttle.dropped();
    }

    /**
     * A client that is locked out.
     *
     * @param address as it is counted, in the form that {@link #unlock} takes: an IPv4 address, the /64 of an IPv6 address, or
     *     {@code unknown} for all whose address can't be read
     * @param left how long it is locked out for yet
     */
    public record LockedOut(String address, Duration left) {}
}
