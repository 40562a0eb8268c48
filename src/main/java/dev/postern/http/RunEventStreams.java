package dev.postern.http;

import dev.postern.ingress.Ingress;
import dev.postern.model.RunId;
import dev.postern.model.RunLookup;
import dev.postern.model.RunView;
import jakarta.servlet.AsyncContext;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The streams of the events of runs at this node. The database says what becomes of the runs, whichever node works on
 * them: one query for all followed runs, and one more for a run that has changed. No stream holds a thread.
 */
public final class RunEventStreams implements AutoCloseable {

    /** The time between two sweeps, for whoever has them made. */
    public static final Duration INTERVAL = Duration.ofMillis(500);

    private static final System.Logger LOG = System.getLogger(RunEventStreams.class.getName());

    /** How many streams there may be. */
    record Limits(int all, int ofSender, int ofRun) {

        static final Limits USUAL = new Limits(2_000, 1_000, 100);
    }

    /** Shorter than the time after which a proxy takes a silent server for dead, which is 15 s with the shipped nginx.conf. */
    private static final long KEEP_ALIVE = Duration.ofSeconds(10).toNanos();

    private static final long LONGEST_STALL = Duration.ofSeconds(30).toNanos();
    private static final long LONGEST_LIFE = Duration.ofMinutes(15).toNanos();

    private final Function<Collection<RunId>, Optional<Map<RunId, String>>> revisions;
    private final Function<RunId, RunLookup> runs;
    private final Limits limits;
    private final LongSupplier nanos;
    private final AtomicBoolean reads = new AtomicBoolean();
    private final Map<RunId, Feed> feeds = new HashMap<>();
    private final Map<String, Integer> bySender = new HashMap<>();
    private int count;
    private boolean closed;

    /** Creates the streams, which read runs through {@code ingress}. */
    public RunEventStreams(Ingress ingress) {
        this(ingress::revisions, id -> ingress.run(id, null), Limits.USUAL, System::nanoTime);
    }

    /**
     * @param revisions as {@link Ingress#revisions}
     * @param runs as {@link Ingress#run}, with all rights
     */
    RunEventStreams(
            Function<Collection<RunId>, Optional<Map<RunId, String>>> revisions,
            Function<RunId, RunLookup> runs,
            Limits limits,
            LongSupplier nanos) {
        this.revisions = revisions;
        this.runs = runs;
        this.limits = limits;
        this.nanos = nanos;
    }

    /** The events of one run and the streams that send them. */
    private static final class Feed {

        private final Set<RunEventStream> streams = new HashSet<>();
        private int reserved;
        private String revision = "";
        private List<RunEvent> events = List.of();
    }

    /** A place among the streams, which one stream takes. */
    final class Place {

        private final RunId run;
        private final String sender;
        private final AtomicBoolean free = new AtomicBoolean();

        private Place(RunId run, String sender) {
            this.run = run;
            this.sender = sender;
        }

        /**
         * Begins the stream, with the events that {@code view} shows; from then on it sends further ones by itself.
         *
         * @param last the id of the last event that the client has; null if it has none
         */
        void begin(Supplier<AsyncContext> exchange, @Nullable RunEventId last, RunView view) throws IOException {
            boolean begun = false;
            try {
                RunEventStream stream = RunEventStream.begin(exchange.get(), last, nanos, this::leave);
                begun = true;
                stream.send(RunEvent.of(view));
                enter(stream);
            } finally {
                if (!begun) {
                    giveUp();
                }
            }
        }

        /** The sweep sends nothing before this, so that no event overtakes an earlier one. */
        private void enter(RunEventStream stream) {
            boolean late;
            synchronized (RunEventStreams.this) {
                Feed feed = feeds.get(run);
                late = closed;
                if (feed != null && !stream.isOver()) {
                    feed.streams.add(stream);
                }
            }
            if (late) {
                stream.close();
            }
        }

        private void leave(RunEventStream stream) {
            synchronized (RunEventStreams.this) {
                Feed feed = feeds.get(run);
                if (feed != null) {
                    feed.streams.remove(stream);
                }
            }
            giveUp();
        }

        private void giveUp() {
            if (!free.compareAndSet(false, true)) {
                return;
            }
            synchronized (RunEventStreams.this) {
                count--;
                bySender.computeIfPresent(sender, (id, number) -> number == 1 ? null : number - 1);
                feeds.computeIfPresent(run, (id, feed) -> --feed.reserved == 0 ? null : feed);
            }
        }
    }

    /**
     * Reserves a place for a stream of {@code run}.
     *
     * @param sender the id of the sender that asks; null for a request that has all rights
     * @param taken receives the place
     * @return the error response if there is no place; null if there is
     */
    synchronized @Nullable FixedErrorResponse reserve(RunId run, @Nullable String sender, List<Place> taken) {
        String owner = sender == null ? "" : sender;
        @Nullable Feed feed = feeds.get(run);
        if (closed || count >= limits.all()) {
            return FixedErrorResponse.TOO_MANY_FOLLOWERS;
        }
        if (feed != null && feed.reserved >= limits.ofRun()) {
            return FixedErrorResponse.TOO_MANY_FOLLOWERS_OF_RUN;
        }
        if (bySender.getOrDefault(owner, 0) >= limits.ofSender()) {
            return FixedErrorResponse.TOO_MANY_FOLLOWERS_OF_SENDER;
        }
        count++;
        bySender.merge(owner, 1, Integer::sum);
        feeds.computeIfAbsent(run, id -> new Feed()).reserved++;
        taken.add(new Place(run, owner));
        return null;
    }

    /**
     * Has one of {@code threads} send what is due, unless nobody follows a run. To be called every {@link #INTERVAL}; if no
     * thread is free, the next call sees to it.
     */
    public void sweepOn(Executor threads) {
        if (isIdle()) {
            return;
        }
        try {
            threads.execute(this::sweep);
        } catch (RejectedExecutionException busy) {
            LOG.log(Level.DEBUG, "No thread is free to look at followed runs; the next sweep does");
        }
    }

    private synchronized boolean isIdle() {
        return count == 0;
    }

    /**
     * Sends what is due: keep-alives, and the events of runs that have changed. Reads the database, which may block. A call
     * while an earlier one still waits for the database does everything else.
     */
    void sweep() {
        streams().forEach(RunEventStreams::keep);
        if (reads.compareAndSet(false, true)) {
            try {
                readChanges();
            } finally {
                reads.set(false);
            }
        }
    }

    private static void keep(RunEventStream stream) {
        if (stream.silence() >= LONGEST_STALL && stream.isStalled()) {
            stream.abort();
        } else if (stream.age() >= LONGEST_LIFE) {
            stream.close();
        } else if (stream.silence() >= KEEP_ALIVE) {
            stream.keepAlive();
        }
    }

    private void readChanges() {
        Map<RunId, Feed> followed = feeds();
        if (followed.isEmpty()) {
            return;
        }
        @Nullable Map<RunId, String> now = revisions.apply(followed.keySet()).orElse(null);
        if (now != null) {
            followed.forEach((run, feed) -> update(run, feed, now.get(run)));
        }
    }

    /** @param revision the run's revision; null if the run is gone */
    private void update(RunId run, Feed feed, @Nullable String revision) {
        if (revision == null) {
            streams(feed).forEach(RunEventStream::close);
            return;
        }
        if (!revision.equals(feed.revision)) {
            Optional<RunView> view = runs.apply(run).found();
            if (view.isEmpty()) {
                return;
            }
            feed.revision = revision;
            feed.events = RunEvent.of(view.get());
        }
        streams(feed).forEach(stream -> stream.send(feed.events));
    }

    private synchronized Map<RunId, Feed> feeds() {
        return Map.copyOf(feeds);
    }

    private synchronized List<RunEventStream> streams(Feed feed) {
        return List.copyOf(feed.streams);
    }

    private synchronized List<RunEventStream> streams() {
        List<RunEventStream> all = new ArrayList<>(count);
        feeds.values().forEach(feed -> all.addAll(feed.streams));
        return all;
    }

    /** Ends all streams; their clients come back, here or to another node, and go on where they were. */
    @Override
    public void close() {
        synchronized (this) {
            closed = true;
        }
        for (RunEventStream stream : streams()) {
            if (stream.isStalled()) {
                stream.abort();
            } else {
                stream.close();
            }
        }
    }
}
