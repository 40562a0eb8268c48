package dev.postern.requests;

import dev.postern.model.IdGenerator;
import dev.postern.model.RequestLogEntry;
import dev.postern.store.ResultRow;
import dev.postern.store.Store;
import dev.postern.store.StoreException;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The read-only queries for the admitted requests of all cluster nodes, for the operator. */
public final class RequestQueries {

    /**
     * The number of requests, the latest of those that an index finds, among which a response or a text is looked for. It
     * bounds the time of a query.
     */
    public static final int WINDOW = 20_000;

    /** An upper bound of all ids. */
    private static final String LAST = "req_" + "z".repeat(27);

    private static final String COLUMNS =
            "id, at, client, credential, hook, mapping, body_bytes, status, code, detail, micros, became";

    private static final String BETWEEN = " AND id < ? AND id >= ? ORDER BY id DESC LIMIT ?) AS latest";

    private static final String MATCHING =
            """
             WHERE (CAST(? AS text) IS NULL OR code = ? OR CAST(status AS text) = ?)
            AND (CAST(? AS text) IS NULL OR lower(id || ' ' || hook || ' ' || mapping || ' ' || client || ' ' || credential
            || ' ' || detail || ' ' || became) LIKE ? ESCAPE '!')
            ORDER BY id DESC LIMIT ?""";

    private static final String FROM = "SELECT " + COLUMNS + " FROM (SELECT " + COLUMNS + " FROM request WHERE ";

    private static final String ALL = FROM + "status >= 0" + BETWEEN + MATCHING;
    private static final String REFUSED = FROM + "status >= 400" + BETWEEN + MATCHING;
    private static final String OF_HOOK = FROM + "hook = ?" + BETWEEN + MATCHING;

    private static final String FIND = "SELECT node, " + COLUMNS + " FROM request WHERE id = ?";

    private final Store store;

    /** Queries for the requests in {@code store}. */
    public RequestQueries(Store store) {
        this.store = store;
    }

    /**
     * A filter for the requests to show. A null value does not filter.
     *
     * @param hook the path below the hook prefix
     * @param code the HTTP status or the code of the response
     * @param text a text that one of the request's columns contains, in any case
     * @param refused whether only requests with a status of 400 or more are wanted; not together with a hook
     * @param since the earliest arrival
     * @param before only requests that arrived before this one, by its id
     */
    public record Filter(
            @Nullable String hook,
            @Nullable String code,
            @Nullable String text,
            boolean refused,
            @Nullable Instant since,
            @Nullable String before) {}

    /**
     * A request with the node that took it.
     *
     * @param node the name of the cluster node in the database
     */
    public record Found(RequestLogEntry request, String node) {}

    /** The latest requests that match {@code filter}, the latest first. */
    public List<RequestLogEntry> latest(Filter filter, int most) throws StoreException {
        List<@Nullable Object> arguments = new ArrayList<>();
        if (filter.hook() != null) {
            arguments.add(filter.hook());
        }
        @Nullable String text = filter.text() == null ? null : containing(filter.text());
        boolean narrowed = filter.code() != null || text != null;
        arguments.add(filter.before() == null ? LAST : filter.before());
        arguments.add(IdGenerator.lowest("req", filter.since() == null ? Instant.EPOCH : filter.since()));
        arguments.add(narrowed ? WINDOW : most);
        arguments.add(filter.code());
        arguments.add(filter.code());
        arguments.add(filter.code());
        arguments.add(text);
        arguments.add(text);
        arguments.add(most);
        String sql = filter.hook() != null ? OF_HOOK : filter.refused() ? REFUSED : ALL;
        return store.read(unit -> unit.query(sql, RequestQueries::entry, arguments.toArray()));
    }

    /** The request with the id {@code requestId}. */
    public Optional<Found> find(String requestId) throws StoreException {
        return store.read(sql -> sql.first(FIND, row -> new Found(entry(row), row.text("node")), requestId));
    }

    private static String containing(String text) {
        return "%"
                + text.toLowerCase(Locale.ROOT)
                        .replace("!", "!!")
                        .replace("%", "!%")
                        .replace("_", "!_") + "%";
    }

    private static RequestLogEntry entry(ResultRow row) throws SQLException {
        String became = row.text("became");
        return new RequestLogEntry(
                row.text("id"),
                row.instant("at"),
                row.text("client"),
                row.text("credential"),
                row.text("hook"),
                row.text("mapping"),
                row.count("status"),
                row.text("code"),
                row.text("detail"),
                row.number("body_bytes"),
                row.number("micros"),
                became.isEmpty() ? List.of() : List.of(became.split(" ")));
    }
}
