package dev.postern.access;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Counts the failures of each client and locks out who fails too often. Safe for use by many threads.
 *
 * <p><b>The window</b> slides and is exact: the times of a client's latest failures are kept, and the failure that makes
 * {@code failures} of them lie within less than {@code window} begins a lock-out. So no stretch of that length between two
 * lock-outs holds more tries than {@code failures}, wherever it begins. A failure during a lock-out is not counted; when
 * the lock-out is over, the client's count starts afresh. A success changes nothing: whoever else succeeds at the same address
 * must not give a guesser his tries back.
 *
 * <p><b>The table</b> holds 100,000 clients at most and 32 MiB at most, whichever comes first: 17 MiB with 20 failures,
 * allocated by the piece as clients fail. It is cut into sets of eight places and a client's key, scrambled with a secret
 * of this process, says which set is its own, so that nobody can aim at a neighbour. When a set is full, the newcomer takes
 * the place of the client with the fewest failures, of several the one that has been quiet longest. A locked-out client
 * is never displaced; a newcomer whose eight neighbours are all locked out counts as locked out until the first of them
 * is free. Either case is counted as dropped.
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
     * A throttle that has seen nothing yet.
     *
     * @param failures how many failures begin a lock-out, 1 to 1000
     * @param window the time they lie within, more than zero
     * @param lockout how long the client is then refused, more than zero
     * @param nanos a clock that only goes forward, as {@code System::nanoTime} does; a wall clock would lock a client
     *     out for as long as somebody sets it back
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
     * Notes that {@code client} has failed.
     *
     * @return the nanoseconds that it is locked out for yet; zero when the failure was one of those that are allowed
     */
    long failed(long client) {
        long place = scrambled(client);
        return shard(place).failed(client, set(place), nanos.getAsLong());
    }

    /** As {@link FailureThrottleShard#mayTry}. */
    long mayTry(long client, int underWay) {
        long place = scrambled(client);
        return shard(place).mayTry(client, set(place), nanos.getAsLong(), underWay);
    }

    /** Forgets every failure of {@code client}, and its lock-out; true when it was locked out. */
    boolean forget(long client) {
        long place = scrambled(client);
        return shard(place).forget(client, set(place), nanos);
    }

    /**
     * Clients that are locked out now, {@code most} of them where there are more, with the nanoseconds that each is so for
     * yet. Looks at the table piece by piece: for a person, not for a request.
     */
    Map<Long, Long> lockedOut(int most) {
        long now = nanos.getAsLong();
        Map<Long, Long> found = new HashMap<>();
        for (FailureThrottleShard shard : shards) {
            shard.lockedOut(now, most, found);
        }
        return found;
    }

    /** How many clients are locked out now. Looks at the whole table: for a figure now and then, not for a request. */
    long lockedOutClients() {
        long now = nanos.getAsLong();
        long count = 0;
        for (FailureThrottleShard shard : shards) {
            count += shard.lockedOut(now);
        }
        return count;
    }

    /** How many counts within their window, or failures of newcomers, there was no room for so far. */
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

    /** The finalizer of MurmurHash3 over the client and the secret: each bit of the one depends on all of the other. */
    private long scrambled(long client) {
        long mixed = client ^ key;
        mixed = (mixed ^ mixed >>> 33) * 0xff51afd7ed558ccdL;
        mixed = (mixed ^ mixed >>> 33) * 0xc4ceb9fe1a85ec53L;
        return mixed ^ mixed >>> 33;
    }
}
