package dev.postern.store;

import java.lang.System.Logger.Level;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Turns jobs into one transaction on the writer connection, which is opened when needed. For the commit thread. */
final class Transactions {

    private static final System.Logger LOG = System.getLogger(Transactions.class.getName());

    private final Database database;
    private final CommitFigures figures;
    private @Nullable Writer writer;
    private boolean away;

    Transactions(Database database, CommitFigures figures) {
        this.database = database;
        this.figures = figures;
    }

    /** What became of one transaction. */
    enum Outcome {
        /** On disk, and every job's caller was told. */
        COMMITTED,
        /** A statement failed and everything was undone; the connection is sound. */
        UNDONE,
        /** The connection broke before the commit was asked for: nothing was kept. */
        LOST,
        /** The connection broke while the commit was under way: the server may have kept it. */
        UNKNOWN,
        /** No connection could be had. */
        AWAY
    }

    /** An outcome and its cause, which is null after a commit alone. */
    record Attempt(Outcome outcome, @Nullable Throwable cause) {}

    /** Runs {@code jobs} in one transaction. Only after the commit are their futures completed. */
    Attempt run(List<Job<?, ?>> jobs) {
        Writer current;
        try {
            current = writer();
        } catch (SQLException | RuntimeException e) {
            noteAway(e);
            return new Attempt(Outcome.AWAY, e);
        }
        boolean committing = false;
        try {
            long start = System.nanoTime();
            for (List<Job<?, ?>> alike : byWork(jobs)) {
                alike.get(0).runTogether(current.sql(), alike);
            }
            committing = true;
            current.commit();
            figures.committed(jobs.size(), System.nanoTime() - start);
        } catch (SQLException | RuntimeException | Error e) {
            boolean sound = undo(current);
            return new Attempt(sound ? Outcome.UNDONE : committing ? Outcome.UNKNOWN : Outcome.LOST, e);
        }
        tell(current.sql().ended(true));
        for (Job<?, ?> job : jobs) {
            job.succeed();
        }
        return new Attempt(Outcome.COMMITTED, null);
    }

    /** Gives the writer connection back when it belongs to a pool, so that the pool can check and renew it. */
    void rest() {
        if (database.lends()) {
            close();
        }
    }

    /** Closes the writer connection; the next transaction would open another. */
    void close() {
        Writer last = writer;
        writer = null;
        if (last != null) {
            try {
                last.close();
            } catch (SQLException e) {
                LOG.log(Level.DEBUG, "A writer connection was not closed cleanly", e);
            }
        }
    }

    private Writer writer() throws SQLException {
        Writer current = writer;
        if (current == null) {
            current = Writer.open(database);
            writer = current;
            if (away) {
                away = false;
                LOG.log(Level.INFO, "The database is back");
            }
        }
        return current;
    }

    private void noteAway(Exception cause) {
        if (!away) {
            away = true;
            LOG.log(
                    Level.WARNING,
                    "The database is away, requests are refused until it is back: {0}",
                    cause.getMessage());
        }
    }

    /** True when the transaction was undone on a connection that is still good. */
    private boolean undo(Writer current) {
        boolean sound = false;
        try {
            current.rollback();
            sound = current.usable();
        } catch (SQLException e) {
            LOG.log(Level.DEBUG, "A writer connection broke", e);
        }
        if (!sound) {
            close();
        }
        tell(current.sql().ended(false));
        return sound;
    }

    private static void tell(List<Runnable> actions) {
        for (Runnable action : actions) {
            try {
                action.run();
            } catch (RuntimeException e) {
                LOG.log(Level.ERROR, "What should follow a transaction failed; the transaction itself stands", e);
            }
        }
    }

    private static Iterable<List<Job<?, ?>>> byWork(List<Job<?, ?>> jobs) {
        if (jobs.size() == 1) {
            return List.of(jobs);
        }
        Map<Bulk<?, ?>, List<Job<?, ?>>> alike = new LinkedHashMap<>();
        for (Job<?, ?> job : jobs) {
            alike.computeIfAbsent(job.work(), work -> new ArrayList<>()).add(job);
        }
        return alike.values();
    }
}
