package dev.postern.store;

import java.lang.System.Logger.Level;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/*
 * A durable commit costs an fsync, whether it holds one row or three hundred. So one thread owns the only writing
 * connection: it takes what one caller wants written, and whatever else is waiting by then, and commits all of it as
 * one transaction. Under load a batch fills while the previous one is on its way to the disk; with few callers nothing
 * is waited for. When there were many, a moment passes before the next batch is closed: most of those who were just
 * answered come back within it, and a commit of fifty costs hardly more than one of twenty.
 *
 * Faults, from the near to the far:
 *  - A statement fails. The transaction is undone and each job is tried in a transaction of its own, so that the one at
 *    fault fails alone. That is why a unit may run more than once, and why what it does outside of the database
 *    hangs on Sql.afterCommit.
 *  - The connection broke before COMMIT was sent (an idle one that a firewall dropped, a server that was restarted). A new
 *    one is opened, and each job tried alone on it.
 *  - The connection broke during COMMIT. Whether the server kept it can't be known. Trying again might do the work twice, so
 *    the callers are told that it failed: a sender that repeats itself under its idempotency key gets the right answer.
 *  - No connection can be had. The batch and everything behind it fail at once; the next job to come tries again, so
 *    nobody waits longer than one attempt at connecting.
 * Whatever the fault, no further attempt begins a second after the first one did. Time-outs on the
 * connection bound each attempt, and so a caller waits at most about two seconds to hear that the database is away.
 *
 * Ending: close() lets the thread finish what is queued. A job that slips into the queue behind the thread's last look is
 * found either by the thread, which looks once more after it has said that it is done, or by its caller, who looks
 * whether the thread has said so after he has queued the job.
 */
final class GroupCommit {

    private static final System.Logger LOG = System.getLogger(GroupCommit.class.getName());

    private static final int QUEUE_CAPACITY = 4_096;
    private static final int MOST_IN_A_BATCH = 257;
    private static final int CROWD = 16;
    private static final long MOMENT_NANOS = TimeUnit.MICROSECONDS.toNanos(200);
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long IDLE_SECONDS = 30;
    private static final long LONGEST_END_MILLIS = 30_000;
    private static final Job<?, ?> WAKE_UP = Job.of(sql -> true);

    private final BlockingQueue<Job<?, ?>> queue = new ArrayBlockingQueue<>(QUEUE_CAPACITY);
    private final CommitFigures figures = new CommitFigures();
    private final Transactions transactions;
    private final Thread thread;
    /** How many came in together last time; the commit thread's own. */
    private int lastBatch;

    private volatile boolean closing;
    private volatile boolean ended;
    /** Whether the log was told that the database is away; the commit thread's own. */
    private boolean away;

    GroupCommit(Database database, String context) {
        this.transactions = new Transactions(database, figures);
        this.thread = new Thread(this::loop, "postern-" + context + "-commit");
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    <T> CompletableFuture<T> write(Unit<T> unit) {
        return enqueue(Job.of(unit));
    }

    <I, O> CompletableFuture<O> write(Bulk<I, O> work, I input) {
        return enqueue(new Job<>(work, input));
    }

    /** Waits for {@code future}, without regard to interrupts: what was queued is written anyway. */
    static <T> T await(CompletableFuture<T> future) throws StoreException {
        try {
            return future.join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof StoreException failure) {
                throw failure;
            }
            if (e.getCause() instanceof RuntimeException fault) {
                throw fault;
            }
            throw e;
        }
    }

    StoreFigures figures() {
        return figures.with(queue.size());
    }

    /** Finishes what is queued and waits for the thread's end; whoever comes later is refused. */
    void close() {
        closing = true;
        boolean woken = queue.offer(WAKE_UP);
        try {
            thread.join(LONGEST_END_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (thread.isAlive()) {
            LOG.log(Level.WARNING, "[{0}] has not ended in time (woken: {1})", thread.getName(), woken);
        }
    }

    private <O> CompletableFuture<O> enqueue(Job<?, O> job) {
        if (Thread.currentThread() == thread) {
            throw new IllegalStateException("a unit that is being committed can't wait for another one");
        }
        if (closing) {
            fail(List.of(job), new StoreException("the store is closed"));
        } else if (!queue.offer(job)) {
            fail(
                    List.of(job),
                    new StoreException("more than " + QUEUE_CAPACITY + " writes are waiting for the database"));
        } else if (ended && queue.remove(job)) {
            fail(List.of(job), new StoreException("the store is closed"));
        }
        return job.future();
    }

    private void loop() {
        List<Job<?, ?>> batch = new ArrayList<>(MOST_IN_A_BATCH);
        while (!closing || !queue.isEmpty()) {
            take(batch);
            if (!batch.isEmpty()) {
                commitOrFail(batch);
                batch.clear();
            }
        }
        ended = true;
        failWithQueued(List.of(), new StoreException("the store is closed"));
        transactions.close();
    }

    private void take(List<Job<?, ?>> batch) {
        try {
            Job<?, ?> first = queue.poll(IDLE_SECONDS, TimeUnit.SECONDS);
            if (first == null) {
                transactions.rest();
                return;
            }
            batch.add(first);
            if (lastBatch >= CROWD) {
                LockSupport.parkNanos(MOMENT_NANOS);
            }
            queue.drainTo(batch, MOST_IN_A_BATCH - 1);
            batch.remove(WAKE_UP);
            lastBatch = batch.size();
        } catch (InterruptedException e) {
            LOG.log(Level.WARNING, "[{0}] was interrupted from outside; the store closes", thread.getName());
            closing = true;
        }
    }

    /** Whatever happens, the thread lives on and nobody waits for ever. */
    private void commitOrFail(List<Job<?, ?>> batch) {
        try {
            commit(batch);
        } catch (RuntimeException | Error e) {
            LOG.log(Level.ERROR, "A batch was given up by a fault of the store itself", e);
            fail(batch, e);
        }
    }

    private void commit(List<Job<?, ?>> batch) {
        long start = System.nanoTime();
        Transactions.Attempt attempt = transactions.run(batch);
        tellOf(attempt);
        switch (attempt.outcome()) {
            case COMMITTED -> {}
            case AWAY -> failWithQueued(batch, failure(attempt.cause()));
            case UNKNOWN -> {
                if (isLate(start)) {
                    failWithQueued(batch, failure(attempt.cause()));
                } else {
                    fail(batch, failure(attempt.cause()));
                }
            }
            case LOST -> commitOneByOne(batch, start, attempt.cause());
            case UNDONE -> {
                if (batch.size() == 1) {
                    fail(batch, failure(attempt.cause()));
                } else {
                    commitOneByOne(batch, start, attempt.cause());
                }
            }
        }
    }

    private void commitOneByOne(List<Job<?, ?>> batch, long start, @Nullable Throwable cause) {
        for (int i = 0; i < batch.size(); i++) {
            if (isLate(start)) {
                failWithQueued(batch.subList(i, batch.size()), new StoreException("the database was too slow", cause));
                return;
            }
            List<Job<?, ?>> alone = List.of(batch.get(i));
            Transactions.Attempt attempt = transactions.run(alone);
            tellOf(attempt);
            switch (attempt.outcome()) {
                case COMMITTED -> {}
                case UNDONE, LOST, UNKNOWN -> fail(alone, failure(attempt.cause()));
                case AWAY -> {
                    failWithQueued(batch.subList(i, batch.size()), failure(attempt.cause()));
                    return;
                }
            }
        }
    }

    /** Tells the log once that the database is away, and once that it is back. */
    private void tellOf(Transactions.Attempt attempt) {
        if (attempt.outcome() == Transactions.Outcome.AWAY && !away) {
            away = true;
            LOG.log(Level.WARNING, "The database can''t be reached, so nothing is accepted: {0}", attempt.cause());
        } else if (attempt.outcome() == Transactions.Outcome.COMMITTED && away) {
            away = false;
            LOG.log(Level.INFO, "The database is back");
        }
    }

    private static boolean isLate(long start) {
        return System.nanoTime() - start > PATIENCE_NANOS;
    }

    /** The queue is emptied first: who hears of his failure and tries again at once is not part of it. */
    private void failWithQueued(List<Job<?, ?>> batch, Throwable failure) {
        List<Job<?, ?>> waiting = new ArrayList<>();
        queue.drainTo(waiting);
        waiting.remove(WAKE_UP);
        fail(batch, failure);
        fail(waiting, failure);
    }

    private void fail(List<Job<?, ?>> jobs, Throwable failure) {
        figures.failed(jobs.size());
        for (Job<?, ?> job : jobs) {
            job.fail(failure);
        }
    }

    /** A fault of the database becomes a StoreException; a unit's own fault stays what it is. */
    private static Throwable failure(@Nullable Throwable cause) {
        if (cause == null || cause instanceof SQLException) {
            String reason = cause == null ? "" : ": " + cause.getMessage();
            return new StoreException("the database did not take it" + reason, cause);
        }
        return cause;
    }
}
