package dev.postern.dispatch;

import dev.postern.acceptance.EndedRun;
import dev.postern.acceptance.RecoveryResult;
import dev.postern.acceptance.RunRepository;
import dev.postern.store.SqlTransaction;
import dev.postern.store.Store;
import dev.postern.store.StoreException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.SQLException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Strikes dead nodes off, and takes back the lanes of all that are gone: their runs are queued again, or failed. Lanes
 * are found by their owners, so one that could not be had this time is found the next.
 */
final class DeadNodeCleanup {

    private static final Logger LOG = System.getLogger(DeadNodeCleanup.class.getName());

    private final NodeLease lease;
    private final Store store;
    private final RunRepository runRepository;
    private final RunExecutor runExecutor;
    private final int maxAttempts;
    private final ExecutorGateway threads;
    private final Runnable recovered;
    private boolean failing;

    /**
     * @param recovered told when there may be work that was taken back
     */
    DeadNodeCleanup(
            NodeLease lease,
            Store store,
            RunRepository runRepository,
            RunExecutor runExecutor,
            int maxAttempts,
            ExecutorGateway threads,
            Runnable recovered) {
        this.lease = lease;
        this.store = store;
        this.runRepository = runRepository;
        this.runExecutor = runExecutor;
        this.maxAttempts = maxAttempts;
        this.threads = threads;
        this.recovered = recovered;
    }

    /**
     * Buries {@code dead} and looks for lanes to take back; waits for the database.
     *
     * @param dead ids, and what each node last said
     */
    void buryAndWait(Map<String, Long> dead) throws StoreException {
        tell(dead.size(), store.writeAndWait(sql -> bury(sql, dead)));
    }

    /** As {@link #buryAndWait}, without waiting. Called on the clock thread. */
    void bury(Map<String, Long> dead, DispatchClock clock) {
        var unused = store.write(sql -> bury(sql, dead))
                .whenComplete((freed, failure) -> clock.soon(() -> buried(dead.size(), freed, failure)));
    }

    private RecoveryResult bury(SqlTransaction sql, Map<String, Long> dead) throws SQLException {
        for (Map.Entry<String, Long> node : dead.entrySet()) {
            lease.remove(sql, node.getKey(), node.getValue());
        }
        RecoveryResult freed = runRepository.recover(sql, maxAttempts);
        for (EndedRun run : freed.ended()) {
            runExecutor.postEnded(sql, run);
        }
        return freed;
    }

    /** Says once that it can't be done, until it can: each renewal tries again. */
    private void buried(int nodes, @Nullable RecoveryResult freed, @Nullable Throwable failure) {
        if (freed != null) {
            failing = false;
            tell(nodes, freed);
        } else if (!failing) {
            failing = true;
            LOG.log(
                    Level.WARNING,
                    "What nodes that are gone have left can''t be taken over now: {0}",
                    String.valueOf(failure));
        }
    }

    private void tell(int nodes, RecoveryResult freed) {
        if (nodes == 0 && freed.lanes() == 0) {
            return;
        }
        LOG.log(
                Level.INFO,
                "Took over from nodes that ended without a word: {0}; turns to be run again: {1}; runs that had no attempt"
                        + " left, or were to be cancelled: {2}",
                nodes,
                freed.lanes() - freed.ended().size(),
                freed.ended().size());
        if (!freed.ended().isEmpty() && !threads.run(() -> tellOf(freed))) {
            LOG.log(Level.DEBUG, "Those who wait for these runs find out for themselves");
        }
        recovered.run();
    }

    private void tellOf(RecoveryResult freed) {
        freed.ended().forEach(run -> runExecutor.tellEnded(run.id(), run.state()));
    }
}
