package dev.postern.access;

import dev.postern.access.AuthenticationResult.Throttled;
import dev.postern.access.AuthenticationResult.Unauthorized;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.concurrent.atomic.LongAdder;

/** The counted authentication failures of one kind of credential, and the results for them. Thread-safe. */
public final class AuthenticationFailures {

    private static final AuthenticationResult REFUSED = new Unauthorized();
    private static final long NANOS_PER_SECOND = Duration.ofSeconds(1).toNanos();

    private final FailureThrottle throttle;
    private final LongAdder unauthorized = new LongAdder();
    private final LongAdder throttled = new LongAdder();
    private final Map<FailureKind, LongAdder> kinds = new EnumMap<>(FailureKind.class);

    /**
     * Creates counts that start at zero.
     *
     * @param throttle counts the failures per client; shared with no other instance
     */
    public AuthenticationFailures(FailureThrottle throttle) {
        this.throttle = throttle;
        for (FailureKind kind : FailureKind.values()) {
            kinds.put(kind, new LongAdder());
        }
    }

    /** Counts a failure of {@code client}, of this {@code kind}, and returns its result: unauthorized or throttled. */
    AuthenticationResult recordFailure(long client, FailureKind kind) {
        Objects.requireNonNull(kinds.get(kind)).increment();
        long leftNanos = throttle.recordFailure(client);
        if (leftNanos > 0) {
            return later(leftNanos);
        }
        unauthorized.increment();
        return REFUSED;
    }

    /** Counts and returns the result for a client that may try again in {@code nanos} nanoseconds. */
    AuthenticationResult later(long nanos) {
        throttled.increment();
        return new Throttled((nanos + NANOS_PER_SECOND - 1) / NANOS_PER_SECOND);
    }

    /** As {@link FailureThrottleShard#mayTry}. */
    long mayTry(long client, int underWay) {
        return throttle.mayTry(client, underWay);
    }

    /** The number of requests answered {@link Unauthorized} so far. */
    public long unauthorized() {
        return unauthorized.sum();
    }

    /** The number of requests answered {@link Throttled} so far. */
    public long throttled() {
        return throttled.sum();
    }

    /** The number of failures of this {@code kind} so far, however they were answered. */
    long failures(FailureKind kind) {
        return Objects.requireNonNull(kinds.get(kind)).sum();
    }

    /** The number of clients locked out now. Scans the whole table (up to 1 ms), so it is not for each request. */
    public long lockedOutClients() {
        return throttle.lockedOutClients();
    }

    /**
     * The clients locked out now, those with the longest remaining time first. If there are more than {@code most}, any
     * {@code most} of them are returned. Scans the whole table, as {@link #lockedOutClients} does.
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
     * @param address the client as {@link LockedOut#address} shows it, or any address that is counted for the same
     *     client
     * @return true if it was locked out; false if it was not, or {@code address} names no client
     */
    public boolean unlock(String address) {
        OptionalLong client = ClientKey.read(address);
        return client.isPresent() && throttle.forget(client.getAsLong());
    }

    /** The number of failure counts that were dropped because a flood of clients filled the table. */
    public long droppedCounts() {
        return throttle.dropped();
    }

    /**
     * A client that is locked out.
     *
     * @param address the client in the form that {@link #unlock} takes: an IPv4 address, the /64 of an IPv6 address, or
     *     {@code unknown} for all clients whose address can't be read
     * @param left the remaining time of the lock-out
     */
    public record LockedOut(String address, Duration left) {}
}
