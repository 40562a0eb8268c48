package dev.postern.acceptance;

import dev.postern.model.RunId;
import dev.postern.model.RunState;
import dev.postern.model.RunView;
import dev.postern.model.SessionKey;
import dev.postern.store.ResultRow;
import dev.postern.store.SearchPattern;
import dev.postern.store.SqlTransaction;
import dev.postern.store.Store;
import dev.postern.store.StoreException;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The read-only queries for runs, for the operator. They leave out the texts of messages. */
public final class RunQueries {

    /** The number of runs among which one query looks for those of its filter. It bounds the time of a query. */
    public static final int WINDOW = 10_000;

    private static final String COLUMNS =
            "id, state, agent_id, session_key, hook, name, attempts, accepted_at, started_at, finished_at, error, held_by";

    private static final String LINE = "SELECT " + COLUMNS + " FROM run WHERE id = ?";

    /** Ids begin with the time of their creation, so that their order is that of the runs. */
    static final String ROWS = "SELECT %s FROM run WHERE id >= ? AND id < ?%s ORDER BY id %s LIMIT ?";

    private static final String MATCHING = "SELECT " + COLUMNS
            + """
                     FROM (%s) AS found WHERE (CAST(? AS text) IS NULL OR CAST(? AS text) LIKE '%%,' || state || ',%%')
                    AND (CAST(? AS bigint) IS NULL OR finished_at > ?) AND (CAST(? AS text) IS NULL OR agent_id = ?)
                    AND (CAST(? AS text) IS NULL OR model = ?) AND (CAST(? AS text) IS NULL OR sender = ?)
                    AND (CAST(? AS text) IS NULL OR %s)
                    ORDER BY %s LIMIT ?""";

    /** The keys under which agents have a session. PostgreSQL would not use the index run_session for a subquery. */
    private static final String SESSION_KEYS =
            "SELECT key FROM session WHERE key = ? OR key = 'agent:' || agent_id || ':' || ? ORDER BY key";

    private static final String ASKED =
            """
            SELECT name, hook, trusted, wake_mode, deliver, channel, recipient, thinking, timeout_ms, body_bytes,
            body_sha256, request_id FROM run WHERE id = ?""";

    private static final String ITEMS =
            "SELECT number, request_id, received_at FROM request_item WHERE action_id = ? ORDER BY number";

    /** The index run_finished finds them; the number of rows decides how long that takes. */
    private static final String ENDED =
            """
            SELECT model, state, COUNT(*) AS n, MAX(finished_at) AS last
            FROM (SELECT COALESCE(answered_model, model) AS model, state, finished_at FROM run WHERE finished_at > ? ORDER BY finished_at DESC LIMIT ?) AS latest
            GROUP BY model, state""";

    private static final String HELD =
            "SELECT held_by, COUNT(*) AS n FROM run WHERE held_by IS NOT NULL AND finished_at IS NULL GROUP BY held_by";

    private final Store store;

    /** Queries for the runs in {@code store}. */
    public RunQueries(Store store) {
        this.store = store;
    }

    /**
     * A page of runs.
     *
     * @param runs the runs that match the filter, in its order
     * @param next the run after which the next page begins; null on the last page. A page may have a next one and fewer runs
     *     than asked for, even none, because one query looks through {@link #WINDOW} runs.
     */
    public record Page(List<Line> runs, @Nullable RunId next) {}

    /**
     * A run in a list.
     *
     * @param name the name given by the request or the mapping
     * @param error a sentence without payload or secret; null where it did not fail
     * @param heldBy the id of the budget for which it waits; null for none
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
            @Nullable String error,
            @Nullable String heldBy) {}

    /**
     * A run with its request.
     *
     * @param items the requests that became the run, as far as they are kept; none if it is one request's
     */
    public record Entry(RunView run, Asked asked, List<Item> items) {}

    /**
     * One of the requests that became a run.
     *
     * @param number its place among them, from 1
     * @param requestId null if it is not known
     */
    public record Item(int number, @Nullable String requestId, Instant receivedAt) {}

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

    /** The number of runs that wait for each budget, by its id. */
    public Map<String, Long> heldByBudget() throws StoreException {
        Map<String, Long> held = new HashMap<>();
        store.read(sql -> sql.query(HELD, row -> held.put(row.text("held_by"), row.number("n"))));
        return held;
    }

    /** The counts of the runs that ended after {@code moment}, for the latest {@code most} of them. */
    public List<Tally> endedSince(Instant moment, int most) throws StoreException {
        return store.read(sql -> sql.query(
                ENDED,
                row -> new Tally(
                        row.text("model"), RunState.of(row.text("state")), row.number("n"), row.instant("last")),
                moment.toEpochMilli(),
                most));
    }

    /** The runs that match {@code filter}, at most {@code most}. */
    public Page search(RunFilter filter, int most) throws StoreException {
        @Nullable
        String states = filter.states().isEmpty()
                ? null
                : filter.states().stream().map(RunState::wire).collect(Collectors.joining(",", ",", ","));
        @Nullable
        Long endedAfter =
                filter.endedAfter() == null ? null : filter.endedAfter().toEpochMilli();
        int window = filter.isNarrow() ? WINDOW : most;
        RunFilter.Order order = filter.order();
        return store.read(sql -> {
            List<String> keys = filter.session() == null
                    ? List.of()
                    : sql.query(SESSION_KEYS, row -> row.text("key"), filter.session(), filter.session());
            if (filter.session() != null && keys.isEmpty()) {
                return new Page(List.of(), null);
            }
            @Nullable
            String error = filter.error() == null ? null : SearchPattern.containing(filter.error(), sql.dialect());
            List<Object> bounds = new ArrayList<>(List.of(filter.lowest(), filter.end()));
            if (filter.hook() != null) {
                bounds.add(filter.hook());
            }
            bounds.addAll(keys);
            List<@Nullable Object> values = new ArrayList<>(bounds);
            values.addAll(Arrays.asList(
                    window,
                    states,
                    states,
                    endedAfter,
                    endedAfter,
                    filter.agent(),
                    filter.agent(),
                    filter.model(),
                    filter.model(),
                    filter.sender(),
                    filter.sender(),
                    error,
                    error,
                    most));
            String rows = ROWS.formatted(COLUMNS + ", model, sender", filter.rows(keys.size()), order.direction);
            String isSearched = SearchPattern.condition("COALESCE(error, '')", sql.dialect());
            List<Line> found =
                    sql.query(MATCHING.formatted(rows, isSearched, order.columns), RunQueries::line, values.toArray());
            if (order == RunFilter.Order.LONGEST) {
                return new Page(found, null);
            }
            if (found.size() == most) {
                return new Page(found, found.get(most - 1).id());
            }
            bounds.addAll(List.of(1, window - 1));
            Optional<String> last = sql.first(
                    ROWS.formatted("id", filter.rows(keys.size()), order.direction) + " OFFSET ?",
                    row -> row.text("id"),
                    bounds.toArray());
            return new Page(found, last.map(RunId::new).orElse(null));
        });
    }

    /** The runs with the ids {@code ids}, in that order; one that is no longer kept is left out. */
    public List<Line> lines(List<RunId> ids) throws StoreException {
        return store.read(sql -> {
            List<Line> lines = new ArrayList<>();
            for (RunId id : ids) {
                sql.first(LINE, RunQueries::line, id.value()).ifPresent(lines::add);
            }
            return lines;
        });
    }

    /** The run with the id {@code id}. */
    public Optional<Entry> find(RunId id) throws StoreException {
        return store.read(sql -> find(sql, id));
    }

    private static Optional<Entry> find(SqlTransaction sql, RunId id) throws SQLException {
        Optional<RunView> run = RunViewReader.find(sql, id);
        if (run.isEmpty()) {
            return Optional.empty();
        }
        List<Item> items = run.get().items() == 1 ? List.of() : sql.query(ITEMS, RunQueries::item, id.value());
        return sql.first(ASKED, RunQueries::asked, id.value()).map(asked -> new Entry(run.get(), asked, items));
    }

    private static Item item(ResultRow row) throws SQLException {
        return new Item(row.count("number"), row.textOrNull("request_id"), row.instant("received_at"));
    }

    private static Line line(ResultRow row) throws SQLException {
        return new Line(
                /* id= */ new RunId(row.text("id")),
                /* state= */ RunState.of(row.text("state")),
                /* agentId= */ row.text("agent_id"),
                /* session= */ CollectingSession.read(row.text("session_key")).key(),
                /* hook= */ row.text("hook"),
                /* name= */ row.text("name"),
                /* attempts= */ row.count("attempts"),
                /* acceptedAt= */ row.instant("accepted_at"),
                /* startedAt= */ row.instantOrNull("started_at"),
                /* finishedAt= */ row.instantOrNull("finished_at"),
                /* error= */ row.textOrNull("error"),
                /* heldBy= */ row.textOrNull("held_by"));
    }

    private static Asked asked(ResultRow row) throws SQLException {
        return new Asked(
                /* name= */ row.text("name"),
                /* hook= */ row.text("hook"),
                /* trusted= */ row.flag("trusted"),
                /* wakeMode= */ row.text("wake_mode"),
                /* deliver= */ row.flag("deliver"),
                /* channel= */ row.text("channel"),
                /* to= */ row.textOrNull("recipient"),
                /* thinking= */ row.textOrNull("thinking"),
                /* timeout= */ Duration.ofMillis(row.number("timeout_ms")),
                /* bodyBytes= */ row.number("body_bytes"),
                /* bodySha256= */ row.text("body_sha256"),
                /* requestId= */ row.textOrNull("request_id"));
    }
}
