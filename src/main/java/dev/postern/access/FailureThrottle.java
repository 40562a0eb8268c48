package dev.postern.access;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * A throttle that counts the failures of each client and locks out clients that fail too often. Thread-safe.
 *
 * <p><b>The window</b> slides and is exact, because the times of a client's latest failures are kept. A lock-out begins
 * with the failure that makes {@code failures} of them lie within less than {@code window}. So between two lock-outs,
 * no stretch of that length holds more than {@code failures} attempts, wherever it begins. A failure during a lock-out
 * is not counted. After the lock-out, the client's count starts at zero. A success changes nothing: another user's
 * success at the same address must not reset a guesser's count.
 *
 * <p><b>The table</b> holds at most 100,000 clients and at most 32 MiB, whichever limit comes first: 17 MiB with 20
 * failures. It is allocated in pieces as clients fail. It consists of sets of eight places. A client's key, scrambled
 * with a secret of this process, selects the client's set, so nobody can aim at another client's set. When a set is
 * full, a new client takes the place of the client with the fewest failures, and among equals of the one that was quiet
 * longest. A locked-out client is never displaced. A new client in a set of eight locked-out clients counts as locked
 * out until the first of their lock-outs ends. Both cases count as dropped.
 */
public final class FailureThrottle {

    private static final int MAX_FAILURES = 1000;
    private static final int SHARDS = 250;
    private static final int MAX_SETS_PER_SHARD = 50;
    private static final int MAX_TABLE_BYTES = 32 * 1024 * 1024;

    private final LongSupplier nanos;
    private final FailureThrottleShard[] shards;
    private final int setsPerShard;
    private final long key;

    /**
     * Creates a throttle without failures.
     *
     * @param failures the number of failures that begins a lock-out, 1 to 1000
     * @param window the time within which these failures lie, more than zero
     * @param lockout the duration of a lock-out, more than zero
     * @param nanos a monotonic clock in nanoseconds, such as {@code System::nanoTime}; with a wall clock, setting it
     *     back would prolong a lock-out
     */
    public FailureThrottle(int failures, Duration window, Duration lockout, LongSupplier nanos) {
        if (failures < 1 || failures > MAX_FAILURES) {
            throw new IllegalArgumentException("failures is [" + failures + "], not 1 to " + MAX_FAILURES);
        }
        if (window.isZero() || window.isNegative() || lockout.isZero() || lockout.isNegative()) {
            throw new IllegalArgumentException("window [" + window + "] or lockout [" + lockout + "] is not positive");
        }
        int bytesPerSet = FailureThrottleShard.bytesPerSet(failures);
        this.nanos = nanos;
        this.setsPerShard = Math.min(MAX_SETS_PER_SHARD, Math.max(1, MAX_TABLE_BYTES / SHARDS / bytesPerSet));
        this.key = new SecureRandom().nextLong();
        this.shards = new FailureThrottleShard[SHARDS];
        for (int i = 0; i < SHARDS; i++) {
            shards[i] = new FailureThrottleShard(setsPerShard, failures, window.toNanos(), lockout.toNanos());
        }
    }

    /**
     * Counts a failure of {@code client}.
     *
     * @return the remaining lock-out in nanoseconds; zero if the failure was one of those allowed
     */
    long recordFailure(long client) {
        long place = scrambled(client);
        return shard(place).recordFailure(client, set(place), nanos.getAsLong());
    }

    /** As {@link FailureThrottleShard#mayTry}. */
    long mayTry(long client, int underWay) {
        long place = scrambled(client);
        return shard(place).mayTry(client, set(place), nanos.getAsLong(), underWay);
    }

    /** Forgets every failure of {@code client} and ends its lock-out; true if it was locked out. */
    boolean forget(long client) {
        long place = scrambled(client);
        return shard(place).forget(client, set(place), nanos);
    }

    /**
     * The clients locked out now, at most {@code most}, each with the remaining nanoseconds. Scans the table piece by
     * piece: for a person, not for each request.
     */
    Map<Long, Long> lockedOut(int most) {
        long now = nanos.getAsLong();
        Map<Long, Long> found = new HashMap<>();
        for (FailureThrottleShard shard : shards) {
            shard.lockedOut(now, most, found);
        }
        return found;
    }

    /** The number of clients locked out now. Scans the whole table: for an occasional metric, not for each request. */
    long lockedOutClients() {
        long now = nanos.getAsLong();
        long count = 0;
        for (FailureThrottleShard shard : shards) {
            count += shard.lockedOut(now);
        }
        return count;
    }

    /** The number of counts within their window, and of new clients' failures, that found no place so far. */
    long dropped() {
        long count = 0;
        for (FailureThrottleShard shard : shards) {
            count += shard.dropped();
        }
        return count;
    }

    private FailureThrottleShard shard(long place) {
        return shards[(int) (((place >>> 32) * SHARDS) >>> 32)];
    }

    private int set(long place) {
        return (int) (((place & 0xffff_ffffL) * setsPerShard) >>> 32);
    }

    /** The MurmurHash3 finalizer of client and secret: each bit of the result depends on all bits of both. */
    private long scrambled(long client) {
        long mixed = client ^ key;
        mixed = (mixed ^ mixed >>> 33) * 0xff51afd7ed558ccdL;
        mixed = (mixed ^ mixed >>> 33) * 0xc4ceb9fe1a85ec53L;
        return mixed ^ mixed >>> 33;
    }
}
