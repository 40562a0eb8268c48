package dev.postern.acceptance;

import dev.postern.model.EventId;
import dev.postern.model.IdGenerator;
import dev.postern.model.OperatorResult;
import dev.postern.model.Provenance;
import dev.postern.model.RunId;
import dev.postern.model.SessionId;
import dev.postern.model.TraceContext;
import dev.postern.model.WakeMode;
import dev.postern.store.ResultRow;
import dev.postern.store.SqlTransaction;
import java.sql.SQLException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The repository of the events in main sessions: wakes and summaries, which wait for the next heartbeat of their agent. Every
 * method works in the caller's transaction.
 */
public final class EventRepository {

    private static final String WAITING =
            """
            SELECT id, text, hook, trusted, run_id, created_at, items, trace_context FROM event
            WHERE session_key = ? AND taken_at IS NULL ORDER BY seq LIMIT ?""";

    /**
     * Finds the first waiting event of each main session, by one step along the index event_waiting, however many wait. An
     * event whose group is open is in no session.
     */
    private static final String OLDEST =
            """
            WITH RECURSIVE main(key) AS (
            SELECT MIN(session_key) FROM event WHERE taken_at IS NULL
            UNION ALL
            SELECT (SELECT MIN(session_key) FROM event WHERE taken_at IS NULL AND session_key > main.key)
            FROM main WHERE main.key IS NOT NULL)
            SELECT (SELECT created_at FROM event WHERE session_key = main.key AND taken_at IS NULL
            ORDER BY seq LIMIT 1) AS created_at
            FROM main WHERE substr(key, 1, 5) = 'main:' ORDER BY created_at LIMIT 1""";

    private static final String NEXT_NUMBER = "UPDATE session SET tail = tail + 1 WHERE key = ? RETURNING tail";

    private static final String RENUMBER =
            "UPDATE event SET seq = ? WHERE id = ? AND session_key = ? AND taken_at IS NULL";

    private static final String DISCARD =
            """
            UPDATE event SET taken_at = ?, discarded_at = ? WHERE id = ? AND taken_at IS NULL
            AND substr(session_key, 1, 5) = 'main:' RETURNING kind""";

    private final InstantSource clock;
    private final IdGenerator idGenerator;
    private final PendingActionCounter pending;

    /**
     * @param pending shared with {@link Intake} and {@link RunRepository}
     */
    public EventRepository(InstantSource clock, IdGenerator idGenerator, PendingActionCounter pending) {
        this.clock = clock;
        this.idGenerator = idGenerator;
        this.pending = pending;
    }

    /** Queues a summary that continues no trace, as the other method does. */
    public EventId post(
            SqlTransaction sql, String agentId, String text, Provenance provenance, @Nullable RunId run, WakeMode mode)
            throws SQLException {
        return post(sql, agentId, text, provenance, run, null, mode);
    }

    /**
     * Queues a summary for {@code agentId}'s main session. Past the limit of waiting summaries, the oldest are dropped.
     *
     * @param run the run that it summarises
     * @param trace the trace context of its turn; null for none
     * @param mode {@code NOW} also requests a heartbeat
     */
    public EventId post(
            SqlTransaction sql,
            String agentId,
            String text,
            Provenance provenance,
            @Nullable RunId run,
            @Nullable TraceContext trace,
            WakeMode mode)
            throws SQLException {
        long now = clock.millis();
        String key = SessionId.mainOf(agentId).value();
        EventId id = idGenerator.event();
        SessionUpdateBatch sessions = new SessionUpdateBatch();
        SessionUpdateBatch.Place place = sessions.addEvent(
                key, agentId, now, mode == WakeMode.NOW ? now + HeartbeatRepository.SOON.toMillis() : null);
        EventBatch rows = new EventBatch();
        rows.add(new EventBatch.NewEvent(
                id,
                /* sessionKey= */ key,
                place,
                /* kind= */ EventBatch.SUMMARY,
                text,
                provenance,
                run,
                /* requestId= */ null,
                /* sender= */ null,
                /* limitedMapping= */ null,
                trace,
                /* at= */ now));
        sessions.write(sql);
        rows.write(sql);
        SummaryLimit.bound(sql, key);
        return id;
    }

    /** The first waiting events of {@code agentId}'s main session, in the order of arrival. */
    public List<WaitingEvent> waiting(SqlTransaction sql, String agentId, int max) throws SQLException {
        List<WaitingEvent> events = new ArrayList<>();
        for (WaitingEvent event : sql.query(
                WAITING,
                EventRepository::waitingEvent,
                SessionId.mainOf(agentId).value(),
                max)) {
            events.add(
                    event.requests() == 1
                            ? event
                            : event.with(RequestItemTable.find(sql, event.id().value())));
        }
        return events;
    }

    /** Moves the waiting event {@code id} behind all that wait with it in the main session of {@code beat}. */
    public void moveToEnd(SqlTransaction sql, ClaimedHeartbeat beat, EventId id) throws SQLException {
        String key = beat.session().value();
        long end = sql.first(NEXT_NUMBER, row -> row.number("tail"), key).orElseThrow();
        sql.update(RENUMBER, end, id.value(), key);
    }

    /**
     * Removes the event {@code id} from those that wait, for good, as an operator asks.
     *
     * @return not done where it waits in no main session: a heartbeat has taken it, or its group collects further requests
     */
    public OperatorResult discard(SqlTransaction sql, String id) throws SQLException {
        long now = clock.millis();
        Optional<String> kind = sql.first(DISCARD, row -> row.text("kind"), now, now, id);
        if (kind.isPresent()) {
            pending.change(sql, kind.get().equals(EventBatch.WAKE) ? -1 : 0);
            return new OperatorResult.Done("The event is discarded. A heartbeat that is running may have it still.");
        }
        return sql.first("SELECT 1 FROM event WHERE id = ?", row -> true, id).isPresent()
                ? new OperatorResult.Conflict("The event doesn't wait for a heartbeat.")
                : new OperatorResult.NotFound();
    }

    /** The arrival time of the event that has waited longest for a heartbeat of any agent; empty when none waits. */
    public static Optional<Instant> oldestWaiting(SqlTransaction sql) throws SQLException {
        return sql.first(OLDEST, row -> row.instant("created_at"));
    }

    private static WaitingEvent waitingEvent(ResultRow row) throws SQLException {
        String run = row.textOrNull("run_id");
        Long items = row.numberOrNull("items");
        return new WaitingEvent(
                new EventId(row.text("id")),
                row.text("text"),
                new Provenance(row.text("hook"), row.flag("trusted")),
                run == null ? null : new RunId(run),
                row.instant("created_at"),
                items == null ? 1 : items.intValue(),
                List.of(),
                TraceContext.read(row.textOrNull("trace_context")));
    }
}
