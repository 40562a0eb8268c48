package dev.postern.access;

import java.time.Duration;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * A part of the throttle's table with a lock of its own. It consists of sets of eight places. Each place holds a client
 * with the times of its latest failures, or the end of its lock-out. Times are nanoseconds of a clock with an arbitrary
 * origin, so they are only subtracted from each other.
 */
final class FailureThrottleShard {

    private static final int WAYS = 8;
    private static final int FREE = 0;
    private static final int LOCKED = -1;
    private static final int NONE = -1;

    /**
     * The result of {@link #mayTry} while as many attempts are in progress as may fail. The caller must wait for their
     * results.
     */
    static final long BUSY = -1;

    /** The minimum interval between two attempts that are checked during a lock-out. */
    static final long PACE_NANOS = Duration.ofSeconds(1).toNanos();

    private final int places;
    private final int failures;
    private final int ring;
    private final long windowNanos;
    private final long lockoutNanos;

    private long[] clients = {};
    /**
     * The number of failures recorded at a place, or {@link #FREE}, or {@link #LOCKED}. At twice the ring's length it
     * falls back to once its length. The next index in the ring stays the same, and no count overflows.
     */
    private int[] noted = {};
    /**
     * A ring of {@code failures} times for each place. During a lock-out, the first time is its end, and the second is
     * when the next attempt may be checked.
     */
    private long[] times = {};

    private long dropped;

    FailureThrottleShard(int sets, int failures, long windowNanos, long lockoutNanos) {
        this.places = sets * WAYS;
        this.failures = failures;
        this.ring = ringLength(failures);
        this.windowNanos = windowNanos;
        this.lockoutNanos = lockoutNanos;
    }

    static int bytesPerSet(int failures) {
        return WAYS * (Long.BYTES + Integer.BYTES + ringLength(failures) * Long.BYTES);
    }

    /** The number of times per place: one for each failure kept, and at least the two of a lock-out. */
    private static int ringLength(int failures) {
        return Math.max(2, failures);
    }

    /** Records a failure and returns the remaining lock-out in nanoseconds, zero if there is none. */
    synchronized long recordFailure(long client, int set, long now) {
        if (clients.length == 0) {
            clients = new long[places];
            noted = new int[places];
            times = new long[places * ring];
        }
        int place = find(client, set);
        if (place == NONE || isOver(place, now)) {
            place = place == NONE ? roomFor(set, now) : place;
            if (place == NONE) {
                dropped++;
                return firstFreeIn(set, now);
            }
            clients[place] = client;
            noted[place] = FREE;
        }
        if (noted[place] == LOCKED) {
            return times[place * ring] - now;
        }
        note(place, now);
        return 0;
    }

    /**
     * Decides whether an attempt of {@code client} may be checked now, before it is known whether it fails. During a
     * lock-out, one attempt per {@link #PACE_NANOS} may; a result of zero uses it up.
     *
     * @param underWay the number of the client's other attempts that are being checked
     * @return zero if it may; {@link #BUSY}; or else the nanoseconds until an attempt may be checked
     */
    synchronized long mayTry(long client, int set, long now, int underWay) {
        if (clients.length == 0) {
            return underWay < failures ? 0 : BUSY;
        }
        int place = find(client, set);
        if (place == NONE && isFullOfLockOuts(set, now)) {
            return firstFreeIn(set, now);
        }
        if (place != NONE && noted[place] == LOCKED && !isOver(place, now)) {
            int next = place * ring + 1;
            if (times[next] - now > 0) {
                return times[next] - now;
            }
            times[next] = now + PACE_NANOS;
            return 0;
        }
        int counted = place == NONE || noted[place] == LOCKED ? 0 : countedAt(place, now);
        return counted + underWay < failures ? 0 : BUSY;
    }

    /** Forgets every failure of {@code client}; true when it was locked out. */
    synchronized boolean forget(long client, int set, LongSupplier nanos) {
        int place = clients.length == 0 ? NONE : find(client, set);
        if (place == NONE) {
            return false;
        }
        boolean lockedOut = noted[place] == LOCKED && !isOver(place, nanos.getAsLong());
        noted[place] = FREE;
        return lockedOut;
    }

    /** Adds locked-out clients to {@code found}, each with the remaining nanoseconds, until it holds {@code most}. */
    synchronized void lockedOut(long now, int most, Map<Long, Long> found) {
        for (int place = 0; place < noted.length && found.size() < most; place++) {
            if (noted[place] == LOCKED && !isOver(place, now)) {
                found.put(clients[place], times[place * ring] - now);
            }
        }
    }

    synchronized int lockedOut(long now) {
        int count = 0;
        for (int place = 0; place < noted.length; place++) {
            if (noted[place] == LOCKED && !isOver(place, now)) {
                count++;
            }
        }
        return count;
    }

    synchronized long dropped() {
        return dropped;
    }

    private void note(int place, long now) {
        int first = place * ring;
        times[first + noted[place] % failures] = now;
        noted[place] = noted[place] + 1 < 2 * failures ? noted[place] + 1 : failures;
        long oldest = times[first + noted[place] % failures];
        if (noted[place] >= failures && now - oldest < windowNanos) {
            noted[place] = LOCKED;
            times[first] = now + lockoutNanos;
            times[first + 1] = now + PACE_NANOS;
        }
    }

    /** The number of failures within the window at a place that is not locked. */
    private int countedAt(int place, long now) {
        int counted = 0;
        for (int i = 0; i < Math.min(noted[place], failures); i++) {
            counted += now - times[place * ring + i] < windowNanos ? 1 : 0;
        }
        return counted;
    }

    private boolean isFullOfLockOuts(int set, long now) {
        for (int place = set * WAYS; place < (set + 1) * WAYS; place++) {
            if (noted[place] != LOCKED || isOver(place, now)) {
                return false;
            }
        }
        return true;
    }

    private int find(long client, int set) {
        for (int place = set * WAYS; place < (set + 1) * WAYS; place++) {
            if (clients[place] == client && noted[place] != FREE) {
                return place;
            }
        }
        return NONE;
    }

    /** A free place, or else the least important one; {@link #NONE} if all eight are locked out. */
    private int roomFor(int set, long now) {
        int least = NONE;
        for (int place = set * WAYS; place < (set + 1) * WAYS; place++) {
            if (isOver(place, now)) {
                return place;
            }
            if (noted[place] != LOCKED && (least == NONE || mattersLess(place, least))) {
                least = place;
            }
        }
        if (least != NONE) {
            dropped++;
        }
        return least;
    }

    private boolean mattersLess(int place, int other) {
        return noted[place] == noted[other] ? latest(place) - latest(other) < 0 : noted[place] < noted[other];
    }

    private boolean isOver(int place, long now) {
        return switch (noted[place]) {
            case FREE -> true;
            case LOCKED -> times[place * ring] - now <= 0;
            default -> now - latest(place) >= windowNanos;
        };
    }

    private long latest(int place) {
        return times[place * ring + (noted[place] - 1) % failures];
    }

    private long firstFreeIn(int set, long now) {
        long left = Long.MAX_VALUE;
        for (int place = set * WAYS; place < (set + 1) * WAYS; place++) {
            left = Math.min(left, times[place * ring] - now);
        }
        return left;
    }
}
