package dev.postern.acceptance;

import dev.postern.model.RunId;
import dev.postern.model.RunState;
import dev.postern.model.SessionId;
import dev.postern.model.TurnRecord;
import dev.postern.store.SqlTransaction;
import java.sql.SQLException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Dispatch's door to runs. Every method works in the caller's transaction. Runs of one session are claimed one at a
 * time and in the order in which they were accepted.
 */
public final class RunRepository {

    private static final String READY =
            "SELECT key FROM session WHERE ready_at IS NOT NULL AND owner IS NULL ORDER BY ready_at LIMIT ?";

    private static final String START = "UPDATE run SET state = 'running', attempts = attempts + 1,"
            + " started_at = COALESCE(started_at, ?)"
            + " WHERE id = (SELECT id FROM run WHERE session_key = ?" + SessionLocks.NEXT + ") RETURNING"
            + RunningRun.COLUMNS;

    private static final String TAKE = "UPDATE session SET owner = ?, epoch = epoch + 1, used_at = ?, "
            + SessionLocks.READY_AT + " WHERE key = ? RETURNING epoch";

    static final String END =
            "UPDATE run SET state = ?, finished_at = ?, reply = ?, error = ?, turn_record = ? WHERE id = ?";

    static final String REQUEUE = "UPDATE run SET state = 'queued' WHERE id = ?";

    static final String GIVE_BACK = "UPDATE run SET state = 'queued', attempts = attempts - 1,"
            + " started_at = CASE WHEN attempts > 1 THEN started_at END WHERE id = ?";

    private final InstantSource clock;
    private final PendingActionCounter pending;

    /**
     * @param pending shared with {@link Intake} and {@link EventRepository}
     */
    public RunRepository(InstantSource clock, PendingActionCounter pending) {
        this.clock = clock;
        this.pending = pending;
    }

    /**
     * Takes the lanes of sessions that have something queued and nobody working, those that wait longest first, and
     * starts the first run in each.
     *
     * @param node this node's name, which stays with the lane until it is freed
     * @param max how many runs at most
     */
    public List<ClaimedRun> claim(SqlTransaction sql, String node, int max) throws SQLException {
        long now = clock.millis();
        List<ClaimedRun> claimed = new ArrayList<>();
        for (String key : sql.query(READY + sql.dialect().forUpdateSkipLocked(), row -> row.text("key"), max)) {
            Optional<RunningRun> started = sql.first(START, RunningRun::of, now, key);
            if (started.isEmpty()) {
                SessionLocks.free(sql, new SessionId(key), now);
                continue;
            }
            long epoch =
                    sql.first(TAKE, row -> row.number("epoch"), node, now, key).orElseThrow();
            claimed.add(started.get().claimed(epoch));
        }
        return claimed;
    }

    /**
     * Ends {@code run} and frees its lane.
     *
     * @param state one that has ended
     * @param turn what its turn used and did; null where none is known of
     * @return false when the claim doesn't hold any more; then nothing is written
     */
    public boolean finish(
            SqlTransaction sql,
            ClaimedRun run,
            RunState state,
            @Nullable String reply,
            @Nullable String error,
            @Nullable TurnRecord turn)
            throws SQLException {
        if (!state.ended()) {
            throw new IllegalArgumentException("a run can't finish as " + state);
        }
        if (!SessionLocks.lock(sql, run.session(), run.epoch())) {
            return false;
        }
        long now = clock.millis();
        String record = turn == null ? null : TurnRecordJson.encode(turn);
        sql.update(END, state.wire(), now, reply, error, record, run.id().value());
        SessionLocks.free(sql, run.session(), now);
        pending.change(sql, -1);
        return true;
    }

    /**
     * Puts an interrupted {@code run} back to the head of its lane and frees it. The attempt stays counted.
     *
     * @return false when the claim doesn't hold any more; then nothing is written
     */
    public boolean release(SqlTransaction sql, ClaimedRun run) throws SQLException {
        return requeue(sql, run, REQUEUE);
    }

    /**
     * As {@link #release}, for a turn that was never begun: the attempt is not counted.
     *
     * @return false when the claim doesn't hold any more; then nothing is written
     */
    public boolean giveBack(SqlTransaction sql, ClaimedRun run) throws SQLException {
        return requeue(sql, run, GIVE_BACK);
    }

    private boolean requeue(SqlTransaction sql, ClaimedRun run, String change) throws SQLException {
        if (!SessionLocks.lock(sql, run.session(), run.epoch())) {
            return false;
        }
        sql.update(change, run.id().value());
        SessionLocks.free(sql, run.session(), clock.millis());
        return true;
    }

    /**
     * Ends the run called {@code id} before its turn, or notes that the turn is to be ended: by the node that takes it,
     * which has to look after that. Until then, no node begins another.
     */
    public CancellationResult cancel(SqlTransaction sql, RunId id) throws SQLException {
        return RunCancellation.cancel(sql, id, clock.millis(), pending);
    }

    /** The runs that are to be ended, as {@link #cancel} has noted, and have not ended; the earliest first. */
    public List<PendingCancellation> unwanted(SqlTransaction sql) throws SQLException {
        return RunCancellation.unwanted(sql);
    }

    /**
     * Frees the lanes of nodes that are gone: those whose owner is no row of {@code node}. A run that was going on is
     * queued again, or failed when it has used up its attempts, or cancelled where that was asked for; an interrupted
     * heartbeat is due again.
     */
    public RecoveryResult recover(SqlTransaction sql, int maxAttempts) throws SQLException {
        return OrphanedSessionLocks.recover(sql, maxAttempts, clock.millis(), pending);
    }

    /**
     * Gives back the lanes that {@code node} holds without knowing it, as after a claim whose commit was never
     * confirmed. None was begun in them: attempts aren't counted, and heartbeats are due again.
     *
     * @param held the ids of the sessions that {@code node} does work in
     * @return how many lanes were given back
     */
    public int giveBackAllBut(SqlTransaction sql, String node, Set<String> held) throws SQLException {
        return OrphanedSessionLocks.giveBackAllBut(sql, node, held, clock.millis());
    }

    /** When the run was accepted that has waited longest for its turn to begin; empty when none waits. */
    public static Optional<Instant> oldestQueued(SqlTransaction sql) throws SQLException {
        return sql.first(
                "SELECT ready_at FROM session WHERE ready_at IS NOT NULL ORDER BY ready_at LIMIT 1",
                row -> row.instant("ready_at"));
    }
}
