package dev.postern.store;

import java.lang.System.Logger.Level;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A runner that turns jobs into transactions on the writer connection, which it opens when needed. For the commit
 * thread.
 */
final class TransactionRunner {

    /**
     * The longest time that the writer connection is borrowed. A pool checks, renews and moves only connections that
     * were returned to it; returning costs a few round trips.
     */
    static final Duration LONGEST_LOAN = Duration.ofMinutes(2);

    private static final System.Logger LOG = System.getLogger(TransactionRunner.class.getName());

    private final Database database;
    private final InstantSource clock;
    private final CommitCounters counters;
    private final OutageTracker writes;
    private @Nullable WriterConnection writer;

    TransactionRunner(Database database, InstantSource clock, CommitCounters counters, OutageTracker writes) {
        this.database = database;
        this.clock = clock;
        this.counters = counters;
        this.writes = writes;
    }

    /** The outcome of one transaction. */
    enum Outcome {
        /** On disk, and the futures of all jobs are completed. */
        COMMITTED,
        /** A statement failed and everything was rolled back; the connection is sound. */
        UNDONE,
        /** Nothing was kept, and the connection is gone. */
        LOST,
        /** The connection broke during the commit: the server may or may not have kept it. */
        UNKNOWN,
        /** No connection was available. */
        AWAY
    }

    /** An outcome and its cause; the cause is null only after a commit. */
    record Attempt(Outcome outcome, @Nullable Throwable cause) {}

    /**
     * Splits {@code batch} into transactions. SQLite takes all of it in one. Where other nodes write too, a transaction
     * may wait for a locked row, and should hold few locks itself. So there, inputs of the same kind are written
     * together, and each plain unit alone.
     */
    List<List<WriteJob<?, ?>>> split(List<WriteJob<?, ?>> batch) {
        if (!database.dialect().shared()) {
            return List.of(batch);
        }
        List<List<WriteJob<?, ?>>> parts = new ArrayList<>();
        for (List<WriteJob<?, ?>> alike : byWork(batch)) {
            if (alike.get(0).isPlain()) {
                alike.forEach(job -> parts.add(List.of(job)));
            } else {
                parts.add(alike);
            }
        }
        return parts;
    }

    /** Runs {@code jobs} in one transaction. Their futures complete only after the commit. */
    Attempt run(List<WriteJob<?, ?>> jobs) {
        WriterConnection current;
        try {
            current = writer();
        } catch (SQLException | RuntimeException e) {
            return new Attempt(Outcome.AWAY, e);
        }
        boolean committing = false;
        boolean changed;
        try {
            long start = System.nanoTime();
            for (List<WriteJob<?, ?>> alike : byWork(jobs)) {
                alike.get(0).runTogether(current.sql(), alike);
            }
            changed = current.sql().changed();
            committing = true;
            current.commit();
            counters.committed(jobs.size(), System.nanoTime() - start);
        } catch (SQLException | RuntimeException | Error e) {
            return new Attempt(undo(current, committing), e);
        }
        if (changed) {
            writes.worked();
        }
        runActions(current.sql().ended(true));
        for (WriteJob<?, ?> job : jobs) {
            job.succeed();
        }
        return new Attempt(Outcome.COMMITTED, null);
    }

    /** Closes the writer connection; the next transaction would open another. */
    void close() {
        WriterConnection last = writer;
        writer = null;
        if (last != null) {
            try {
                last.close();
            } catch (SQLException e) {
                LOG.log(Level.DEBUG, "A writer connection was not closed cleanly", e);
            }
        }
    }

    private WriterConnection writer() throws SQLException {
        WriterConnection lent = writer;
        if (lent != null
                && database.dialect().shared()
                && lent.age(clock.instant()).compareTo(LONGEST_LOAN) > 0) {
            close();
        }
        WriterConnection current = writer;
        if (current == null) {
            current = WriterConnection.open(database, clock.instant());
            writer = current;
        }
        return current;
    }

    /**
     * Rolls back the transaction of {@code current}. A failed commit is uncertain only where it had to go over a
     * network. SQLite rolls back by itself when it can't write, and has no transaction left then.
     */
    private Outcome undo(WriterConnection current, boolean committing) {
        boolean sound = false;
        try {
            current.rollback();
            sound = current.usable();
        } catch (SQLException e) {
            LOG.log(Level.DEBUG, "A writer connection broke: {0}", StoreException.kindOf(e));
        }
        if (!sound) {
            close();
        }
        runActions(current.sql().ended(false));
        if (sound) {
            return Outcome.UNDONE;
        }
        return committing && database.dialect().shared() ? Outcome.UNKNOWN : Outcome.LOST;
    }

    private static void runActions(List<Runnable> actions) {
        for (Runnable action : actions) {
            try {
                action.run();
            } catch (RuntimeException | Error e) {
                LOG.log(Level.ERROR, "An action after a transaction failed; the transaction is not affected", e);
            }
        }
    }

    private static Iterable<List<WriteJob<?, ?>>> byWork(List<WriteJob<?, ?>> jobs) {
        if (jobs.size() == 1) {
            return List.of(jobs);
        }
        Map<BatchWrite<?, ?>, List<WriteJob<?, ?>>> alike = new LinkedHashMap<>();
        for (WriteJob<?, ?> job : jobs) {
            alike.computeIfAbsent(job.work(), work -> new ArrayList<>()).add(job);
        }
        return alike.values();
    }
}
