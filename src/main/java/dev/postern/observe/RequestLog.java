package dev.postern.observe;

import dev.postern.model.RequestLogEntry;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

/**
 * A log of hook requests. Requests that were not admitted are sampled each second and kept in bounded memory, so a flood of
 * them costs nothing and reaches no database. Admitted requests are passed on to a store, or kept in memory as long as there
 * is none. Safe for use by many threads.
 */
public final class RequestLog {

    private static final long NANOS_PER_SECOND = 1_000_000_000L;

    private final Ring unadmitted;
    private final int unadmittedPerSecond;
    private final LongSupplier nanos;
    private volatile Consumer<RequestLogEntry> admitted;
    private long second;
    private int inSecond;

    /**
     * Creates an empty log.
     *
     * @param most the number of requests that are kept in memory
     * @param unadmittedPerSecond the number of requests per second that were not admitted and are kept
     * @param nanos as {@link System#nanoTime}
     */
    public RequestLog(int most, int unadmittedPerSecond, LongSupplier nanos) {
        this.unadmitted = new Ring(most);
        this.admitted = unadmitted::add;
        this.unadmittedPerSecond = unadmittedPerSecond;
        this.nanos = nanos;
        this.second = Math.floorDiv(nanos.getAsLong(), NANOS_PER_SECOND) - 1;
    }

    /** Sets the store that takes each admitted request from now on; it must not block. */
    public void setStore(Consumer<RequestLogEntry> store) {
        admitted = store;
    }

    /** Adds an admitted request that was not accepted. */
    public void addAdmitted(RequestLogEntry entry) {
        admitted.accept(entry);
    }

    /** Whether the log would keep a request that is not admitted now; to be asked before its entry is created. */
    public synchronized boolean keepsUnadmitted() {
        long now = Math.floorDiv(nanos.getAsLong(), NANOS_PER_SECOND);
        if (now != second) {
            second = now;
            inSecond = 0;
        }
        return inSecond++ < unadmittedPerSecond;
    }

    /** Adds a request that was not admitted. */
    public void addUnadmitted(RequestLogEntry entry) {
        unadmitted.add(entry);
    }

    /** The latest requests in memory that match {@code filter}, latest first, at most {@code most} of them. */
    public List<RequestLogEntry> latest(Predicate<RequestLogEntry> filter, int most) {
        return unadmitted.all().stream()
                .filter(filter)
                .sorted(Comparator.comparing(RequestLogEntry::at).reversed())
                .limit(most)
                .toList();
    }

    /** A buffer of the last {@code most} entries. */
    private static final class Ring {

        private final int most;
        private final Deque<RequestLogEntry> entries = new ArrayDeque<>();

        Ring(int most) {
            this.most = most;
        }

        synchronized void add(RequestLogEntry entry) {
            if (entries.size() == most) {
                entries.removeFirst();
            }
            entries.addLast(entry);
        }

        synchronized List<RequestLogEntry> all() {
            return new ArrayList<>(entries);
        }
    }
}
