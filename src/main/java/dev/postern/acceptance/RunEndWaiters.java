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
 * Lets many wait for the ends of runs without a thread. Whoever watches first and then reads the run misses no end: a
 * run that has ended before it was watched shows in what is read. A future says only that it is time to read; it
 * completes when the run has ended, when its wait is over, or at a shutdown, on a thread that must not be held up.
 */
public final class RunEndWaiters {

    private final int maxWatchers;
    private final LongSupplier nanos;
    private final Map<RunId, List<Watcher>> watchers = new HashMap<>();
    private int count;
    private boolean closed;

    private record Watcher(long until, CompletableFuture<RunId> future) {}

    /**
     * Takes {@code maxWatchers} at one time; further ones need not wait at all.
     *
     * @param nanos as {@link System#nanoTime}
     */
    public RunEndWaiters(int maxWatchers, LongSupplier nanos) {
        this.maxWatchers = maxWatchers;
        this.nanos = nanos;
    }

    /** Completes when {@code run} has ended, or {@code wait} is over. Completing it from outside ends the watch. */
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

    /** Tells those who watch {@code run} that it has ended; called after the commit that ended it. */
    public void signal(RunId run) {
        of(run).forEach(watcher -> watcher.future().complete(run));
    }

    /** The runs that somebody watches. */
    public synchronized List<RunId> watched() {
        return List.copyOf(watchers.keySet());
    }

    /** Tells those whose wait is over. */
    public void expire() {
        long now = nanos.getAsLong();
        for (RunId run : watched()) {
            of(run).stream().filter(watcher -> now - watcher.until() >= 0).forEach(watcher -> watcher.future()
                    .complete(run));
        }
    }

    /** Tells everybody, and from now on lets nobody wait. */
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
