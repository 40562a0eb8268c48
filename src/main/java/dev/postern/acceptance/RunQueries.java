package dev.postern.acceptance;

import dev.postern.model.RunId;
import dev.postern.model.RunState;
import dev.postern.model.RunView;
import dev.postern.model.SessionId;
import dev.postern.model.SessionKey;
import dev.postern.store.ResultRow;
import dev.postern.store.SqlTransaction;
import dev.postern.store.Store;
import dev.postern.store.StoreException;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The runs that there are, for the operator. Only reads; the texts of messages stay where they are. */
public final class RunQueries {

    /** Past every id. */
    private static final String LAST = "run_" + "z".repeat(27);

    /** Ids begin with the moment in which they were made, so that their order is that of the runs. */
    private static final String LATEST =
            """
            SELECT id, state, agent_id, session_key, hook, name, attempts, accepted_at, started_at, finished_at, error
            FROM run WHERE id < ? AND (CAST(? AS text) IS NULL OR state = ?) AND (CAST(? AS text) IS NULL OR hook = ?)
            AND (CAST(? AS text) IS NULL OR session_key IN (CAST(? AS text), 'agent:' || agent_id || ':' || CAST(? AS text)))
            AND (CAST(? AS text) IS NULL OR agent_id = ?) ORDER BY id DESC LIMIT ?""";

    private static final String ASKED =
            """
            SELECT name, hook, trusted, wake_mode, deliver, channel, recipient, thinking, timeout_ms, body_bytes,
            body_sha256 FROM run WHERE id = ?""";

    /** The index run_finished finds them; of how many, decides how long it takes. */
    private static final String ENDED =
            """
            SELECT model, state, COUNT(*) AS n, MAX(finished_at) AS last
            FROM (SELECT model, state, finished_at FROM run WHERE finished_at > ? ORDER BY finished_at DESC LIMIT ?) AS latest
            GROUP BY model, state""";

    private final Store store;

    /** The runs in {@code store}. */
    public RunQueries(Store store) {
        this.store = store;
    }

    /**
     * Which runs to show.
     *
     * @param session its key; of all agents, unless {@code agent} is named too
     * @param before runs that came earlier than this one; null for all
     */
    public record Filter(
            @Nullable RunState state,
            @Nullable String hook,
            @Nullable String agent,
            @Nullable String session,
            @Nullable RunId before) {}

    /**
     * One run of many.
     *
     * @param name as the request or the mapping has named it
     * @param error a sentence without payload or secret; null where it did not fail
     */
    public record Line(
            RunId id,
            RunState state,
            String agentId,
            SessionKey session,
            String hook,
            String name,
            int attempts,
            Instant acceptedAt,
            @Nullable Instant startedAt,
            @Nullable Instant finishedAt,
            @Nullable String error) {}

    /** One run, and what was asked for. */
    public record Entry(RunView run, Asked asked) {}

    /**
     * What a request asked for, and policy allowed.
     *
     * @param trusted whether the mapping says that its senders' words are to be trusted
     * @param to null where the channel's own recipient was asked for
     * @param thinking null where none was asked for
     * @param bodyBytes of the request
     * @param bodySha256 of the request, in hexadecimal
     */
    public record Asked(
            String name,
            String hook,
            boolean trusted,
            String wakeMode,
            boolean deliver,
            String channel,
            @Nullable String to,
            @Nullable String thinking,
            Duration timeout,
            long bodyBytes,
            String bodySha256) {}

    /**
     * So many runs with the same model have ended in the same state.
     *
     * @param last when the last of them did
     */
    public record Tally(String model, RunState state, long count, Instant last) {}

    /** What became of the runs that have ended since {@code moment}, the latest {@code most} of them. */
    public List<Tally> endedSince(Instant moment, int most) throws StoreException {
        return store.read(sql -> sql.query(
                ENDED,
                row -> new Tally(
                        row.text("model"), RunState.of(row.text("state")), row.number("n"), row.instant("last")),
                moment.toEpochMilli(),
                most));
    }

    /** The latest runs that {@code filter} lets through, the latest first. */
    public List<Line> latest(Filter filter, int most) throws StoreException {
        @Nullable String state = filter.state() == null ? null : filter.state().wire();
        @Nullable String hook = filter.hook();
        @Nullable String agent = filter.agent();
        @Nullable String session = filter.session();
        String before = filter.before() == null ? LAST : filter.before().value();
        return store.read(sql -> sql.query(
                LATEST,
                RunQueries::line,
                before,
                state,
                state,
                hook,
                hook,
                session,
                session,
                session,
                agent,
                agent,
                most));
    }

    /** The run called {@code id}. */
    public Optional<Entry> find(RunId id) throws StoreException {
        return store.read(sql -> find(sql, id));
    }

    private static Optional<Entry> find(SqlTransaction sql, RunId id) throws SQLException {
        Optional<RunView> run = RunViewReader.find(sql, id);
        return run.isEmpty()
                ? Optional.empty()
                : sql.first(ASKED, RunQueries::asked, id.value()).map(asked -> new Entry(run.get(), asked));
    }

    private static Line line(ResultRow row) throws SQLException {
        return new Line(
                new RunId(row.text("id")),
                RunState.of(row.text("state")),
                row.text("agent_id"),
                new SessionId(row.text("session_key")).key(),
                row.text("hook"),
                row.text("name"),
                row.count("attempts"),
                row.instant("accepted_at"),
                row.instantOrNull("started_at"),
                row.instantOrNull("finished_at"),
                row.textOrNull("error"));
    }

    private static Asked asked(ResultRow row) throws SQLException {
        return new Asked(
                row.text("name"),
                row.text("hook"),
                row.flag("trusted"),
                row.text("wake_mode"),
                row.flag("deliver"),
                row.text("channel"),
                row.textOrNull("recipient"),
                row.textOrNull("thinking"),
                Duration.ofMillis(row.number("timeout_ms")),
                row.number("body_bytes"),
                row.text("body_sha256"));
    }
}
