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
 * A durable commit costs an fsync, whether it holds one row or three hundred. So one thread owns the only writing
 * connection: it takes what one caller wants written, and whatever else is waiting by then, and commits all of it as
 * one transaction. Under load a batch fills while the previous one is on its way to the disk; with few callers nothing
 * is waited for. When there were many, a moment passes before the next batch is closed: most of those who were just
 * answered come back within it, and a commit of fifty costs hardly more than one of twenty.
 *
 * What happens when something fails is told at Attempts.
 *
 * Ending: close() lets the thread finish what is queued. A job that slips into the queue behind the thread's last look is
 * found either by the thread, which looks once more after it has said that it is done, or by its caller, who looks
 * whether the thread has said so after he has queued the job.
 */
final class GroupCommit {

    private static final System.Logger LOG = System.getLogger(GroupCommit.class.getName());

    private static final int QUEUE_CAPACITY = 4_096;
    private static final int MOST_IN_A_BATCH = 257;
    private static final int CROWD = 4;
    private static final long MOMENT_NANOS = TimeUnit.MICROSECONDS.toNanos(200);
    private static final long LONGEST_END_MILLIS = 30_000;
    private static final WriteJob<?, ?> WAKE_UP = WriteJob.of(sql -> true);

    private final BlockingQueue<WriteJob<?, ?>> queue = new ArrayBlockingQueue<>(QUEUE_CAPACITY);
    private final CommitCounters figures = new CommitCounters();
    private final OutageTracker writes;
    private final TransactionRunner transactionRunner;
    private final BatchRetry batchRetry;
    private final Thread thread;
    /** How many came in together last time; the commit thread's own. */
    private int lastBatch;

    private volatile boolean closing;
    private volatile boolean ended;

    GroupCommit(Database database, String context, InstantSource clock) {
        this.writes = new OutageTracker("writes", clock);
        this.transactionRunner = new TransactionRunner(database, clock, figures, writes);
        this.batchRetry = new BatchRetry(transactionRunner, figures, writes);
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

    StoreMetrics figures() {
        return figures.with(queue.size());
    }

    /** Whether the log is told when writes begin to fail. */
    void tellFaults(boolean told) {
        writes.tell(told);
    }

    /** False while the latest attempt to write is one that failed. */
    boolean takesWrites() {
        return writes.works();
    }

    /** False once the commit thread has ended, and nothing will be written any more. */
    boolean isAlive() {
        return thread.isAlive();
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
            LOG.log(Level.WARNING, "[{0}] was interrupted from outside; the store closes", thread.getName());
            closing = true;
        }
    }

    /** Whatever happens, the thread lives on and nobody waits for ever. */
    private void commitOrFail(List<WriteJob<?, ?>> batch) {
        try {
            batchRetry.commit(batch, this::queued);
        } catch (RuntimeException | Error e) {
            LOG.log(Level.ERROR, "A batch was given up by a fault of the store itself", e);
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
        figures.failed(jobs.size());
        jobs.forEach(job -> job.fail(new StoreException("the store is closed")));
    }
}
