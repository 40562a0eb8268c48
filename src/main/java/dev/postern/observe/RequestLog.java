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
 * The latest requests of this node, for whoever wants to know what became of one. Kept in memory and bounded: so many that
 * were accepted, and apart from them so many that were not, of which only some of each second are kept, so that a flood of
 * refusals neither costs anything nor washes away what somebody looks for. Safe for use by many threads.
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
     * An empty log.
     *
     * @param most requests of either kind that are kept
     * @param othersPerSecond requests that were not accepted and are kept, of one second
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
     * One request and its answer.
     *
     * @param client the sender's address, as the container has it
     * @param hook the path below the hook prefix, as it was asked for; may be anything
     * @param mapping the id of the mapping that took it; empty where none did, or none is needed
     * @param code {@code accepted}, {@code nothing} and such, or the code of an error body
     * @param bytes of the body; -1 where it was not read
     * @param micros from the request's head to the answer
     * @param became the ids of runs and events, in order
     */
    public record Entry(
            Instant at,
            String client,
            String hook,
            String mapping,
            int status,
            String code,
            long bytes,
            long micros,
            List<String> became) {

        public Entry {
            became = List.copyOf(became);
        }
    }

    /** Notes a request that was not refused. */
    public void accepted(Entry entry) {
        accepted.add(entry);
    }

    /** Whether a request that is refused now would be kept; to be asked before its entry is made. */
    public synchronized boolean keepsRefused() {
        long now = Math.floorDiv(nanos.getAsLong(), NANOS_PER_SECOND);
        if (now != second) {
            second = now;
            inSecond = 0;
        }
        return inSecond++ < othersPerSecond;
    }

    /** Notes a request that was refused. */
    public void refused(Entry entry) {
        others.add(entry);
    }

    /** The latest requests that {@code filter} lets through, the latest first, at most so many. */
    public List<Entry> latest(Predicate<Entry> filter, int most) {
        return Stream.concat(accepted.all().stream(), others.all().stream())
                .filter(filter)
                .sorted(Comparator.comparing(Entry::at).reversed())
                .limit(most)
                .toList();
    }

    /** The last so many entries. */
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
