package dev.postern.acceptance;

import dev.postern.model.RunState;
import dev.postern.model.SessionId;
import dev.postern.store.SqlTransaction;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The recovery of session locks that are held although no turn runs: locks of dead nodes, and of claims that were
 * committed although their node got an error. A row that another transaction has locked is skipped, and found again at
 * the next check. Each row is judged by its owner after the row is locked.
 */
final class OrphanedSessionLocks {

    /** The error text of a run that failed with its node. */
    static final String INTERRUPTED = "interrupted: the node that ran it ended, and no attempt is left";

    /**
     * Without an order, for which SQLite would read all sessions. No order is needed, because no locked row is waited
     * for.
     */
    private static final String OF_GONE_NODES =
            "SELECT key FROM session WHERE owner IS NOT NULL AND owner NOT IN (SELECT id FROM node)";

    private static final String HELD_BY = "SELECT key FROM session WHERE owner = ?";

    private static final String OWNER = "SELECT owner FROM session WHERE key = ? AND owner IS NOT NULL";

    private static final String NODE = "SELECT id FROM node WHERE id = ?";

    private static final String RUNNING = "SELECT" + RunningRun.COLUMNS
            + " FROM run WHERE session_key = ? AND finished_at IS NULL AND state = 'running'";

    private static final String BEAT_AGAIN =
            """
            UPDATE session SET beat_at = COALESCE(beat_at, ?) WHERE key = ?
            AND (beat_scheduled_epoch IS NULL OR beat_scheduled_epoch <> epoch)""";

    private OrphanedSessionLocks() {}

    /** Releases the session locks of dead nodes, as {@link RunRepository#recover} says. */
    static RecoveryResult recover(
            SqlTransaction sql, int maxAttempts, HeartbeatRecovery heartbeats, long now, PendingActionCounter pending)
            throws SQLException {
        int lanes = 0;
        int requeued = 0;
        List<EndedRun> ended = new ArrayList<>();
        for (String key : sql.query(OF_GONE_NODES, row -> row.text("key"))) {
            Optional<String> owner = lock(sql, key);
            if (owner.isEmpty() || isEntered(sql, owner.get())) {
                continue;
            }
            lanes++;
            Optional<RunningRun> running = running(sql, key);
            if (running.isEmpty()) {
                heartbeats.recover(sql, HeartbeatRepository.held(sql, key));
                continue;
            }
            Optional<EndedRun> last = endedWithItsNode(sql, running.get(), maxAttempts, now);
            if (last.isPresent()) {
                ended.add(last.get());
                pending.change(sql, -1);
            } else {
                sql.update(RunRepository.REQUEUE, running.get().id().value());
                requeued++;
            }
            SessionLocks.free(sql, new SessionId(key), now);
        }
        return new RecoveryResult(lanes, requeued, ended);
    }

    /**
     * Releases the session locks that {@code node} holds beside {@code held}, as {@link RunRepository#giveBackAllExcept}
     * says.
     */
    static int giveBackAllExcept(SqlTransaction sql, String node, Set<String> held, long now) throws SQLException {
        int lanes = 0;
        for (String key : sql.query(HELD_BY, row -> row.text("key"), node)) {
            if (!held.contains(key) && lock(sql, key).filter(node::equals).isPresent()) {
                giveBack(sql, key, now);
                SessionLocks.free(sql, new SessionId(key), now);
                lanes++;
            }
        }
        return lanes;
    }

    private static Optional<String> lock(SqlTransaction sql, String key) throws SQLException {
        return sql.first(OWNER + sql.dialect().forUpdateSkipLocked(), row -> row.text("owner"), key);
    }

    private static boolean isEntered(SqlTransaction sql, String node) throws SQLException {
        return sql.first(NODE, row -> true, node).isPresent();
    }

    private static Optional<RunningRun> running(SqlTransaction sql, String key) throws SQLException {
        return sql.first(RUNNING, RunningRun::of, key);
    }

    private static Optional<EndedRun> endedWithItsNode(SqlTransaction sql, RunningRun run, int maxAttempts, long now)
            throws SQLException {
        if (run.cancelAsked()) {
            return Optional.of(run.end(sql, RunState.CANCELLED, CancellationResult.SENTENCE, now));
        }
        return run.attempts() >= maxAttempts
                ? Optional.of(run.end(sql, RunState.FAILED, INTERRUPTED, now))
                : Optional.empty();
    }

    /**
     * Queues the run again that was to run in the session. Without one the lock was a heartbeat's, which becomes due
     * again if it was requested. Otherwise that is left to the schedule.
     */
    private static void giveBack(SqlTransaction sql, String key, long now) throws SQLException {
        Optional<RunningRun> running = running(sql, key);
        if (running.isPresent()) {
            sql.update(RunRepository.GIVE_BACK, running.get().id().value());
        } else {
            sql.update(BEAT_AGAIN, now, key);
        }
    }
}
