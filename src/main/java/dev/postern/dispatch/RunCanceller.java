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
 * What is queued ends in the transaction that was asked for. A turn can be ended by the node that takes it alone, and only the
 * database reaches that one: so it is noted there first, and each node looks now and then for what is noted. It cuts off
 * those of the turns that are its own. Where one came back to the queue instead, since its node has stopped or given it
 * up just then, whoever looks first ends it; nobody begins it meanwhile.
 */
final class RunCanceller {

    private static final Logger LOG = System.getLogger(RunCanceller.class.getName());

    private final Store store;
    private final RunRepository runRepository;
    private final RunExecutor runExecutor;
    private final TurnWorkers workers;
    private final ExecutorGateway threads;
    private final DispatchClock clock;
    private final Duration pause;
    private final Runnable ended;

    /**
     * @param pause between two looks
     * @param ended told when a run was ended that was queued
     */
    RunCanceller(
            Store store,
            RunRepository runRepository,
            RunExecutor runExecutor,
            TurnWorkers workers,
            ExecutorGateway threads,
            DispatchClock clock,
            Duration pause,
            Runnable ended) {
        this.store = store;
        this.runRepository = runRepository;
        this.runExecutor = runExecutor;
        this.workers = workers;
        this.threads = threads;
        this.clock = clock;
        this.pause = pause;
        this.ended = ended;
    }

    /** Ends the run called {@code id}, or has it ended by its node; waits for the database. */
    OperatorResult cancel(RunId id) throws StoreException {
        CancellationResult what = store.writeAndWait(sql -> write(sql, id));
        if (what.ended() != null) {
            runExecutor.tellEnded(id, RunState.CANCELLED);
            ended.run();
        } else if (what.result() instanceof OperatorResult.Done) {
            workers.cancel(id.value());
        }
        return what.result();
    }

    private CancellationResult write(SqlTransaction sql, RunId id) throws SQLException {
        CancellationResult what = runRepository.cancel(sql, id);
        if (what.ended() != null) {
            runExecutor.postEnded(sql, what.ended());
        }
        return what;
    }

    /** Looks from now on, again and again. */
    void start() {
        clock.after(pause, this::look);
    }

    private void look() {
        try {
            var unused = store.write(runRepository::unwanted)
                    .whenComplete((unwanted, failure) -> clock.soon(() -> found(unwanted, failure)));
        } catch (RuntimeException | Error e) {
            found(null, e);
        }
    }

    private void found(@Nullable List<PendingCancellation> unwanted, @Nullable Throwable failure) {
        start();
        if (unwanted == null) {
            LOG.log(Level.DEBUG, "Which runs are to be cancelled cannot be read now: {0}", String.valueOf(failure));
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
            LOG.log(Level.DEBUG, "The next look ends what is to be cancelled");
        }
    }

    private void end(RunId id) {
        try {
            cancel(id);
        } catch (StoreException e) {
            LOG.log(Level.DEBUG, "Run {0} cannot be cancelled yet: {1}", id, e.getMessage());
        }
    }
}
