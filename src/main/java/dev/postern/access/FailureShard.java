package dev.postern.access;

import java.util.Map;
import java.util.function.LongSupplier;

/**
 * A piece of the throttle's table, with a lock of its own: sets of eight places, each of which holds a client with the
 * times of its latest failures, or the end of its lock-out. Times are nanoseconds of a clock that may start anywhere, so
 * they are only ever subtracted from each other.
 */
final class FailureShard {

    private static final int WAYS = 8;
    private static final int FREE = 0;
    private static final int LOCKED = -1;
    private static final int NONE = -1;

    private final int places;
    private final int failures;
    private final long windowNanos;
    private final long lockoutNanos;

    private long[] clients = {};
    /**
     * How many failures were noted at a place, or {@link #FREE}, or {@link #LOCKED}. Past twice the ring's length it counts
     * on from once: where the next one goes in the ring stays the same, and no count overflows.
     */
    private int[] noted = {};
    /** For each place a ring of {@code failures} times; while locked the first one is the lock-out's end. */
    private long[] times = {};

    private long dropped;

    FailureShard(int sets, int failures, long windowNanos, long lockoutNanos) {
        this.places = sets * WAYS;
        this.failures = failures;
        this.windowNanos = windowNanos;
        this.lockoutNanos = lockoutNanos;
    }

    static int bytesPerSet(int failures) {
        return WAYS * (Long.BYTES + Integer.BYTES + failures * Long.BYTES);
    }

    /** Notes a failure and says how many nanoseconds of lock-out are left for it, zero if none. */
    synchronized long failed(long client, int set, long now) {
        if (clients.length == 0) {
            clients = new long[places];
            noted = new int[places];
            times = new long[places * failures];
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
            return times[place * failures] - now;
        }
        note(place, now);
        return 0;
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

    /** Adds clients that are locked out to {@code found}, with the nanoseconds that each is so for yet, until it holds {@code most}. */
    synchronized void lockedOut(long now, int most, Map<Long, Long> found) {
        for (int place = 0; place < noted.length && found.size() < most; place++) {
            if (noted[place] == LOCKED && !isOver(place, now)) {
                found.put(clients[place], times[place * failures] - now);
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
        int ring = place * failures;
        times[ring + noted[place] % failures] = now;
        noted[place] = noted[place] + 1 < 2 * failures ? noted[place] + 1 : failures;
        long oldest = times[ring + noted[place] % failures];
        if (noted[place] >= failures && now - oldest < windowNanos) {
            noted[place] = LOCKED;
            times[ring] = now + lockoutNanos;
        }
    }

    private int find(long client, int set) {
        for (int place = set * WAYS; place < (set + 1) * WAYS; place++) {
            if (clients[place] == client && noted[place] != FREE) {
                return place;
            }
        }
        return NONE;
    }

    /** A place that is free, or else the one that matters least; none when all eight are locked out. */
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
            case LOCKED -> times[place * failures] - now <= 0;
            default -> now - latest(place) >= windowNanos;
        };
    }

    private long latest(int place) {
        return times[place * failures + (noted[place] - 1) % failures];
    }

    private long firstFreeIn(int set, long now) {
        long left = Long.MAX_VALUE;
        for (int place = set * WAYS; place < (set + 1) * WAYS; place++) {
            left = Math.min(left, times[place * failures] - now);
        }
        return left;
    }
}
