package dev.postern.store;

import java.time.Duration;
import java.util.concurrent.atomic.LongAdder;

/** Counts for {@link StoreFigures}: commits by the commit thread alone, failures by anyone. */
final class CommitFigures {

    private final LongAdder failed = new LongAdder();
    private volatile StoreFigures latest = new StoreFigures(0, 0, 0, 0, Duration.ZERO, Duration.ZERO, Duration.ZERO, 0);

    void committed(int units, long nanos) {
        StoreFigures before = latest;
        Duration time = Duration.ofNanos(nanos);
        latest = new StoreFigures(
                before.commits() + 1,
                before.units() + units,
                0,
                units,
                time,
                before.totalCommit().plus(time),
                time.compareTo(before.maxCommit()) > 0 ? time : before.maxCommit(),
                0);
    }

    void failed(int units) {
        failed.add(units);
    }

    StoreFigures with(int queued) {
        StoreFigures now = latest;
        return new StoreFigures(
                now.commits(),
                now.units(),
                failed.sum(),
                now.lastBatch(),
                now.lastCommit(),
                now.totalCommit(),
                now.maxCommit(),
                queued);
    }
}
