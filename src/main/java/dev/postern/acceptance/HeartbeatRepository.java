package dev.postern.acceptance;

import dev.postern.model.EventId;
import dev.postern.model.SessionId;
import dev.postern.model.SessionKey;
import dev.postern.store.ResultRow;
import dev.postern.store.SqlTransaction;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The repository of heartbeats: of their requests, their claims and their ends, in the rows of main sessions. Every method works
 * in the caller's transaction. A heartbeat holds the main session's lock, so it overlaps with no other heartbeat of its
 * agent, nor with a run in that session.
 */
public final class HeartbeatRepository {

    /** The time within which requests for a heartbeat become one heartbeat. */
    static final Duration SOON = Duration.ofMillis(250);

    /**
     * The prefix of main session keys. Only the key says whose heartbeat it is, because runs of other agents may be in
     * that session.
     */
    private static final String MAIN = SessionKey.mainOf("").value();

    private static final String ASKED_FOR =
            "FROM session WHERE beat_at IS NOT NULL AND owner IS NULL AND substr(key, 1, " + MAIN.length() + ") = '"
                    + MAIN + "'";

    static final String CREATE_SESSION =
            """
            INSERT INTO session (key, agent_id, tail, used_at) VALUES (?, ?, 0, ?) ON CONFLICT (key) DO NOTHING""";

    private static final String FREE_SESSION_LOCK = "SELECT beat_at FROM session WHERE key = ? AND owner IS NULL";

    private static final String COLUMNS = "epoch, tail, last_beat_at, beat_failures, beat_scheduled_epoch";

    /** This heartbeat serves all requests so far, due or not; a later request gets another one. */
    private static final String TAKE = "UPDATE session SET owner = ?, epoch = epoch + 1, beat_at = NULL,"
            + " beat_scheduled_epoch = CASE WHEN beat_at IS NULL THEN epoch + 1 END, used_at = ? WHERE key = ?"
            + " RETURNING " + COLUMNS;

    private static final String HELD = "SELECT " + COLUMNS + " FROM session WHERE key = ? AND owner IS NOT NULL";

    private static final String MARK_TAKEN =
            "UPDATE event SET taken_at = ? WHERE id = ? AND session_key = ? AND taken_at IS NULL RETURNING kind";

    private static final String SUCCEEDED =
            """
            UPDATE session SET owner = NULL, last_beat_at = ?, beat_failures = 0, beat_not_before = NULL, used_at = ?
            WHERE key = ?""";

    /**
     * Finds events that waited when the heartbeat began and didn't fit into it. Later events have requested a heartbeat
     * themselves.
     */
    private static final String REST =
            "SELECT 1 FROM event WHERE session_key = ? AND taken_at IS NULL AND seq <= ? LIMIT 1";

    private static final String RELEASED =
            "UPDATE session SET owner = NULL, beat_at = COALESCE(beat_at, ?), used_at = ? WHERE key = ?";

    /**
     * A request made meanwhile, and due by the retry time, is due at {@code beat_not_before}. Without a retry time, only
     * such a request makes another heartbeat due.
     */
    private static final String FAILED =
            """
            UPDATE session SET owner = NULL, beat_failures = beat_failures + 1, used_at = ?, beat_not_before = ?,
            beat_at = CASE WHEN beat_at <= ? THEN ? ELSE ? END WHERE key = ?""";

    static final String ASK = "UPDATE session SET beat_at = ? WHERE key = ? AND (beat_at IS NULL OR beat_at > ?)";

    private final InstantSource clock;
    private final PendingActionCounter pending;

    /**
     * @param pending shared with {@link Intake} and {@link RunRepository}
     */
    public HeartbeatRepository(InstantSource clock, PendingActionCounter pending) {
        this.clock = clock;
        this.pending = pending;
    }

    /**
     * Requests a heartbeat of {@code agentId} at {@code at}, unless one is due earlier. Does nothing when its main
     * session does not exist yet.
     */
    public void ask(SqlTransaction sql, String agentId, Instant at) throws SQLException {
        sql.update(ASK, at.toEpochMilli(), SessionId.mainOf(agentId).value(), at.toEpochMilli());
    }

    /**
     * Claims the lock of {@code agentId}'s main session, if it is free and a heartbeat is due.
     *
     * @param node this node's name, which stays with the lock until it is released
     * @param periodicDue true when one is due by schedule, whether or not it was requested
     */
    public Optional<ClaimedHeartbeat> claim(
            SqlTransaction sql, String node, String agentId, Instant now, boolean periodicDue) throws SQLException {
        SessionId key = SessionId.mainOf(agentId);
        if (periodicDue) {
            sql.update(CREATE_SESSION, key.value(), agentId, now.toEpochMilli());
        }
        Optional<Boolean> due = sql.first(
                FREE_SESSION_LOCK + sql.dialect().forUpdateSkipLocked(),
                row -> periodicDue || isDue(row.numberOrNull("beat_at"), now),
                key.value());
        if (!due.orElse(false)) {
            return Optional.empty();
        }
        return sql.first(TAKE, row -> beat(row, agentId, key), node, now.toEpochMilli(), key.value());
    }

    /**
     * Ends a heartbeat that succeeded and releases its session lock. If some of the events that waited at its beginning
     * are left, the next heartbeat is due at {@code at}.
     *
     * @param taken the events that it has handled; they no longer wait
     * @return false when the claim no longer holds; then nothing is written
     */
    public boolean finish(SqlTransaction sql, ClaimedHeartbeat beat, List<EventId> taken, Instant at)
            throws SQLException {
        if (!SessionLocks.lock(sql, beat.session(), beat.fencingToken())) {
            return false;
        }
        int wakes = 0;
        for (EventId id : taken) {
            boolean wake = sql.first(
                            MARK_TAKEN,
                            row -> row.text("kind").equals(EventBatch.WAKE),
                            at.toEpochMilli(),
                            id.value(),
                            beat.session().value())
                    .orElse(false);
            wakes += wake ? 1 : 0;
        }
        boolean leftOver = sql.first(REST, row -> true, beat.session().value(), beat.tail())
                .isPresent();
        if (leftOver && !taken.isEmpty()) {
            ask(sql, beat.agentId(), at);
        }
        sql.update(
                SUCCEEDED, at.toEpochMilli(), at.toEpochMilli(), beat.session().value());
        pending.change(sql, -wakes);
        return true;
    }

    /**
     * Ends a heartbeat that failed and releases its session lock. Its events still wait.
     *
     * @param retryAt the time of the next one, unless one is requested earlier; null to leave it to the schedule
     * @param notBefore the time before which none begins, even if requested
     * @return false when the claim no longer holds; then nothing is written
     */
    public boolean fail(SqlTransaction sql, ClaimedHeartbeat beat, @Nullable Instant retryAt, Instant notBefore)
            throws SQLException {
        if (!SessionLocks.lock(sql, beat.session(), beat.fencingToken())) {
            return false;
        }
        long floor = notBefore.toEpochMilli();
        Long retry = retryAt == null ? null : retryAt.toEpochMilli();
        sql.update(
                FAILED,
                clock.millis(),
                floor,
                retry == null ? Long.MAX_VALUE : retry,
                floor,
                retry,
                beat.session().value());
        return true;
    }

    /**
     * Gives up a heartbeat that has neither begun nor failed, and releases its session lock.
     *
     * @param again the time at which it is due again; null to leave that to the schedule
     * @return false when the claim no longer holds; then nothing is written
     */
    public boolean release(SqlTransaction sql, ClaimedHeartbeat beat, @Nullable Instant again) throws SQLException {
        if (!SessionLocks.lock(sql, beat.session(), beat.fencingToken())) {
            return false;
        }
        @Nullable Long due = again == null ? null : again.toEpochMilli();
        sql.update(RELEASED, due, clock.millis(), beat.session().value());
        return true;
    }

    /** The state of {@code agentId}'s heartbeats. */
    public HeartbeatState state(SqlTransaction sql, String agentId) throws SQLException {
        return sql.first(
                        "SELECT beat_at, last_beat_at, beat_failures, beat_not_before, owner FROM session WHERE key = ?",
                        HeartbeatState::of,
                        SessionId.mainOf(agentId).value())
                .orElse(HeartbeatState.NEW);
    }

    /** Corrects the time of {@code agentId}'s last heartbeat to {@code at}, if it is later than that. */
    public void capLast(SqlTransaction sql, String agentId, Instant at) throws SQLException {
        sql.update(
                "UPDATE session SET last_beat_at = ? WHERE key = ? AND last_beat_at > ?",
                at.toEpochMilli(),
                SessionId.mainOf(agentId).value(),
                at.toEpochMilli());
    }

    /**
     * The time of the next requested heartbeat of any agent whose main session lock is free; empty when there is none.
     */
    public Optional<Instant> next(SqlTransaction sql) throws SQLException {
        return sql.first("SELECT beat_at " + ASKED_FOR + " ORDER BY beat_at LIMIT 1", row -> row.instant("beat_at"));
    }

    /**
     * The agents whose main session lock is free and that have a heartbeat requested for {@code now} or earlier, the
     * earliest first.
     */
    public List<String> due(SqlTransaction sql, Instant now, int max) throws SQLException {
        return sql.query(
                "SELECT key " + ASKED_FOR + " AND beat_at <= ? ORDER BY beat_at LIMIT ?",
                row -> row.text("key").substring(MAIN.length()),
                now.toEpochMilli(),
                max);
    }

    /**
     * The heartbeat that holds the lock of the main session {@code key}. If an earlier version claimed it, it counts as
     * requested, as it may have been.
     */
    static ClaimedHeartbeat held(SqlTransaction sql, String key) throws SQLException {
        return sql.first(HELD, row -> beat(row, key.substring(MAIN.length()), new SessionId(key)), key)
                .orElseThrow();
    }

    private static boolean isDue(@Nullable Long beatAt, Instant now) {
        return beatAt != null && beatAt <= now.toEpochMilli();
    }

    private static ClaimedHeartbeat beat(ResultRow row, String agentId, SessionId key) throws SQLException {
        long epoch = row.number("epoch");
        @Nullable Long scheduled = row.numberOrNull("beat_scheduled_epoch");
        return new ClaimedHeartbeat(
                agentId,
                key,
                epoch,
                row.number("tail"),
                /* askedFor= */ scheduled == null || scheduled != epoch,
                row.instantOrNull("last_beat_at"),
                row.count("beat_failures"));
    }
}
