package dev.postern.store;

import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/*
 * A batch is one transaction, or several where other nodes write to the same database: see Transactions.split.
 *
 * Faults, from the near to the far:
 *  - A statement fails. The transaction is undone and each job is tried in a transaction of its own, so that the one at
 *    fault fails alone. That is why a unit may run more than once, and why what it does outside of the database
 *    hangs on Sql.afterCommit.
 *  - The connection broke before COMMIT was sent (an idle one that a firewall dropped, a server that was restarted). A new
 *    one is opened, and each job tried alone on it.
 *  - The connection broke during COMMIT. Whether the server kept it can't be known. Trying again might do the work twice, so
 *    the callers are told of the doubt: a sender that repeats itself under its idempotency key gets the right answer.
 *  - No connection can be had. The batch and everything behind it fail at once; the next job to come tries again, so
 *    nobody waits longer than one attempt at connecting.
 * Whatever the fault, no further attempt begins a second after the first one that failed has begun. Time-outs on the
 * connection bound each attempt, and so a caller waits at most about two seconds to hear that the database is away.
 */
/** Sees one batch after the other through to its end: every job of it is committed, or failed. For the commit thread. */
final class BatchRetry {

    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final TransactionRunner transactionRunner;
    private final CommitCounters figures;
    private final OutageTracker writes;

    BatchRetry(TransactionRunner transactionRunner, CommitCounters figures, OutageTracker writes) {
        this.transactionRunner = transactionRunner;
        this.figures = figures;
        this.writes = writes;
    }

    /** Jobs for one transaction; {@code again} when they were part of one that failed. */
    private record Part(List<WriteJob<?, ?>> jobs, boolean again) {

        boolean mayGoApart(TransactionRunner.Outcome outcome) {
            return !again
                    && (outcome == TransactionRunner.Outcome.LOST
                            || (outcome == TransactionRunner.Outcome.UNDONE && jobs.size() > 1));
        }
    }

    /**
     * Ends every job of {@code batch}.
     *
     * @param queued takes what waits behind it, to be failed too where there is no use in trying
     */
    void commit(List<WriteJob<?, ?>> batch, Supplier<List<WriteJob<?, ?>>> queued) {
        Deque<Part> open = new ArrayDeque<>();
        transactionRunner.split(batch).forEach(jobs -> open.add(new Part(jobs, false)));
        @Nullable Long firstFault = null;
        while (!open.isEmpty()) {
            Part part = open.remove();
            long start = System.nanoTime();
            TransactionRunner.Attempt attempt = transactionRunner.run(part.jobs());
            boolean failed = attempt.outcome() != TransactionRunner.Outcome.COMMITTED;
            if (failed && firstFault == null) {
                firstFault = start;
            }
            boolean over = attempt.outcome() == TransactionRunner.Outcome.AWAY || isLate(firstFault);
            // Taken before anybody is told: who hears of his failure and tries again at once is not part of it.
            List<WriteJob<?, ?>> behind = over ? allOf(open, queued.get()) : List.of();
            if (failed && !over && part.mayGoApart(attempt.outcome())) {
                apart(part).forEach(open::addFirst);
            } else if (failed) {
                fail(part.jobs(), failure(attempt));
            }
            fail(behind, new StoreException("the database is away or too slow", attempt.cause()));
        }
    }

    /** Fails {@code jobs}, and tells of it where the reason lies with the database. */
    void fail(List<WriteJob<?, ?>> jobs, Throwable failure) {
        if (jobs.isEmpty()) {
            return;
        }
        figures.failed(jobs.size());
        if (failure instanceof StoreException fault) {
            writes.failed(jobs.size(), fault);
        }
        for (WriteJob<?, ?> job : jobs) {
            job.fail(failure);
        }
    }

    private static boolean isLate(@Nullable Long firstFault) {
        return firstFault != null && System.nanoTime() - firstFault > PATIENCE_NANOS;
    }

    /** Each job of {@code part} alone, the last one first. */
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

    /** A fault of the database becomes a StoreException; a unit's own fault stays what it is. */
    private static Throwable failure(TransactionRunner.Attempt attempt) {
        Throwable cause = Objects.requireNonNull(attempt.cause(), "what failed has a cause");
        return switch (attempt.outcome()) {
            case UNKNOWN -> new UncertainCommitException(cause);
            case AWAY -> StoreException.of("the database gives no connection", cause);
            default -> cause instanceof SQLException ? StoreException.of("the database did not take it", cause) : cause;
        };
    }
}
