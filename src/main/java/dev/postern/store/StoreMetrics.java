package dev.postern.store;

import java.time.Duration;

/**
 * What the group commit did since the store was opened.
 *
 * @param commits transactions that were committed
 * @param units units that were committed in them
 * @param failed units that were not committed, whatever the reason, those refused by a full queue included
 * @param totalCommit from the first statement of a transaction until its commit was on disk, the sum over all commits
 * @param queued units that wait now
 */
public record StoreMetrics(long commits, long units, long failed, Duration totalCommit, int queued) {

    /** Units in a commit on average, 0 before the first. */
    public double meanBatch() {
        return commits == 0 ? 0 : (double) units / commits;
    }

    /** The time of a commit on average, zero before the first. */
    public Duration meanCommit() {
        return commits == 0 ? Duration.ZERO : totalCommit.dividedBy(commits);
    }
}
