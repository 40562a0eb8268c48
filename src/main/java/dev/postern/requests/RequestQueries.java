package dev.postern.requests;

import dev.postern.model.IdGenerator;
import dev.postern.model.RequestLogEntry;
import dev.postern.store.ResultRow;
import dev.postern.store.SearchPattern;
import dev.postern.store.StoreException;
import dev.postern.store.StoreReader;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The read-only queries for the admitted requests of all cluster nodes, for the operator. */
public final class RequestQueries {

    /** The number of requests among which one query looks for those of its filter. It bounds the time of a query. */
    public static final int WINDOW = 20_000;

    /** An upper bound of all ids. */
    private static final String LAST = RequestTable.PREFIX + "_" + "z".repeat(27);

    private static final String COLUMNS =
            "id, at, client, credential, sender, hook, mapping, body_bytes, status, code, detail, micros, became";

    private static final String FROM = "SELECT %s FROM request WHERE %s AND id < ? AND id >= ? ORDER BY id DESC";

    private static final String PAYLOAD_KEPT =
            ", CASE WHEN EXISTS (SELECT 1 FROM request_payload WHERE request_id = id) THEN 1 ELSE 0 END AS kept";

    private static final String MATCHING = "SELECT " + COLUMNS + PAYLOAD_KEPT
            + """
                     FROM (%s LIMIT ?) AS latest
                    WHERE %s AND (CAST(? AS text) IS NULL OR hook = ?)
                    AND (CAST(? AS text) IS NULL OR mapping = ?)
                    AND (CAST(? AS text) IS NULL OR (sender = ? AND replay_of IS NULL))
                    AND (CAST(? AS text) IS NULL OR code = ? OR CAST(status AS text) = ?)
                    AND (CAST(? AS text) IS NULL OR %s)
                    ORDER BY id DESC LIMIT ?""";

    private static final String SEARCHED = "id || ' ' || hook || ' ' || mapping || ' ' || client || ' '"
            + " || credential || ' ' || COALESCE(sender, '') || ' ' || detail || ' ' || became";

    private static final String FIND =
            "SELECT node, replay_of, " + COLUMNS + PAYLOAD_KEPT + " FROM request WHERE id = ?";

    private static final String REPLAYS = "SELECT id FROM request WHERE replay_of = ? ORDER BY id DESC LIMIT ?";

    private static final String FAILED = "SELECT " + COLUMNS
            + """
                     FROM request
                    WHERE id >= ? AND id < ? AND status >= 400 AND (CAST(? AS text) IS NULL OR hook = ?)
                    AND EXISTS (SELECT 1 FROM request_payload WHERE request_id = id)
                    AND NOT EXISTS (SELECT 1 FROM request AS replay WHERE replay.replay_of = request.id
                    AND replay.replay_of >= ? AND replay.replay_of < ? AND replay.status < 400)
                    ORDER BY id LIMIT ?""";

    private static final String NEXT_WINDOW =
            "SELECT id FROM request WHERE id >= ? AND id < ? AND status >= 400 ORDER BY id LIMIT 1 OFFSET ?";

    /** A request that the mailbox watch took as its notification has no mapping and nothing to do. */
    private static final String KEPT = "SELECT " + COLUMNS
            + """
                     FROM request_payload JOIN request ON id = request_id
                    WHERE request_id >= ? AND request_id < ? AND NOT (status = 204 AND mapping = '')
                    ORDER BY request_id DESC LIMIT ?""";

    /** The most replays of a request that are listed. */
    private static final int MOST_REPLAYS = 20;

    private final StoreReader store;

    /** Queries for the requests in {@code store}. */
    public RequestQueries(StoreReader store) {
        this.store = store;
    }

    /**
     * A filter for the requests to show. A null value does not filter.
     *
     * @param hook the path below the hook prefix
     * @param mapping the id of the mapping that took the request
     * @param sender the id of the sender whose own token admitted the request; replays are not the sender's
     * @param code the HTTP status or the code of the response
     * @param text a text that one of the request's columns contains, in any case
     * @param outcome the kind of result
     * @param id the id of the one request that is wanted
     * @param since the earliest arrival
     * @param until the end of the time of arrival, exclusive
     * @param before only requests that arrived before this one, by its id
     */
    public record Filter(
            @Nullable String hook,
            @Nullable String mapping,
            @Nullable String sender,
            @Nullable String code,
            @Nullable String text,
            @Nullable ResponseKind outcome,
            @Nullable String id,
            @Nullable Instant since,
            @Nullable Instant until,
            @Nullable String before) {

        /** A filter that every request passes. */
        public static final Filter NONE = new Filter(null, null, null, null, null, null, null, null, null, null);

        /** The lowest id that passes. */
        private String lowest() {
            String since = IdGenerator.lowest(RequestTable.PREFIX, this.since == null ? Instant.EPOCH : this.since);
            return id == null || id.compareTo(since) < 0 ? since : id;
        }

        /** The id below which all that pass are. */
        private String end() {
            return Stream.of(
                            before,
                            until == null ? null : IdGenerator.lowest(RequestTable.PREFIX, until),
                            id == null ? null : id + "0")
                    .filter(Objects::nonNull)
                    .min(Comparator.naturalOrder())
                    .orElse(LAST);
        }

        /** Whether some of the requests between the two ids don't pass. */
        private boolean isNarrow() {
            return hook != null || mapping != null || sender != null || code != null || text != null || outcome != null;
        }
    }

    /**
     * A request with the node that took it.
     *
     * @param node the name of the cluster node in the database
     * @param payloadKept whether its payload is kept
     * @param replayOf the id of the request that this one replays; null if it came from a sender
     * @param replays the ids of its latest replays, the latest first
     */
    public record Found(
            RequestLogEntry request,
            String node,
            boolean payloadKept,
            @Nullable String replayOf,
            List<String> replays) {}

    /**
     * A page of requests.
     *
     * @param requests the requests that match the filter, the latest first
     * @param payloadsKept the ids of those whose payloads are kept
     * @param older the request before which the next page begins, by its id; null on the last page. A page may have a next
     *     one and fewer requests than asked for, even none, because one query looks through {@link #WINDOW} requests.
     */
    public record Page(List<RequestLogEntry> requests, List<String> payloadsKept, @Nullable String older) {}

    /** The latest requests that match {@code filter}, at most {@code most}. */
    public Page latest(Filter filter, int most) throws StoreException {
        String rows =
                filter.outcome() == null ? ResponseKind.ALL : filter.outcome().rows();
        String condition =
                filter.outcome() == null ? ResponseKind.ALL : filter.outcome().condition();
        String before = filter.end();
        String since = filter.lowest();
        int window = filter.isNarrow() ? WINDOW : most;
        return store.read(sql -> {
            @Nullable
            String text = filter.text() == null ? null : SearchPattern.containing(filter.text(), sql.dialect());
            List<String> kept = new ArrayList<>();
            List<RequestLogEntry> found = sql.query(
                    MATCHING.formatted(
                            FROM.formatted(COLUMNS + ", replay_of", rows),
                            condition,
                            SearchPattern.condition(SEARCHED, sql.dialect())),
                    row -> {
                        if (row.flag("kept")) {
                            kept.add(row.text("id"));
                        }
                        return entry(row);
                    },
                    before,
                    since,
                    window,
                    filter.hook(),
                    filter.hook(),
                    filter.mapping(),
                    filter.mapping(),
                    filter.sender(),
                    filter.sender(),
                    filter.code(),
                    filter.code(),
                    filter.code(),
                    text,
                    text,
                    most);
            if (found.size() == most) {
                return new Page(found, kept, found.get(most - 1).requestId());
            }
            Optional<String> last = sql.first(
                    FROM.formatted("id", rows) + " LIMIT 1 OFFSET ?", row -> row.text("id"), before, since, window - 1);
            return new Page(found, kept, last.orElse(null));
        });
    }

    /** The request with the id {@code requestId}. */
    public Optional<Found> find(String requestId) throws StoreException {
        return store.read(sql -> {
            List<String> replays = sql.query(REPLAYS, row -> row.text("id"), requestId, MOST_REPLAYS);
            return sql.first(
                    FIND,
                    row -> new Found(
                            entry(row), row.text("node"), row.flag("kept"), row.textOrNull("replay_of"), replays),
                    requestId);
        });
    }

    /**
     * The failed requests whose payloads are kept and of which no replay was accepted, the earliest first.
     *
     * @param hook the path below the hook prefix; null for all
     * @param since the earliest arrival
     * @param until the end of the time of arrival, exclusive
     */
    List<RequestLogEntry> failed(@Nullable String hook, Instant since, Instant until, int most) throws StoreException {
        List<RequestLogEntry> found = new ArrayList<>();
        String end = IdGenerator.lowest(RequestTable.PREFIX, until);
        Optional<String> window = Optional.of(IdGenerator.lowest(RequestTable.PREFIX, since));
        while (window.isPresent() && found.size() < most) {
            String from = window.get();
            window = store.read(sql -> sql.first(NEXT_WINDOW, row -> row.text("id"), from, end, WINDOW));
            String to = window.orElse(end);
            int missing = most - found.size();
            found.addAll(store.read(
                    sql -> sql.query(FAILED, RequestQueries::entry, from, to, hook, hook, from, to, missing)));
        }
        return found;
    }

    /**
     * The requests whose payloads are kept and which a mapping can take, the latest first.
     *
     * @param since the earliest arrival
     * @param before only requests that arrived before this one, by its id; null for all
     */
    List<RequestLogEntry> kept(Instant since, @Nullable String before, int most) throws StoreException {
        return store.read(sql -> sql.query(
                KEPT,
                RequestQueries::entry,
                IdGenerator.lowest(RequestTable.PREFIX, since),
                before == null ? LAST : before,
                most));
    }

    private static RequestLogEntry entry(ResultRow row) throws SQLException {
        String became = row.text("became");
        return new RequestLogEntry(
                /* requestId= */ row.text("id"),
                /* at= */ row.instant("at"),
                /* client= */ row.text("client"),
                /* credential= */ row.text("credential"),
                /* sender= */ row.textOrNull("sender"),
                /* hook= */ row.text("hook"),
                /* mapping= */ row.text("mapping"),
                /* status= */ row.count("status"),
                /* code= */ row.text("code"),
                /* detail= */ row.text("detail"),
                /* bytes= */ row.number("body_bytes"),
                /* micros= */ row.number("micros"),
                /* became= */ became.isEmpty() ? List.of() : List.of(became.split(" ")));
    }
}
