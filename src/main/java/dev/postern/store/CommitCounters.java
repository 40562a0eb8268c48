package dev.postern.store;

import java.time.Duration;
import java.util.concurrent.atomic.LongAdder;

/** The counters behind {@link StoreMetrics}. The commit thread alone counts commits; any thread counts failures. */
final class CommitCounters {

    private final LongAdder failed = new LongAdder();
    private volatile Commits commits = new Commits(0, 0, 0);

    private record Commits(long count, long units, long nanos) {}

    void committed(int units, long nanos) {
        Commits before = commits;
        commits = new Commits(before.count() + 1, before.units() + units, before.nanos() + nanos);
    }

    void failed(int units) {
        failed.add(units);
    }

    StoreMetrics with(int queued) {
        Commits now = commits;
        return new StoreMetrics(now.count(), now.units(), failed.sum(), Duration.ofNanos(now.nanos()), queued);
    }
}
