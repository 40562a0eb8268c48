package dev.postern.dispatch;

import dev.postern.acceptance.CancellationResult;
import dev.postern.acceptance.PendingCancellation;
import dev.postern.acceptance.RunRepository;
import dev.postern.model.OperatorResult;
import dev.postern.model.RunId;
import dev.postern.model.RunState;
import dev.postern.store.SqlTransaction;
import dev.postern.store.Store;
import dev.postern.store.StoreException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/*
 * A queued run ends in the transaction of the request. Only the node that runs a turn can end it, and only the database
 * reaches that node. So the request is noted in the database first, and each node checks now and then for noted runs.
 * It interrupts those of the turns that are its own. If a run came back to the queue instead, because its node has just
 * stopped or given it up, the first node that checks ends it. No node begins it meanwhile.
 */
/** A canceller that ends runs for operators, on whichever node their turns are running. */
final class RunCanceller {

    private static final Logger LOG = System.getLogger(RunCanceller.class.getName());

    private final Store store;
    private final RunRepository runRepository;
    private final RunReporter runReporter;
    private final TurnWorkers workers;
    private final ExecutorGateway threads;
    private final DispatchClock clock;
    private final Duration pause;
    private final Runnable ended;

    /**
     * @param pause between two checks for noted runs
     * @param ended called when a queued run was ended
     */
    RunCanceller(
            Store store,
            RunRepository runRepository,
            RunReporter runReporter,
            TurnWorkers workers,
            ExecutorGateway threads,
            DispatchClock clock,
            Duration pause,
            Runnable ended) {
        this.store = store;
        this.runRepository = runRepository;
        this.runReporter = runReporter;
        this.workers = workers;
        this.threads = threads;
        this.clock = clock;
        this.pause = pause;
        this.ended = ended;
    }

    /** Ends the run {@code id}, or has its node end it; waits for the database. */
    OperatorResult cancel(RunId id) throws StoreException {
        CancellationResult what = store.writeAndWait(sql -> write(sql, id));
        if (what.ended() != null) {
            runReporter.notifyEnded(id, RunState.CANCELLED);
            ended.run();
        } else if (what.result() instanceof OperatorResult.Done) {
            workers.cancel(id.value());
        }
        return what.result();
    }

    private CancellationResult write(SqlTransaction sql, RunId id) throws SQLException {
        CancellationResult what = runRepository.cancel(sql, id);
        if (what.ended() != null) {
            runReporter.reportEndWithoutTurn(sql, what.ended());
        }
        return what;
    }

    /** Starts the repeated check for noted runs. */
    void start() {
        clock.after(pause, this::look);
    }

    private void look() {
        try {
            var unused = store.write(runRepository::pendingCancellations)
                    .whenComplete((unwanted, failure) -> clock.soon(() -> found(unwanted, failure)));
        } catch (RuntimeException | Error e) {
            found(null, e);
        }
    }

    private void found(@Nullable List<PendingCancellation> unwanted, @Nullable Throwable failure) {
        start();
        if (unwanted == null) {
            LOG.log(Level.DEBUG, "Could not read the pending cancellations: {0}", String.valueOf(failure));
            return;
        }
        List<RunId> queued = new ArrayList<>();
        for (PendingCancellation run : unwanted) {
            if (run.state() == RunState.RUNNING) {
                workers.cancel(run.id().value());
            } else {
                queued.add(run.id());
            }
        }
        if (!queued.isEmpty() && !threads.run(() -> queued.forEach(this::end))) {
            LOG.log(Level.DEBUG, "No thread available; cancelling the queued runs at the next check");
        }
    }

    private void end(RunId id) {
        try {
            cancel(id);
        } catch (StoreException e) {
            LOG.log(Level.DEBUG, "Could not cancel run {0} yet: {1}", id, e.getMessage());
        }
    }
}
