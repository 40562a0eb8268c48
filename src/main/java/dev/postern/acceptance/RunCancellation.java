package dev.postern.acceptance;

import dev.postern.model.OperatorResult;
import dev.postern.model.RunId;
import dev.postern.model.RunState;
import dev.postern.model.SessionId;
import dev.postern.store.ResultRow;
import dev.postern.store.SqlTransaction;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/**
 * The cancellation of runs by an operator. A queued run ends at once. For a run with a turn in progress the request is
 * noted, and no node begins another attempt of such a run. A run whose group is open is cancelled with all of its requests: the
 * group closes, and later requests open another. A run's state is read after its session row is locked, as in
 * every transaction that changes it.
 */
final class RunCancellation {

    /** The most runs in one result; the others are found when these have ended. */
    private static final int MOST = 1_000;

    private static final String PLACE = "SELECT state, session_key FROM run WHERE id = ?";

    private static final String FIND = "SELECT state," + RunningRun.COLUMNS + " FROM run WHERE id = ?";

    private static final String ASK = "UPDATE run SET cancel_at = COALESCE(cancel_at, ?) WHERE id = ?";

    private static final String UNWANTED =
            "SELECT id, state FROM run WHERE cancel_at IS NOT NULL AND finished_at IS NULL ORDER BY cancel_at LIMIT ?";

    private RunCancellation() {}

    /**
     * The place of a run.
     *
     * @param isCollecting whether the run waits for the close of its group
     */
    private record Place(RunState state, SessionId session, boolean isCollecting) {}

    private record Found(RunState state, RunningRun run) {}

    /** Cancels a run, as {@link RunRepository#cancel} says. */
    static CancellationResult cancel(SqlTransaction sql, RunId id, long now, PendingActionCounter pending)
            throws SQLException {
        Optional<Place> place = sql.first(PLACE, RunCancellation::place, id.value());
        if (place.isEmpty()) {
            return CancellationResult.of(new OperatorResult.NotFound());
        }
        if (place.get().state().ended()) {
            return hadEnded(place.get().state());
        }
        if (place.get().isCollecting()) {
            var unused = GroupClosing.close(sql, id.value(), now); // the group of a run holds no delivery
        }
        SessionLocks.lock(sql, place.get().session());
        Optional<Found> found =
                sql.first(FIND, row -> new Found(RunState.of(row.text("state")), RunningRun.of(row)), id.value());
        return found.isEmpty()
                ? CancellationResult.of(new OperatorResult.NotFound())
                : cancel(sql, found.get(), now, pending);
    }

    private static CancellationResult hadEnded(RunState state) {
        return CancellationResult.of(new OperatorResult.Conflict("The run has already ended: " + state.wire() + "."));
    }

    private static CancellationResult cancel(SqlTransaction sql, Found found, long now, PendingActionCounter pending)
            throws SQLException {
        RunningRun run = found.run();
        if (found.state() == RunState.QUEUED) {
            EndedRun ended = run.end(sql, RunState.CANCELLED, CancellationResult.SENTENCE, now);
            SessionLocks.updateReadyAt(sql, run.session(), now);
            pending.change(sql, -1);
            return new CancellationResult(new OperatorResult.Done("The run is cancelled.", run.id()), ended);
        }
        if (found.state() == RunState.RUNNING) {
            sql.update(ASK, now, run.id().value());
            return CancellationResult.of(
                    new OperatorResult.Done("The turn of the run ends within some seconds.", run.id()));
        }
        return hadEnded(found.state());
    }

    /** The runs that are to be cancelled, as {@link RunRepository#pendingCancellations} says. */
    static List<PendingCancellation> pendingCancellations(SqlTransaction sql) throws SQLException {
        return sql.query(
                UNWANTED,
                row -> new PendingCancellation(new RunId(row.text("id")), RunState.of(row.text("state"))),
                MOST);
    }

    private static Place place(ResultRow row) throws SQLException {
        return new Place(
                RunState.of(row.text("state")),
                CollectingSession.read(row.text("session_key")),
                CollectingSession.is(row.text("session_key")));
    }
}
