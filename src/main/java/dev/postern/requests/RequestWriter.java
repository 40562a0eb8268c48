package dev.postern.requests;

import dev.postern.model.RequestLogEntry;
import dev.postern.store.Store;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * A writer that adds admitted requests that were not accepted to the request log, behind their responses. It drops and counts
 * those that come too fast or that the database does not take. Safe for use by many threads.
 */
public final class RequestWriter implements Consumer<RequestLogEntry> {

    private static final long NANOS_PER_SECOND = 1_000_000_000L;

    private final Store store;
    private final RequestTable requestTable;
    private final int perSecond;
    private final int mostWaiting;
    private final LongSupplier nanos;
    private final Map<String, SecondCount> counts = new ConcurrentHashMap<>();
    private final AtomicInteger waiting = new AtomicInteger();
    private final LongAdder dropped = new LongAdder();

    /**
     * Creates a writer.
     *
     * @param perSecond the most requests of one credential in a second
     * @param mostWaiting the most requests that wait for a commit
     * @param nanos as {@link System#nanoTime}
     */
    public RequestWriter(Store store, RequestTable requestTable, int perSecond, int mostWaiting, LongSupplier nanos) {
        this.store = store;
        this.requestTable = requestTable;
        this.perSecond = perSecond;
        this.mostWaiting = mostWaiting;
        this.nanos = nanos;
    }

    /** Adds {@code entry} to the next commit. Returns at once. */
    @Override
    public void accept(RequestLogEntry entry) {
        long second = Math.floorDiv(nanos.getAsLong(), NANOS_PER_SECOND);
        if (!counts.computeIfAbsent(entry.credential(), credential -> new SecondCount())
                .mayAdd(second, perSecond)) {
            dropped.increment();
            return;
        }
        if (waiting.incrementAndGet() > mostWaiting) {
            waiting.decrementAndGet();
            dropped.increment();
            return;
        }
        var unused = store.write(requestTable, entry).whenComplete((written, failure) -> {
            waiting.decrementAndGet();
            if (failure != null) {
                dropped.increment();
            }
        });
    }

    /** The number of requests so far that the log does not hold. */
    public long dropped() {
        return dropped.sum();
    }

    /** The number of requests in the current second. */
    private static final class SecondCount {

        private long second = Long.MIN_VALUE;
        private int count;

        synchronized boolean mayAdd(long now, int most) {
            if (now != second) {
                second = now;
                count = 0;
            }
            return count++ < most;
        }
    }
}
