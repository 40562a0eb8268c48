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
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The read-only queries for runs, for the operator. They leave out the texts of messages. */
public final class RunQueries {

    /** An upper bound of all ids. */
    private static final String LAST = "run_" + "z".repeat(27);

    /** Ids begin with the time of their creation, so that their order is that of the runs. */
    private static final String LATEST =
            """
            SELECT id, state, agent_id, session_key, hook, name, attempts, accepted_at, started_at, finished_at, error
            FROM run WHERE id < ? AND (CAST(? AS text) IS NULL OR CAST(? AS text) LIKE '%,' || state || ',%')
            AND (CAST(? AS bigint) IS NULL OR finished_at > ?) AND (CAST(? AS text) IS NULL OR hook = ?)
            AND (CAST(? AS text) IS NULL OR session_key IN (CAST(? AS text), 'agent:' || agent_id || ':' || CAST(? AS text)))
            AND (CAST(? AS text) IS NULL OR agent_id = ?) ORDER BY id DESC LIMIT ?""";

    private static final String ASKED =
            """
            SELECT name, hook, trusted, wake_mode, deliver, channel, recipient, thinking, timeout_ms, body_bytes,
            body_sha256, request_id FROM run WHERE id = ?""";

    /** The index run_finished finds them; the number of rows decides how long that takes. */
    private static final String ENDED =
            """
            SELECT model, state, COUNT(*) AS n, MAX(finished_at) AS last
            FROM (SELECT model, state, finished_at FROM run WHERE finished_at > ? ORDER BY finished_at DESC LIMIT ?) AS latest
            GROUP BY model, state""";

    private final Store store;

    /** Queries for the runs in {@code store}. */
    public RunQueries(Store store) {
        this.store = store;
    }

    /**
     * A filter for the runs to show. A null value does not filter.
     *
     * @param states the states that a run may have; empty for all
     * @param endedAfter the time after which a run has to have ended
     * @param session the session key; of all agents, unless {@code agent} is given too
     * @param before only runs that were accepted before this one
     */
    public record Filter(
            Set<RunState> states,
            @Nullable Instant endedAfter,
            @Nullable String hook,
            @Nullable String agent,
            @Nullable String session,
            @Nullable RunId before) {}

    /**
     * A run in a list.
     *
     * @param name the name given by the request or the mapping
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

    /** A run with its request. */
    public record Entry(RunView run, Asked asked) {}

    /**
     * The request for a run, as policy allowed it.
     *
     * @param trusted whether the mapping marks the senders' content as trusted
     * @param to the recipient; null for the channel's own recipient
     * @param thinking the requested thinking level; null for none
     * @param bodyBytes the size of the request body in bytes
     * @param bodySha256 the SHA-256 of the request body, in hex
     * @param requestId the request that it came from; null if that is not known, or it is a repetition of a run
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
            String bodySha256,
            @Nullable String requestId) {}

    /**
     * The number of runs with the same model that ended in the same state.
     *
     * @param last the time when the last of them ended
     */
    public record Tally(String model, RunState state, long count, Instant last) {}

    /** The counts of the runs that ended after {@code moment}, for the latest {@code most} of them. */
    public List<Tally> endedSince(Instant moment, int most) throws StoreException {
        return store.read(sql -> sql.query(
                ENDED,
                row -> new Tally(
                        row.text("model"), RunState.of(row.text("state")), row.number("n"), row.instant("last")),
                moment.toEpochMilli(),
                most));
    }

    /** The latest runs that match {@code filter}, the latest first. */
    public List<Line> latest(Filter filter, int most) throws StoreException {
        @Nullable
        String states = filter.states().isEmpty()
                ? null
                : filter.states().stream().map(RunState::wire).collect(Collectors.joining(",", ",", ","));
        @Nullable
        Long endedAfter =
                filter.endedAfter() == null ? null : filter.endedAfter().toEpochMilli();
        @Nullable String hook = filter.hook();
        @Nullable String agent = filter.agent();
        @Nullable String session = filter.session();
        String before = filter.before() == null ? LAST : filter.before().value();
        return store.read(sql -> sql.query(
                LATEST,
                RunQueries::line,
                before,
                states,
                states,
                endedAfter,
                endedAfter,
                hook,
                hook,
                session,
                session,
                session,
                agent,
                agent,
                most));
    }

    /** The run with the id {@code id}. */
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
                row.text("body_sha256"),
                row.textOrNull("request_id"));
    }
}
