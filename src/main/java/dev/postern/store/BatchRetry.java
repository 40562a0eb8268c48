package dev.postern.store;

import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/*
 * A batch is one transaction, or several where other nodes write to the same database: see TransactionRunner.split.
 *
 * Failures, from the nearest to the farthest:
 *  - A statement fails. The transaction is rolled back and each job is tried in a transaction of its own, so that only
 *    the job at fault fails. That is why a unit may run more than once, and why it does anything outside the database
 *    in SqlTransaction.afterCommit.
 *  - The connection broke before COMMIT was sent (a firewall dropped it while idle, or the server was restarted). A new
 *    connection is opened, and each job is tried alone on it.
 *  - The connection broke during COMMIT. The server may or may not have committed. A retry might do the work twice, so
 *    the callers get an UncertainCommitException. A sender that retries under its idempotency key gets the right
 *    response.
 *  - No connection is available. The batch and everything behind it fail at once. The next job tries again, so no
 *    caller waits longer than one attempt to connect.
 * Where the connection broke, the failed attempts of a batch may take one second together. After that, the rest of the
 * batch and everything behind it fail. Time-outs on the connection bound each attempt, so a caller waits at most about
 * two seconds to learn that the database is away.
 * Where the connection is sound, the job at fault may be too slow, or wait for a lock. Failed attempts may then take
 * four seconds together: enough for a statement's time limit in a transaction of many, and again in the job alone. So one
 * such job fails alone, and a caller waits at most about six seconds behind several.
 */
/**
 * A retry policy for batches that takes one batch at a time until every job in it is committed or failed. For the
 * commit thread only.
 */
final class BatchRetry {

    private static final long BROKEN_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long SOUND_NANOS = TimeUnit.SECONDS.toNanos(4);

    private final TransactionRunner transactionRunner;
    private final CommitCounters counters;
    private final OutageTracker writes;

    BatchRetry(TransactionRunner transactionRunner, CommitCounters counters, OutageTracker writes) {
        this.transactionRunner = transactionRunner;
        this.counters = counters;
        this.writes = writes;
    }

    /** A group of jobs for one transaction; {@code again} when they were part of a transaction that failed. */
    private record Part(List<WriteJob<?, ?>> jobs, boolean again) {

        boolean maySplit(TransactionRunner.Outcome outcome) {
            return !again
                    && (outcome == TransactionRunner.Outcome.LOST
                            || (outcome == TransactionRunner.Outcome.UNDONE && jobs.size() > 1));
        }
    }

    /**
     * Commits or fails every job of {@code batch}.
     *
     * @param queued removes and returns the jobs that wait behind the batch; they fail too when another attempt is
     *     pointless
     */
    void commit(List<WriteJob<?, ?>> batch, Supplier<List<WriteJob<?, ?>>> queued) {
        Deque<Part> open = new ArrayDeque<>();
        transactionRunner.split(batch).forEach(jobs -> open.add(new Part(jobs, false)));
        long lost = 0;
        while (!open.isEmpty()) {
            Part part = open.remove();
            long start = System.nanoTime();
            TransactionRunner.Attempt attempt = transactionRunner.run(part.jobs());
            boolean failed = attempt.outcome() != TransactionRunner.Outcome.COMMITTED;
            lost += failed ? System.nanoTime() - start : 0;
            boolean over = lost >= patience(attempt.outcome());
            // Taken before any future fails: a caller that retries at once must not become part of this batch.
            List<WriteJob<?, ?>> behind = over ? allOf(open, queued.get()) : List.of();
            if (failed && !over && part.maySplit(attempt.outcome())) {
                apart(part).forEach(open::addFirst);
            } else if (failed) {
                fail(part.jobs(), failure(attempt));
            }
            if (over) {
                fail(behind, new StoreException("the database is away or too slow", attempt.cause()));
            }
        }
    }

    /** Fails {@code jobs}, and logs it where the database is the reason. */
    void fail(List<WriteJob<?, ?>> jobs, Throwable failure) {
        if (jobs.isEmpty()) {
            return;
        }
        counters.failed(jobs.size());
        if (failure instanceof StoreException fault) {
            writes.failed(jobs.size(), fault);
        }
        for (WriteJob<?, ?> job : jobs) {
            job.fail(failure);
        }
    }

    /** The time of failed attempts, in nanoseconds, after which an attempt with {@code outcome} is the last one. */
    private static long patience(TransactionRunner.Outcome outcome) {
        return switch (outcome) {
            case COMMITTED -> Long.MAX_VALUE;
            case UNDONE -> SOUND_NANOS;
            case LOST, UNKNOWN -> BROKEN_NANOS;
            case AWAY -> 0;
        };
    }

    /** One part for each job of {@code part}, the last job first. */
    private static List<Part> apart(Part part) {
        List<Part> parts = new ArrayList<>(part.jobs().size());
        for (int i = part.jobs().size() - 1; i >= 0; i--) {
            parts.add(new Part(List.of(part.jobs().get(i)), true));
        }
        return parts;
    }

    private static List<WriteJob<?, ?>> allOf(Deque<Part> open, List<WriteJob<?, ?>> queued) {
        List<WriteJob<?, ?>> all = new ArrayList<>();
        open.forEach(part -> all.addAll(part.jobs()));
        open.clear();
        all.addAll(queued);
        return all;
    }

    /**
     * The exception for the callers: a database failure becomes a StoreException, a unit's own exception stays as it
     * is.
     */
    private static Throwable failure(TransactionRunner.Attempt attempt) {
        Throwable cause = Objects.requireNonNull(attempt.cause(), "what failed has a cause");
        return switch (attempt.outcome()) {
            case UNKNOWN -> new UncertainCommitException(cause);
            case AWAY -> StoreException.of("the database gives no connection", cause);
            default -> cause instanceof SQLException fault ? RejectedWriteException.orOther(fault) : cause;
        };
    }
}
