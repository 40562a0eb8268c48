package dev.postern.acceptance;

import dev.postern.model.RunId;
import dev.postern.model.SessionId;
import dev.postern.model.SessionKey;
import dev.postern.store.ResultRow;
import dev.postern.store.SqlTransaction;
import dev.postern.store.Store;
import dev.postern.store.StoreException;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The read-only queries for sessions and their waiting events, for the operator. */
public final class SessionQueries {

    /**
     * Counts a session's waiting rows from the partial indexes. It counts events up to 10,000: a count of a million
     * takes the database 40 ms, and tells a person no more.
     */
    private static final String LINE =
            """
            SELECT key, used_at, owner, beat_at, last_beat_at, beat_failures, beat_not_before, missed_at, missed_why,
            (SELECT count(*) FROM (SELECT 1 FROM event WHERE event.session_key = session.key AND taken_at IS NULL
            LIMIT 10000) AS counted) AS events,
            (SELECT created_at FROM event WHERE event.session_key = session.key AND taken_at IS NULL
            ORDER BY seq LIMIT 1) AS oldest_event,
            (SELECT count(*) FROM run WHERE run.session_key = session.key AND finished_at IS NULL
            AND state = 'queued') AS queued,
            (SELECT count(*) FROM run WHERE run.session_key = session.key AND finished_at IS NULL
            AND state = 'running') AS running
            FROM session""";

    private static final String ONE = LINE + " WHERE key = ?";

    static final String LATEST = LINE
            + " WHERE (used_at, key) < (?, ?) AND (CAST(? AS text) IS NULL OR agent_id = ?)"
            + " ORDER BY used_at DESC, key DESC LIMIT ?";

    static final String EVENTS =
            """
            SELECT id, seq, kind, substr(text, 1, ?) AS beginning, length(text) AS characters, hook, trusted, run_id,
            request_id, created_at FROM event WHERE session_key = ? AND taken_at IS NULL AND seq > ? ORDER BY seq LIMIT ?""";

    private static final String EVENT = "SELECT created_at, taken_at, discarded_at FROM event WHERE id = ?";

    private final Store store;

    /** Queries for the sessions in {@code store}. */
    public SessionQueries(Store store) {
        this.store = store;
    }

    /**
     * The times of an event.
     *
     * @param endedAt the time when a heartbeat took it, or an operator discarded it; null while it waits
     * @param discarded whether an operator did
     */
    public record EventTimes(Instant createdAt, @Nullable Instant endedAt, boolean discarded) {

        static EventTimes of(ResultRow row) throws SQLException {
            return new EventTimes(
                    row.instant("created_at"),
                    row.instantOrNull("taken_at"),
                    row.instantOrNull("discarded_at") != null);
        }
    }

    /** The times of the event with the id {@code id}; empty if there is none, or it is no longer kept. */
    public Optional<EventTimes> event(String id) throws StoreException {
        return store.read(sql -> sql.first(EVENT, EventTimes::of, id));
    }

    /**
     * A session in a list.
     *
     * @param usedAt the time of its last use; null where it was never used
     * @param busy true while a node runs a turn in it
     * @param events the number of events that wait for a heartbeat, 10,000 at most
     * @param oldestEvent the arrival time of the first of them; null where none waits
     * @param queued the number of queued runs
     * @param running the number of runs in progress
     * @param beat the heartbeat state; null where it is not a main session
     * @param missed the last skipped heartbeat, whatever came after it; null where there is none
     */
    public record Line(
            SessionKey key,
            String agentId,
            @Nullable Instant usedAt,
            boolean busy,
            long events,
            @Nullable Instant oldestEvent,
            long queued,
            long running,
            @Nullable HeartbeatState beat,
            @Nullable SkippedHeartbeat missed) {

        static Line unused(String agentId) {
            return new Line(
                    /* key= */ SessionKey.mainOf(agentId),
                    agentId,
                    /* usedAt= */ null,
                    /* busy= */ false,
                    /* events= */ 0,
                    /* oldestEvent= */ null,
                    /* queued= */ 0,
                    /* running= */ 0,
                    /* beat= */ HeartbeatState.NEW,
                    /* missed= */ null);
        }

        /** The id of the session, unique among all agents. */
        public SessionId id() {
            return SessionId.of(agentId, key);
        }

        /** The position in the order of last use; null where it was never used. */
        public @Nullable Place place() {
            return usedAt == null ? null : new Place(usedAt.toEpochMilli(), id().value());
        }
    }

    /**
     * A position in the order of sessions by last use.
     *
     * @param usedAtMs the time of the session's last use in epoch milliseconds
     * @param key the session's {@link SessionId}
     */
    public record Place(long usedAtMs, String key) {}

    /**
     * A filter for the sessions to show.
     *
     * @param agent the agent's id; null for all agents
     * @param without the sessions to leave out
     * @param before only sessions behind this position, in an order with the latest first; null for all
     */
    public record Filter(@Nullable String agent, Set<SessionId> without, @Nullable Place before) {

        public Filter {
            without = Set.copyOf(without);
        }
    }

    /**
     * An event that waits for a heartbeat.
     *
     * @param number the position in the session's order
     * @param kind {@code wake} or {@code summary}
     * @param text the untrusted content, or its beginning
     * @param leftOut the number of characters that are cut off
     * @param trusted whether a mapping marks the senders' content as trusted
     * @param runId the run that it summarises; null for a wake
     * @param requestId the request that it came from; null if that is not known, or there was none
     */
    public record Waiting(
            String id,
            long number,
            String kind,
            String text,
            long leftOut,
            String hook,
            boolean trusted,
            @Nullable RunId runId,
            @Nullable String requestId,
            Instant at) {}

    /** The main session of each of {@code agents}, in their order, used or not. */
    public List<Line> mains(List<String> agents) throws StoreException {
        return store.read(sql -> {
            List<Line> mains = new ArrayList<>(agents.size());
            for (String agent : agents) {
                mains.add(find(sql, SessionId.mainOf(agent)).orElseGet(() -> Line.unused(agent)));
            }
            return mains;
        });
    }

    /** The sessions that match {@code filter}, the last used first. */
    public List<Line> latest(Filter filter, int most) throws StoreException {
        @Nullable Place before = filter.before();
        long usedAt = before == null ? Long.MAX_VALUE : before.usedAtMs();
        String id = before == null ? "" : before.key();
        @Nullable String agent = filter.agent();
        int enough = most + filter.without().size();
        return store.read(sql -> sql.query(LATEST, SessionQueries::line, usedAt, id, agent, agent, enough)).stream()
                .filter(line -> !filter.without().contains(line.id()))
                .limit(most)
                .toList();
    }

    /** The session with the id {@code id}. */
    public Optional<Line> find(SessionId id) throws StoreException {
        return store.read(sql -> find(sql, id));
    }

    /**
     * The events that wait in a session, the one that waits longest first.
     *
     * @param after the number of the event before the first
     * @param longest the most characters of a text
     */
    public List<Waiting> events(SessionId session, long after, int most, int longest) throws StoreException {
        return store.read(sql -> sql.query(EVENTS, SessionQueries::waiting, longest, session.value(), after, most));
    }

    private static Optional<Line> find(SqlTransaction sql, SessionId id) throws SQLException {
        return sql.first(ONE, SessionQueries::line, id.value());
    }

    private static Line line(ResultRow row) throws SQLException {
        SessionId id = new SessionId(row.text("key"));
        @Nullable HeartbeatState beat = id.isMain() ? HeartbeatState.of(row) : null;
        return new Line(
                id.key(),
                id.agentId(),
                /* usedAt= */ row.instant("used_at"),
                /* busy= */ row.textOrNull("owner") != null,
                /* events= */ row.number("events"),
                /* oldestEvent= */ row.instantOrNull("oldest_event"),
                /* queued= */ row.number("queued"),
                /* running= */ row.number("running"),
                beat,
                /* missed= */ SkippedHeartbeat.of(row));
    }

    private static Waiting waiting(ResultRow row) throws SQLException {
        String beginning = row.text("beginning");
        @Nullable String run = row.textOrNull("run_id");
        return new Waiting(
                /* id= */ row.text("id"),
                /* number= */ row.number("seq"),
                /* kind= */ row.text("kind"),
                /* text= */ beginning,
                /* leftOut= */ row.number("characters") - beginning.codePointCount(0, beginning.length()),
                /* hook= */ row.text("hook"),
                /* trusted= */ row.flag("trusted"),
                /* runId= */ run == null ? null : new RunId(run),
                /* requestId= */ row.textOrNull("request_id"),
                /* at= */ row.instant("created_at"));
    }
}
