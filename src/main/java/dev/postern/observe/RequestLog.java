package dev.postern.observe;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * A bounded in-memory log of the latest requests of this node, for looking up what happened to a request. Accepted requests
 * and others are kept separately, and the others are sampled each second. So a flood of rejected requests costs nothing and
 * evicts no useful entries. Safe for use by many threads.
 */
public final class RequestLog {

    private static final long NANOS_PER_SECOND = 1_000_000_000L;

    private final Ring accepted;
    private final Ring others;
    private final int othersPerSecond;
    private final LongSupplier nanos;
    private long second;
    private int inSecond;

    /**
     * Creates an empty log.
     *
     * @param most the number of requests of either kind that are kept
     * @param othersPerSecond the number of requests per second that were not accepted and are kept
     * @param nanos as {@link System#nanoTime}
     */
    public RequestLog(int most, int othersPerSecond, LongSupplier nanos) {
        this.accepted = new Ring(most);
        this.others = new Ring(most);
        this.othersPerSecond = othersPerSecond;
        this.nanos = nanos;
        this.second = Math.floorDiv(nanos.getAsLong(), NANOS_PER_SECOND) - 1;
    }

    /**
     * A request and its response.
     *
     * @param client the sender's address as the container gives it
     * @param hook the requested path below the hook prefix; may be anything
     * @param mapping the id of the mapping that handled it; empty if none did, or none is needed
     * @param code {@code accepted}, {@code nothing} or similar, or the code of an error body
     * @param detail a sentence that only operators see, such as why a signature is invalid; may be empty
     * @param bytes the length of the body; -1 if it was not read
     * @param micros the time from the request's head to the response, in microseconds
     * @param became the ids of the created runs and events, in order
     */
    public record Entry(
            Instant at,
            String client,
            String hook,
            String mapping,
            int status,
            String code,
            String detail,
            long bytes,
            long micros,
            List<String> became) {

        public Entry {
            became = List.copyOf(became);
        }
    }

    /** Adds a request that was not rejected. */
    public void addAccepted(Entry entry) {
        accepted.add(entry);
    }

    /** Whether the log would keep a request that is rejected now; to be asked before its entry is created. */
    public synchronized boolean keepsRejected() {
        long now = Math.floorDiv(nanos.getAsLong(), NANOS_PER_SECOND);
        if (now != second) {
            second = now;
            inSecond = 0;
        }
        return inSecond++ < othersPerSecond;
    }

    /** Adds a request that was rejected. */
    public void addRejected(Entry entry) {
        others.add(entry);
    }

    /** The latest requests that match {@code filter}, latest first, at most {@code most} of them. */
    public List<Entry> latest(Predicate<Entry> filter, int most) {
        return Stream.concat(accepted.all().stream(), others.all().stream())
                .filter(filter)
                .sorted(Comparator.comparing(Entry::at).reversed())
                .limit(most)
                .toList();
    }

    /** A buffer of the last {@code most} entries. */
    private static final class Ring {

        private final int most;
        private final Deque<Entry> entries = new ArrayDeque<>();

        Ring(int most) {
            this.most = most;
        }

        synchronized void add(Entry entry) {
            if (entries.size() == most) {
                entries.removeFirst();
            }
            entries.addLast(entry);
        }

        synchronized List<Entry> all() {
            return new ArrayList<>(entries);
        }
    }
}
