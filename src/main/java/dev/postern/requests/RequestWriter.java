package dev.postern.requests;

import dev.postern.ingress.RequestRecorder;
import dev.postern.model.HookRequest;
import dev.postern.model.HookResult;
import dev.postern.model.LoggedRequest;
import dev.postern.model.RequestLogEntry;
import dev.postern.model.RequestOrigin;
import dev.postern.model.SealedPayload;
import dev.postern.store.Store;
import dev.postern.store.StoreException;
import java.lang.System.Logger.Level;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A writer of admitted requests that were not accepted. It adds them to the request log behind their responses, and drops and
 * counts those that come too fast or that the database does not take. Only a request whose payload is kept is written before
 * its response, and so is a replay; neither is dropped because others came too fast. Safe for use by many threads.
 */
public final class RequestWriter implements Consumer<RequestLogEntry>, RequestRecorder {

    private static final System.Logger LOG = System.getLogger(RequestWriter.class.getName());
    private static final long NANOS_PER_SECOND = 1_000_000_000L;

    private final Store store;
    private final RequestTable requestTable;
    private final PayloadSealer payloadSealer;
    private final int perSecond;
    private final int mostWaiting;
    private final LongSupplier nanos;
    private final Map<String, SecondCount> counts = new ConcurrentHashMap<>();
    private final AtomicInteger waiting = new AtomicInteger();
    private final LongAdder dropped = new LongAdder();

    /**
     * Creates a writer.
     *
     * @param payloadSealer decides which payloads are kept
     * @param perSecond the most requests of one credential or sender in a second
     * @param mostWaiting the most requests that wait for a commit
     * @param nanos as {@link System#nanoTime}
     */
    public RequestWriter(
            Store store,
            RequestTable requestTable,
            PayloadSealer payloadSealer,
            int perSecond,
            int mostWaiting,
            LongSupplier nanos) {
        this.store = store;
        this.requestTable = requestTable;
        this.payloadSealer = payloadSealer;
        this.perSecond = perSecond;
        this.mostWaiting = mostWaiting;
        this.nanos = nanos;
    }

    @Override
    public @Nullable SealedPayload payload(HookRequest request, String mapping) {
        return payloadSealer.seal(request, mapping, false);
    }

    @Override
    public void record(HookRequest request, RequestOrigin origin, String mapping, HookResult result) {
        boolean isAway = result instanceof HookResult.Unavailable || result instanceof HookResult.Uncertain;
        @Nullable
        SealedPayload payload =
                isAway ? null : payloadSealer.seal(request, mapping, result instanceof HookResult.Failure);
        LoggedRequest logged =
                origin.logged(request.hook(), mapping, request.receivedAt(), result, request.body().length, payload);
        if (payload == null && origin.replayOf() == null) {
            add(logged);
        } else { // an operator sees by the row that a request was replayed
            try {
                store.writeAndWait(requestTable, logged);
            } catch (StoreException e) {
                drop(logged);
                LOG.log(Level.DEBUG, "Request " + origin.requestId() + " was not logged", e);
            }
        }
    }

    /** Adds {@code entry}, of a request whose body was not read, to the next commit. Returns at once. */
    @Override
    public void accept(RequestLogEntry entry) {
        add(new LoggedRequest(entry, null, null));
    }

    private void add(LoggedRequest request) {
        long second = Math.floorDiv(nanos.getAsLong(), NANOS_PER_SECOND);
        if (!counts.computeIfAbsent(origin(request.entry()), origin -> new SecondCount())
                .mayAdd(second, perSecond)) {
            drop(request);
            return;
        }
        if (waiting.incrementAndGet() > mostWaiting) {
            waiting.decrementAndGet();
            drop(request);
            return;
        }
        var unused = store.write(requestTable, request).whenComplete((written, failure) -> {
            waiting.decrementAndGet();
            if (failure != null) {
                drop(request);
            }
        });
    }

    private void drop(LoggedRequest request) {
        dropped.increment();
        requestTable.count(request.entry());
    }

    /** The credential of {@code entry}, together with its sender if it has a token of its own. */
    private static String origin(RequestLogEntry entry) {
        return entry.sender() == null ? entry.credential() : entry.credential() + " " + entry.sender();
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
