package dev.postern.store;

import java.time.Duration;

/**
 * The metrics of the group commit since the store was opened.
 *
 * @param commits the number of committed transactions
 * @param units the number of units committed in them
 * @param failed the number of units that were not committed for any reason, including those that a full queue rejected
 * @param totalCommit the total time of all commits, each from the first statement of the transaction until its commit
 *     was on disk
 * @param queued the number of units that wait now
 */
public record StoreMetrics(long commits, long units, long failed, Duration totalCommit, int queued) {

    /** The mean number of units in a commit, 0 before the first. */
    public double meanBatch() {
        return commits == 0 ? 0 : (double) units / commits;
    }

    /** The mean time of a commit, zero before the first. */
    public Duration meanCommit() {
        return commits == 0 ? Duration.ZERO : totalCommit.dividedBy(commits);
    }
}
