package dev.postern.requests;

import dev.postern.model.IdGenerator;
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
import org.jspecify.annotations.Nullable;

/** The table {@code request}, which has a row for each admitted request. */
public final class RequestTable implements BatchWrite<RequestLogEntry, Boolean> {

    /** The prefix of the ids of requests. */
    public static final String PREFIX = "req";

    private static final String INSERT =
            "INSERT INTO request (id, at, node, client, credential, hook, mapping, body_bytes,"
                    + " status, code, detail, micros, became) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";

    private static final String DELETE =
            "DELETE FROM request WHERE id IN (SELECT id FROM request WHERE id < ? ORDER BY id LIMIT ?)";

    private final String node;

    /** @param node the name of this cluster node in the database */
    public RequestTable(String node) {
        this.node = node;
    }

    /** Adds a row for each of {@code entries}, all of which were admitted. */
    @Override
    public List<Boolean> run(SqlTransaction sql, List<RequestLogEntry> entries) throws SQLException {
        List<@Nullable Object[]> rows = new ArrayList<>(entries.size());
        for (RequestLogEntry entry : entries) {
            rows.add(row(entry));
        }
        sql.batch(INSERT, rows);
        return Collections.nCopies(entries.size(), true);
    }

    /** The requests that arrived longer ago than {@code keep}. */
    public static ExpiredRows expired(Duration keep) {
        return (sql, now, most) -> sql.update(DELETE, IdGenerator.lowest(PREFIX, now.minus(keep)), most) == most;
    }

    private @Nullable Object[] row(RequestLogEntry entry) {
        return new @Nullable Object[] {
            Objects.requireNonNull(entry.requestId(), "only admitted requests have a row"),
            entry.at().toEpochMilli(),
            node,
            entry.client(),
            entry.credential(),
            entry.hook(),
            entry.mapping(),
            entry.bytes(),
            entry.status(),
            entry.code(),
            entry.detail(),
            entry.micros(),
            String.join(" ", entry.became())
        };
    }
}
