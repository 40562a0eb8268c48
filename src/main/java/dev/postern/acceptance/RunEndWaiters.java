package dev.postern.acceptance;

import dev.postern.model.RunId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;

/**
 * A registry of waiters for the ends of runs, none of which occupies a thread. A caller that first watches a run and
 * then reads it misses no end: if the run ended before the watch began, the read shows it. A future only says that it
 * is time to read. It completes when the run has ended, when its wait is over, or at a shutdown, on a thread that must
 * not be blocked.
 */
public final class RunEndWaiters {

    private final int maxWatchers;
    private final LongSupplier nanos;
    private final Map<RunId, List<Watcher>> watchers = new HashMap<>();
    private int count;
    private boolean closed;

    private record Watcher(long until, CompletableFuture<RunId> future) {}

    /**
     * A registry for up to {@code maxWatchers} waiters at one time; the futures of further ones complete at once.
     *
     * @param nanos as {@link System#nanoTime}
     */
    public RunEndWaiters(int maxWatchers, LongSupplier nanos) {
        this.maxWatchers = maxWatchers;
        this.nanos = nanos;
    }

    /**
     * A future that completes when {@code run} has ended or {@code wait} is over. To complete it from outside ends the
     * watch.
     */
    public CompletableFuture<RunId> ended(RunId run, Duration wait) {
        CompletableFuture<RunId> future = new CompletableFuture<>();
        Watcher watcher = new Watcher(nanos.getAsLong() + wait.toNanos(), future);
        if (!add(run, watcher)) {
            future.complete(run);
            return future;
        }
        var unused = future.whenComplete((ended, failure) -> remove(run, watcher));
        return future;
    }

    /** Completes the futures of {@code run}; called after the commit that ended it. */
    public void signal(RunId run) {
        of(run).forEach(watcher -> watcher.future().complete(run));
    }

    /** The watched runs. */
    public synchronized List<RunId> watched() {
        return List.copyOf(watchers.keySet());
    }

    /** Completes the futures whose wait is over. */
    public void expire() {
        long now = nanos.getAsLong();
        for (RunId run : watched()) {
            of(run).stream().filter(watcher -> now - watcher.until() >= 0).forEach(watcher -> watcher.future()
                    .complete(run));
        }
    }

    /** Completes all futures, and from now on every new one at once. */
    public void close() {
        synchronized (this) {
            closed = true;
        }
        watched().forEach(this::signal);
    }

    private synchronized boolean add(RunId run, Watcher watcher) {
        if (closed || count >= maxWatchers) {
            return false;
        }
        count++;
        watchers.computeIfAbsent(run, id -> new ArrayList<>()).add(watcher);
        return true;
    }

    private synchronized void remove(RunId run, Watcher watcher) {
        List<Watcher> all = watchers.get(run);
        if (all == null) {
            return;
        }
        if (all.remove(watcher)) {
            count--;
        }
        if (all.isEmpty()) {
            watchers.remove(run);
        }
    }

    private synchronized List<Watcher> of(RunId run) {
        return List.copyOf(watchers.getOrDefault(run, List.of()));
    }
}
