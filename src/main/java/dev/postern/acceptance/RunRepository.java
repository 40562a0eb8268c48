package dev.postern.acceptance;

import dev.postern.model.OutboxEntry;
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
 * The repository of runs, for dispatch. Every method works in the caller's transaction. Runs of one session are claimed
 * one at a time, in the order in which they were accepted.
 */
public final class RunRepository {

    private static final String START =
            "UPDATE run SET state = 'running', attempts = attempts + 1, retry_at = NULL, held_by = NULL,"
                    + " started_at = COALESCE(started_at, ?)"
                    + " WHERE id = (SELECT id FROM run WHERE session_key = ?" + SessionLocks.NEXT + ") RETURNING"
                    + RunningRun.COLUMNS;

    private static final String TAKE = "UPDATE session SET owner = ?, epoch = epoch + 1, used_at = ?, "
            + SessionLocks.READY_AT + " WHERE key = ? RETURNING epoch";

    static final String END = "UPDATE run SET state = ?, finished_at = ?, reply = ?, error = ?,"
            + " turn_record = COALESCE(?, turn_record), answered_model = ?, retry_at = NULL, held_by = NULL WHERE id = ?";

    private static final String RECORD = "UPDATE run SET turn_record = ? WHERE id = ?";

    static final String REQUEUE = "UPDATE run SET state = 'queued' WHERE id = ?";

    private static final String UNCOUNTED =
            "attempts = attempts - 1, started_at = CASE WHEN attempts > 1 THEN started_at END WHERE id = ?";

    static final String GIVE_BACK = "UPDATE run SET state = 'queued', " + UNCOUNTED;

    private static final String UNCOUNT_ATTEMPT = "UPDATE run SET " + UNCOUNTED;

    private static final String POSTPONE =
            "UPDATE run SET retry_at = ?, retry_since = ?, retries = retries + 1, retry_reason = ? WHERE id = ?";

    private static final String HOLD = "UPDATE run SET retry_at = ?, retry_since = NULL, held_by = ? WHERE id = ?";

    private static final String PAUSE = "UPDATE run SET state = 'queued', attempts = attempts - 1, pauses = pauses + 1,"
            + " retry_at = ?, retry_since = NULL, retry_reason = ?, held_by = NULL WHERE id = ?";

    private static final String PAUSED_SESSION = "SELECT session_key FROM run WHERE id = ? AND pauses > 0";

    private static final String END_PAUSE = "UPDATE run SET retry_at = NULL WHERE id = ? AND state = 'queued'";

    /** The partial index session_retry alone counts them. */
    private static final String WAITING = "SELECT COUNT(*) AS n FROM session WHERE retry_at IS NOT NULL";

    /** The partial index run_held alone counts them. */
    private static final String HELD =
            "SELECT COUNT(*) AS n FROM run WHERE held_by IS NOT NULL AND finished_at IS NULL";

    private static final String PAUSED = "SELECT COUNT(DISTINCT run_id) AS n FROM approval WHERE decision IS NULL";

    private static final String END_HOLDS =
            "UPDATE run SET retry_at = ? WHERE held_by IS NOT NULL AND finished_at IS NULL AND retry_at > ?";

    private static final String HELD_SESSIONS = "SELECT key FROM session WHERE retry_at > ? AND key IN"
            + " (SELECT session_key FROM run WHERE held_by IS NOT NULL AND finished_at IS NULL)";

    private static final String END_HOLD = "UPDATE session SET retry_at = ? WHERE key = ? AND retry_at > ?";

    private final InstantSource clock;
    private final PendingActionCounter pending;
    private final TurnQueues turnQueues = new TurnQueues();

    /**
     * @param pending shared with {@link Intake} and {@link HeartbeatRepository}
     */
    public RunRepository(InstantSource clock, PendingActionCounter pending) {
        this.clock = clock;
        this.pending = pending;
    }

    /**
     * Claims the locks of free sessions that have queued runs, and starts the first run in each. Hooks take turns, as
     * {@link dev.postern.model.TurnPriority} says; of one hook, the sessions that wait longest are first.
     *
     * @param node this node's name, which stays with the lock until it is released
     * @param max the most runs to claim
     */
    public List<ClaimedRun> claim(SqlTransaction sql, String node, int max) throws SQLException {
        long now = clock.millis();
        List<ClaimedRun> claimed = new ArrayList<>();
        turnQueues.serve(sql, max, session -> {
            Optional<RunningRun> started = sql.first(START, RunningRun::of, now, session);
            if (started.isEmpty()) {
                SessionLocks.free(sql, new SessionId(session), now);
                return false;
            }
            long epoch = sql.first(TAKE, row -> row.number("epoch"), node, now, session)
                    .orElseThrow();
            claimed.add(started.get().claimed(epoch));
            return true;
        });
        return claimed;
    }

    /**
     * Ends {@code run} and releases its session lock.
     *
     * @param state one of the ended states
     * @param turn the record of its turn, with the model that answered; null where there is none, and the run keeps the one
     *     that it has
     * @return false when the claim no longer holds; then nothing is written
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
        if (!SessionLocks.lock(sql, run.session(), run.fencingToken())) {
            return false;
        }
        long now = clock.millis();
        String record = turn == null ? null : TurnRecordJson.encode(turn);
        String answered = turn == null ? null : turn.fallback();
        sql.update(
                END, state.wire(), now, reply, error, record, answered, run.id().value());
        SessionLocks.free(sql, run.session(), now);
        pending.change(sql, -1);
        return true;
    }

    /**
     * Fails a {@code run} whose turn never began: the attempt is not counted.
     *
     * @return false when the claim no longer holds; then nothing is written
     */
    public boolean fail(SqlTransaction sql, ClaimedRun run, String error) throws SQLException {
        if (!finish(sql, run, RunState.FAILED, null, error, null)) {
            return false;
        }
        sql.update(UNCOUNT_ATTEMPT, run.id().value());
        return true;
    }

    /**
     * Puts an interrupted {@code run} back to the head of its session's queue, and releases the session lock. The
     * attempt stays counted.
     *
     * @param turn the record of its turn; null to keep the one that it has
     * @return false when the claim no longer holds; then nothing is written
     */
    public boolean release(SqlTransaction sql, ClaimedRun run, @Nullable TurnRecord turn) throws SQLException {
        if (!requeue(sql, run, REQUEUE)) {
            return false;
        }
        record(sql, run, turn);
        return true;
    }

    /**
     * As {@link #release}, for a turn that never began: the attempt is not counted.
     *
     * @return false when the claim no longer holds; then nothing is written
     */
    public boolean giveBack(SqlTransaction sql, ClaimedRun run) throws SQLException {
        return requeue(sql, run, GIVE_BACK);
    }

    /**
     * Puts a {@code run} whose provider, or the tool server of whose approved call, is down back to the head of its session's
     * queue, and releases the session lock. Until {@code wait} is over, neither the run nor any behind it in its session is
     * claimed.
     *
     * @param attempted true if the attempt stays counted
     * @param turn the record of its turn; null to keep the one that it has
     * @return false when the claim no longer holds; then nothing is written
     */
    public boolean postpone(
            SqlTransaction sql, ClaimedRun run, ProviderWait wait, boolean attempted, @Nullable TurnRecord turn)
            throws SQLException {
        if (!SessionLocks.lock(sql, run.session(), run.fencingToken())) {
            return false;
        }
        String id = run.id().value();
        sql.update(attempted ? REQUEUE : GIVE_BACK, id);
        sql.update(POSTPONE, wait.until().toEpochMilli(), wait.since().toEpochMilli(), wait.reason(), id);
        record(sql, run, turn);
        SessionLocks.free(sql, run.session(), clock.millis());
        return true;
    }

    /**
     * Puts a {@code run} for which a budget has no room back to the head of its session's queue, and releases the session
     * lock. The attempt is not counted. Until {@code until}, neither the run nor any behind it in its session is claimed.
     *
     * @param budget the id of the budget
     * @return false when the claim no longer holds; then nothing is written
     */
    public boolean hold(SqlTransaction sql, ClaimedRun run, String budget, Instant until) throws SQLException {
        if (!SessionLocks.lock(sql, run.session(), run.fencingToken())) {
            return false;
        }
        String id = run.id().value();
        sql.update(GIVE_BACK, id);
        sql.update(HOLD, until.toEpochMilli(), budget, id);
        SessionLocks.free(sql, run.session(), clock.millis());
        return true;
    }

    /**
     * Puts a {@code run} whose turn waits for operators' decisions back to the head of its session's queue, and releases the
     * session lock. The attempt is not counted. Until {@link #resume} or {@code until}, neither the run nor any behind it in
     * its session is claimed.
     *
     * @param reason what it waits for, a sentence for the sender, without payload or secret
     * @param turn the record of its turn so far; null to keep the one that it has
     * @return false when the claim no longer holds; then nothing is written
     */
    public boolean pause(SqlTransaction sql, ClaimedRun run, String reason, Instant until, @Nullable TurnRecord turn)
            throws SQLException {
        if (!SessionLocks.lock(sql, run.session(), run.fencingToken())) {
            return false;
        }
        sql.update(PAUSE, until.toEpochMilli(), reason, run.id().value());
        record(sql, run, turn);
        SessionLocks.free(sql, run.session(), clock.millis());
        return true;
    }

    /** Makes the paused run {@code id} due now, if it still waits. */
    public void resume(SqlTransaction sql, RunId id) throws SQLException {
        Optional<SessionId> session =
                sql.first(PAUSED_SESSION, row -> CollectingSession.read(row.text("session_key")), id.value());
        if (session.isPresent()) {
            SessionLocks.lock(sql, session.get());
            sql.update(END_PAUSE, id.value());
            SessionLocks.updateReadyAt(sql, session.get(), clock.millis());
        }
    }

    /**
     * Ends the waits of all runs for budgets, since the budgets may have changed. Each run is held again if its budget still has
     * no room.
     *
     * @return the number of these runs
     */
    public int endHolds(SqlTransaction sql) throws SQLException {
        long now = clock.millis();
        List<String> sessions = new ArrayList<>(sql.query(HELD_SESSIONS, row -> row.text("key"), now));
        sessions.sort(SessionUpdateBatch.ORDER); // a database sorts by the rules of a language
        for (String session : sessions) {
            sql.update(END_HOLD, now, session, now);
        }
        return sql.update(END_HOLDS, now, now);
    }

    /** The number of runs that wait for a budget. Those behind them in their sessions are not counted. */
    public static long heldByBudgets(SqlTransaction sql) throws SQLException {
        return sql.first(HELD, row -> row.number("n")).orElseThrow();
    }

    /**
     * Makes up to {@code max} sessions ready whose first run has waited for its provider or a budget long enough.
     *
     * @return the number of these sessions
     */
    public int endWaits(SqlTransaction sql, int max) throws SQLException {
        return SessionLocks.endWaits(sql, clock.millis(), max);
    }

    /**
     * Closes up to {@code max} groups of requests that are due, so that their runs and events wait for their turns.
     *
     * @return the number of these groups, their deliveries for the outbox, and the time at which the next one is due
     */
    public GroupClosing.Result closeGroups(SqlTransaction sql, int max) throws SQLException {
        return GroupClosing.closeDue(sql, clock.millis(), max);
    }

    /** Closes the group of the delivery {@code id}, if it is open; returns that delivery, for the outbox. */
    public List<OutboxEntry> closeGroup(SqlTransaction sql, String id) throws SQLException {
        return GroupClosing.close(sql, id, clock.millis());
    }

    /** The number of runs that wait for their provider, and for no operator. Those behind them in their sessions are not counted. */
    public static long waitingForProvider(SqlTransaction sql) throws SQLException {
        long waiting = sql.first(WAITING, row -> row.number("n")).orElseThrow();
        long paused = sql.first(PAUSED, row -> row.number("n")).orElseThrow();
        return Math.max(0, waiting - heldByBudgets(sql) - paused);
    }

    private static void record(SqlTransaction sql, ClaimedRun run, @Nullable TurnRecord turn) throws SQLException {
        if (turn != null) {
            sql.update(RECORD, TurnRecordJson.encode(turn), run.id().value());
        }
    }

    private boolean requeue(SqlTransaction sql, ClaimedRun run, String change) throws SQLException {
        if (!SessionLocks.lock(sql, run.session(), run.fencingToken())) {
            return false;
        }
        sql.update(change, run.id().value());
        SessionLocks.free(sql, run.session(), clock.millis());
        return true;
    }

    /**
     * Cancels the run {@code id} if it is queued, or else notes that its turn is to be ended. The node that runs the
     * turn has to check for that. Until then, no node begins another attempt.
     */
    public CancellationResult cancel(SqlTransaction sql, RunId id) throws SQLException {
        return RunCancellation.cancel(sql, id, clock.millis(), pending);
    }

    /** The runs that {@link #cancel} has noted and that have not ended, the earliest request first. */
    public List<PendingCancellation> pendingCancellations(SqlTransaction sql) throws SQLException {
        return RunCancellation.pendingCancellations(sql);
    }

    /**
     * Releases the session locks of dead nodes: those whose owner is not a row of {@code node}. A run that was in
     * progress is queued again, or fails when it has used up its attempts, or is cancelled where that was requested.
     *
     * @param heartbeats ends the heartbeats that were in progress
     */
    public RecoveryResult recover(SqlTransaction sql, int maxAttempts, HeartbeatRecovery heartbeats)
            throws SQLException {
        return OrphanedSessionLocks.recover(sql, maxAttempts, heartbeats, clock.millis(), pending);
    }

    /**
     * Releases the session locks that {@code node} holds without knowing it, as after a claim whose commit was never
     * confirmed. No turn began under them: attempts aren't counted, and heartbeats are due again.
     *
     * @param held the ids of the sessions in which {@code node} runs turns
     * @return the number of session locks that were released
     */
    public int giveBackAllExcept(SqlTransaction sql, String node, Set<String> held) throws SQLException {
        return OrphanedSessionLocks.giveBackAllExcept(sql, node, held, clock.millis());
    }

    /**
     * The acceptance time of the run that has waited longest for its turn; empty when none waits. A session whose first
     * run waits for its provider does not count.
     */
    public static Optional<Instant> oldestQueued(SqlTransaction sql) throws SQLException {
        return TurnQueues.oldest(sql);
    }
}
