package dev.postern.store;

import java.lang.System.Logger.Level;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/*
 * A durable commit costs one fsync, whether it holds one row or three hundred. So one thread owns the only connection
 * that writes. It takes the next caller's job and every other job that waits by then, and commits all of them as one
 * transaction. Under load a batch fills while the previous one is written to disk; with few callers there is no delay.
 * After a large batch the thread pauses for a moment before it closes the next one: most callers that just got their
 * result come back within that time, and a commit of fifty jobs costs hardly more than one of twenty.
 *
 * BatchRetry says what happens after a failure.
 *
 * Shutdown: close() lets the thread finish the queue. A job may enter the queue after the thread's last look. Then
 * either the thread finds it, because it looks once more after it has set "ended", or the caller does, because it
 * checks "ended" after it has queued the job.
 */
/** A writer that commits the jobs of many callers together, on one thread and one connection. */
final class GroupCommit {

    private static final System.Logger LOG = System.getLogger(GroupCommit.class.getName());

    private static final int QUEUE_CAPACITY = 4_096;
    private static final int MOST_IN_A_BATCH = 257;
    private static final int CROWD = 4;
    private static final long MOMENT_NANOS = TimeUnit.MICROSECONDS.toNanos(200);
    private static final long LONGEST_END_MILLIS = 30_000;
    private static final WriteJob<?, ?> WAKE_UP = WriteJob.of(sql -> true);

    private final BlockingQueue<WriteJob<?, ?>> queue = new ArrayBlockingQueue<>(QUEUE_CAPACITY);
    private final CommitCounters counters = new CommitCounters();
    private final OutageTracker writes;
    private final TransactionRunner transactionRunner;
    private final BatchRetry batchRetry;
    private final Thread thread;
    /** The size of the last batch; used by the commit thread only. */
    private int lastBatch;

    private volatile boolean closing;
    private volatile boolean ended;

    GroupCommit(Database database, String context, InstantSource clock) {
        this.writes = new OutageTracker("writes", clock);
        this.transactionRunner = new TransactionRunner(database, clock, counters, writes);
        this.batchRetry = new BatchRetry(transactionRunner, counters, writes);
        this.thread = new Thread(this::loop, "postern-" + context + "-commit");
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    <T> CompletableFuture<T> write(UnitOfWork<T> unit) {
        return enqueue(WriteJob.of(unit));
    }

    <I, O> CompletableFuture<O> write(BatchWrite<I, O> work, I input) {
        return enqueue(new WriteJob<>(work, input));
    }

    /** Waits for {@code future} and ignores interrupts, because the queued job is written anyway. */
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

    StoreMetrics metrics() {
        return counters.with(queue.size());
    }

    /** Turns the log messages about failing writes on or off. */
    void logOutages(boolean told) {
        writes.logOutages(told);
    }

    /** False while the latest attempt to write is one that failed. */
    boolean takesWrites() {
        return writes.works();
    }

    /** False once the commit thread has ended, and nothing will be written any more. */
    boolean isAlive() {
        return thread.isAlive();
    }

    /** Finishes the queued jobs and waits for the thread to end. Later jobs are rejected. */
    void close() {
        closing = true;
        boolean woken = queue.offer(WAKE_UP);
        try {
            thread.join(LONGEST_END_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (thread.isAlive()) {
            LOG.log(Level.WARNING, "Thread [{0}] did not end in time (signalled: {1})", thread.getName(), woken);
        }
    }

    private <O> CompletableFuture<O> enqueue(WriteJob<?, O> job) {
        if (Thread.currentThread() == thread) {
            throw new IllegalStateException("a unit that is being committed can't wait for another one");
        }
        if (closing) {
            refuse(List.of(job));
        } else if (!queue.offer(job)) {
            batchRetry.fail(
                    List.of(job),
                    new StoreException("more than " + QUEUE_CAPACITY + " writes are waiting for the database"));
        } else if (ended && queue.remove(job)) {
            refuse(List.of(job));
        }
        return job.future();
    }

    private void loop() {
        List<WriteJob<?, ?>> batch = new ArrayList<>(MOST_IN_A_BATCH);
        try {
            while (!closing || !queue.isEmpty()) {
                take(batch);
                if (!batch.isEmpty()) {
                    commitOrFail(batch);
                    batch.clear();
                }
            }
        } finally {
            ended = true;
            refuse(queued());
            transactionRunner.close();
        }
    }

    private void take(List<WriteJob<?, ?>> batch) {
        try {
            batch.add(queue.take());
            if (lastBatch >= CROWD) {
                LockSupport.parkNanos(MOMENT_NANOS);
            }
            queue.drainTo(batch, MOST_IN_A_BATCH - 1);
            batch.remove(WAKE_UP);
            lastBatch = batch.size();
        } catch (InterruptedException e) {
            LOG.log(Level.WARNING, "Thread [{0}] was interrupted; the store is closing", thread.getName());
            closing = true;
        }
    }

    /** Commits {@code batch}, or fails its jobs. After any error the thread lives on and no caller waits for ever. */
    private void commitOrFail(List<WriteJob<?, ?>> batch) {
        try {
            batchRetry.commit(batch, this::queued);
        } catch (RuntimeException | Error e) {
            LOG.log(Level.ERROR, "A batch of writes failed with an internal error of the store", e);
            batchRetry.fail(batch, e);
        }
    }

    private List<WriteJob<?, ?>> queued() {
        List<WriteJob<?, ?>> waiting = new ArrayList<>();
        queue.drainTo(waiting);
        waiting.remove(WAKE_UP);
        return waiting;
    }

    private void refuse(List<WriteJob<?, ?>> jobs) {
        counters.failed(jobs.size());
        jobs.forEach(job -> job.fail(new StoreException("the store is closed")));
    }
}
