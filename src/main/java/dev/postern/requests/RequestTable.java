package dev.postern.requests;

import dev.postern.model.IdGenerator;
import dev.postern.model.LoggedRequest;
import dev.postern.model.RequestLogEntry;
import dev.postern.store.BatchWrite;
import dev.postern.store.ExpiredRows;
import dev.postern.store.SqlTransaction;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** The table {@code request}, which has a row for each admitted request. The payloads that are kept have their own table. */
public final class RequestTable implements BatchWrite<LoggedRequest, Boolean> {

    /** The prefix of the ids of requests. */
    public static final String PREFIX = "req";

    private static final String INSERT =
            "INSERT INTO request (id, at, node, client, credential, sender, hook, mapping, body_bytes,"
                    + " status, code, detail, micros, became, replay_of) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";

    private static final String STORED = "SELECT id FROM request WHERE id = ?";

    private static final String DELETE =
            "DELETE FROM request WHERE id IN (SELECT id FROM request WHERE id < ? ORDER BY id LIMIT ?)";

    private static final int UNAVAILABLE = 503;

    private final String node;
    private final PayloadTable payloadTable;
    private volatile @Nullable Consumer<RequestLogEntry> counter;
    private volatile StoredRequestListener listener = (sql, entry) -> {};

    /**
     * @param node the name of this cluster node in the database
     * @param maxPayloadBytes the most bytes of payloads that are kept
     * @param nanos as {@link System#nanoTime}
     */
    public RequestTable(String node, long maxPayloadBytes, LongSupplier nanos) {
        this.node = node;
        this.payloadTable = new PayloadTable(maxPayloadBytes, nanos);
    }

    /** Sets the counter that takes each request behind the commit that stores it; it must not block. */
    public void onStored(Consumer<RequestLogEntry> counter) {
        this.counter = counter;
    }

    /** Sets the listener that is notified of each request in the transaction that stores it. */
    public void setListener(StoredRequestListener listener) {
        this.listener = listener;
    }

    /** Counts a request that the table does not hold. */
    void count(RequestLogEntry entry) {
        Consumer<RequestLogEntry> counter = this.counter;
        if (counter != null) {
            counter.accept(entry);
        }
    }

    /**
     * Adds a row for each of {@code requests}, all of which were admitted, and their payloads. A row stays as it is where a
     * commit that was not confirmed has added it, since it names what the request became.
     */
    @Override
    public List<Boolean> run(SqlTransaction sql, List<LoggedRequest> requests) throws SQLException {
        List<@Nullable Object[]> rows = new ArrayList<>(requests.size());
        for (LoggedRequest request : requests) {
            if (!isStored(sql, request.entry())) {
                rows.add(row(request));
            }
        }
        if (!rows.isEmpty()) {
            sql.batch(INSERT, rows);
        }
        payloadTable.insert(sql, requests);
        for (LoggedRequest request : requests) {
            listener.onStored(sql, request.entry());
        }
        if (counter != null) {
            sql.afterCommit(() -> requests.forEach(request -> count(request.entry())));
        }
        return Collections.nCopies(requests.size(), true);
    }

    /**
     * The requests that arrived longer ago than {@code keep}, and the payloads of those that arrived longer ago than
     * {@code keepPayloads}.
     */
    public static ExpiredRows expired(Duration keep, Duration keepPayloads) {
        return (sql, now, most) -> {
            boolean more = PayloadTable.deleteBefore(sql, now.minus(keepPayloads), most);
            return sql.update(DELETE, IdGenerator.lowest(PREFIX, now.minus(keep)), most) == most || more;
        };
    }

    /** Whether a commit that was not confirmed has added the row of a request that was answered 503. */
    private static boolean isStored(SqlTransaction sql, RequestLogEntry entry) throws SQLException {
        return entry.status() == UNAVAILABLE
                && sql.first(STORED, row -> row.text("id"), entry.requestId()).isPresent();
    }

    private @Nullable Object[] row(LoggedRequest request) {
        RequestLogEntry entry = request.entry();
        return new @Nullable Object[] {
            Objects.requireNonNull(entry.requestId(), "only admitted requests have a row"),
            entry.at().toEpochMilli(),
            node,
            entry.client(),
            entry.credential(),
            entry.sender(),
            entry.hook(),
            entry.mapping(),
            entry.bytes(),
            entry.status(),
            entry.code(),
            entry.detail(),
            entry.micros(),
            String.join(" ", entry.became()),
            request.replayOf()
        };
    }
}
