package dev.postern.acceptance;

import dev.postern.model.AllowedAction;
import dev.postern.model.Provenance;
import dev.postern.model.Recipient;
import dev.postern.model.RunId;
import dev.postern.model.RunState;
import dev.postern.model.SessionKey;
import dev.postern.model.WakeMode;
import dev.postern.store.Row;
import dev.postern.store.Sql;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Dispatch's door to runs. Every method works in the caller's transaction. Runs of one session are claimed one at a
 * time and in the order in which they were accepted.
 */
public final class Runs {

    /** What a run says that was given up by {@link #recover}. */
    static final String INTERRUPTED = "interrupted: the node that ran it ended, and no attempt is left";

    private static final String READY =
            "SELECT key FROM session WHERE ready_at IS NOT NULL AND owner IS NULL ORDER BY ready_at LIMIT ?";

    private static final String COLUMNS = " id, session_key, agent_id, attempts, message, name, wake_mode, deliver,"
            + " channel, recipient, model, thinking, timeout_ms, hook, trusted,"
            + " instructions, tools";

    private static final String START = "UPDATE run SET state = 'running', attempts = attempts + 1,"
            + " started_at = COALESCE(started_at, ?)"
            + " WHERE id = (SELECT id FROM run WHERE session_key = ? AND finished_at IS NULL AND state = 'queued'"
            + " ORDER BY seq LIMIT 1) RETURNING" + COLUMNS;

    private static final String TAKE =
            """
            UPDATE session SET owner = ?, epoch = epoch + 1, used_at = ?, ready_at = (SELECT accepted_at FROM run
            WHERE session_key = session.key AND finished_at IS NULL AND state = 'queued' ORDER BY seq LIMIT 1)
            WHERE key = ? RETURNING epoch""";

    private static final String END = "UPDATE run SET state = ?, finished_at = ?, reply = ?, error = ? WHERE id = ?";

    private static final String REQUEUE = "UPDATE run SET state = 'queued' WHERE id = ?";

    private static final String GIVE_BACK = "UPDATE run SET state = 'queued', attempts = attempts - 1,"
            + " started_at = CASE WHEN attempts > 1 THEN started_at END WHERE id = ?";

    private static final String HELD_BY = "SELECT key FROM session WHERE owner = ? ORDER BY key";

    private static final String RUNNING =
            "SELECT" + COLUMNS + " FROM run WHERE session_key = ? AND finished_at IS NULL AND state = 'running'";

    private static final String BEAT_AGAIN = "UPDATE session SET beat_at = COALESCE(beat_at, ?) WHERE key = ?";

    private final InstantSource clock;
    private final PendingCount pending;

    /**
     * @param pending shared with {@link Intake} and {@link Events}
     */
    public Runs(InstantSource clock, PendingCount pending) {
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
    public List<ClaimedRun> claim(Sql sql, String node, int max) throws SQLException {
        long now = clock.millis();
        List<ClaimedRun> claimed = new ArrayList<>();
        for (String key : sql.query(READY + sql.dialect().forUpdateSkipLocked(), row -> row.text("key"), max)) {
            Optional<Started> started = sql.first(START, Started::of, now, key);
            if (started.isEmpty()) {
                Lanes.free(sql, new SessionKey(key), now);
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
     * @return false when the claim doesn't hold any more; then nothing is written
     */
    public boolean finish(Sql sql, ClaimedRun run, RunState state, @Nullable String reply, @Nullable String error)
            throws SQLException {
        if (!state.ended()) {
            throw new IllegalArgumentException("a run can't finish as " + state);
        }
        if (!Lanes.lock(sql, run.sessionKey(), run.epoch())) {
            return false;
        }
        long now = clock.millis();
        sql.update(END, state.wire(), now, reply, error, run.id().value());
        Lanes.free(sql, run.sessionKey(), now);
        pending.change(sql, -1);
        return true;
    }

    /**
     * Puts an interrupted {@code run} back to the head of its lane and frees it. The attempt stays counted.
     *
     * @return false when the claim doesn't hold any more; then nothing is written
     */
    public boolean release(Sql sql, ClaimedRun run) throws SQLException {
        return requeue(sql, run, REQUEUE);
    }

    /**
     * As {@link #release}, for a turn that was never begun: the attempt is not counted.
     *
     * @return false when the claim doesn't hold any more; then nothing is written
     */
    public boolean giveBack(Sql sql, ClaimedRun run) throws SQLException {
        return requeue(sql, run, GIVE_BACK);
    }

    private boolean requeue(Sql sql, ClaimedRun run, String change) throws SQLException {
        if (!Lanes.lock(sql, run.sessionKey(), run.epoch())) {
            return false;
        }
        sql.update(change, run.id().value());
        Lanes.free(sql, run.sessionKey(), clock.millis());
        return true;
    }

    /**
     * Frees the lanes of nodes that are gone. A run that was going on is queued again, or failed when it has used up its
     * attempts; an interrupted heartbeat is due again.
     *
     * @param deadNodes nodes that do no work any more
     * @return the runs that were failed
     */
    public List<Interrupted> recover(Sql sql, Collection<String> deadNodes, int maxAttempts) throws SQLException {
        List<Interrupted> failed = new ArrayList<>();
        for (String node : deadNodes) {
            for (String key : sql.query(HELD_BY + sql.dialect().forUpdateSkipLocked(), row -> row.text("key"), node)) {
                recover(sql, key, maxAttempts).ifPresent(failed::add);
            }
        }
        return failed;
    }

    private Optional<Interrupted> recover(Sql sql, String key, int maxAttempts) throws SQLException {
        long now = clock.millis();
        Optional<Started> running = sql.first(RUNNING, Started::of, key);
        Optional<Interrupted> failed = running.filter(run -> run.attempts() >= maxAttempts)
                .map(run -> new Interrupted(run.id(), run.sessionKey(), run.attempts(), run.turn(), INTERRUPTED));
        if (running.isEmpty()) {
            sql.update(BEAT_AGAIN, now, key);
        } else if (failed.isPresent()) {
            sql.update(
                    END,
                    RunState.FAILED.wire(),
                    now,
                    null,
                    INTERRUPTED,
                    running.get().id().value());
            pending.change(sql, -1);
        } else {
            sql.update(REQUEUE, running.get().id().value());
        }
        Lanes.free(sql, new SessionKey(key), now);
        return failed;
    }

    /** When the run was accepted that has waited longest for its turn to begin; empty when none waits. */
    public static Optional<Instant> oldestQueued(Sql sql) throws SQLException {
        return sql.first(
                "SELECT ready_at FROM session WHERE ready_at IS NOT NULL ORDER BY ready_at LIMIT 1",
                row -> row.instant("ready_at"));
    }

    private record Started(RunId id, SessionKey sessionKey, int attempts, AllowedAction.Turn turn) {

        static Started of(Row row) throws SQLException {
            SessionKey sessionKey = new SessionKey(row.text("session_key"));
            return new Started(
                    new RunId(row.text("id")),
                    sessionKey,
                    row.count("attempts"),
                    new AllowedAction.Turn(
                            row.text("agent_id"),
                            sessionKey,
                            row.text("message"),
                            row.text("name"),
                            WakeMode.of(row.text("wake_mode")).orElseThrow(),
                            row.flag("deliver"),
                            new Recipient(row.text("channel"), row.textOrNull("recipient")),
                            row.text("model"),
                            row.textOrNull("thinking"),
                            Duration.ofMillis(row.number("timeout_ms")),
                            new Provenance(row.text("hook"), row.flag("trusted")),
                            RunRows.briefing(row)));
        }

        ClaimedRun claimed(long epoch) {
            return new ClaimedRun(id, sessionKey, epoch, attempts, turn);
        }
    }
}
