package dev.postern.dispatch;

import dev.postern.acceptance.EndedRun;
import dev.postern.acceptance.HeartbeatRecovery;
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
 * A cleanup that removes dead nodes and releases their session locks: their runs are queued again, or fail. Their
 * heartbeats fail. Locks are found by their owners, so a lock that could not be released this time is found the next time.
 */
final class DeadNodeCleanup {

    private static final Logger LOG = System.getLogger(DeadNodeCleanup.class.getName());

    private final NodeLease lease;
    private final Store store;
    private final RunRepository runRepository;
    private final HeartbeatRecovery heartbeatRecovery;
    private final RunReporter runReporter;
    private final DispatchCounters dispatchCounters;
    private final int maxAttempts;
    private final ExecutorGateway threads;
    private final Runnable recovered;
    private boolean failing;

    /**
     * @param recovered called when recovered runs or heartbeats may be ready
     */
    DeadNodeCleanup(
            NodeLease lease,
            Store store,
            RunRepository runRepository,
            HeartbeatRecovery heartbeatRecovery,
            RunReporter runReporter,
            DispatchCounters dispatchCounters,
            int maxAttempts,
            ExecutorGateway threads,
            Runnable recovered) {
        this.lease = lease;
        this.store = store;
        this.runRepository = runRepository;
        this.heartbeatRecovery = heartbeatRecovery;
        this.runReporter = runReporter;
        this.dispatchCounters = dispatchCounters;
        this.maxAttempts = maxAttempts;
        this.threads = threads;
        this.recovered = recovered;
    }

    /**
     * Removes {@code dead} and releases session locks; waits for the database.
     *
     * @param dead node ids, each with the last value of its row's {@code seen_at}
     */
    void cleanUpAndWait(Map<String, Long> dead) throws StoreException {
        report(dead.size(), store.writeAndWait(sql -> cleanUp(sql, dead)));
    }

    /** As {@link #cleanUpAndWait}, without waiting. Called on the clock thread. */
    void cleanUp(Map<String, Long> dead, DispatchClock clock) {
        var unused = store.write(sql -> cleanUp(sql, dead))
                .whenComplete((freed, failure) -> clock.soon(() -> cleanedUp(dead.size(), freed, failure)));
    }

    private RecoveryResult cleanUp(SqlTransaction sql, Map<String, Long> dead) throws SQLException {
        for (Map.Entry<String, Long> node : dead.entrySet()) {
            lease.remove(sql, node.getKey(), node.getValue());
        }
        RecoveryResult freed = runRepository.recover(sql, maxAttempts, heartbeatRecovery);
        for (EndedRun run : freed.ended()) {
            runReporter.reportEndWithoutTurn(sql, run);
        }
        return freed;
    }

    /** Handles the result. Logs once that the cleanup fails, until it works again: each renewal tries again. */
    private void cleanedUp(int nodes, @Nullable RecoveryResult freed, @Nullable Throwable failure) {
        if (freed != null) {
            failing = false;
            report(nodes, freed);
        } else if (!failing) {
            failing = true;
            LOG.log(
                    Level.WARNING,
                    "Could not recover the work of dead nodes; retrying at the next renewal: {0}",
                    String.valueOf(failure));
        }
    }

    private void report(int nodes, RecoveryResult freed) {
        if (nodes == 0 && freed.sessionLocks() == 0) {
            return;
        }
        dispatchCounters.interrupted(freed.requeued());
        LOG.log(
                Level.INFO,
                "Recovered work of {0} dead node(s): {1} turn(s) requeued, {2} run(s) failed or cancelled",
                nodes,
                freed.sessionLocks() - freed.ended().size(),
                freed.ended().size());
        if (!freed.ended().isEmpty() && !threads.run(() -> notifyWaiters(freed))) {
            LOG.log(Level.DEBUG, "No thread available to notify waiters; they find the ended runs later");
        }
        recovered.run();
    }

    private void notifyWaiters(RecoveryResult freed) {
        freed.ended().forEach(run -> runReporter.notifyEnded(run.id(), run.state()));
    }
}
