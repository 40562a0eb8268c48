package dev.postern.acceptance;

import dev.postern.store.SqlTransaction;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A batch of rows for the table {@code request_item}, written at once, after the rows of runs and events. */
final class RequestItemBatch {

    private static final String INSERT =
            "INSERT INTO request_item (action_id, number, text, request_id, received_at)" + " VALUES (?, ?, ?, ?, ?)";

    /** The first request of a group is in its run or event alone, until a second one joins. */
    private static final String COPY_OF_RUN =
            """
            INSERT INTO request_item (action_id, number, text, request_id, received_at)
            SELECT id, 1, message, request_id, accepted_at FROM run WHERE id = ?""";

    private static final String COPY_OF_EVENT =
            """
            INSERT INTO request_item (action_id, number, text, request_id, received_at)
            SELECT id, 1, text, request_id, created_at FROM event WHERE id = ?""";

    private static final String DELETE = "DELETE FROM request_item WHERE action_id = ?";

    private final List<@Nullable Object[]> firstOfRuns = new ArrayList<>();
    private final List<@Nullable Object[]> firstOfEvents = new ArrayList<>();
    private final List<@Nullable Object[]> rows = new ArrayList<>();
    private final Map<String, @Nullable Object[]> latest = new LinkedHashMap<>();

    /** Adds the item with which {@code group} grew; it takes the place of the earlier ones if {@code latestOnly}. */
    void add(OpenGroup group, RequestItem item, boolean latestOnly) {
        @Nullable
        Object[] row = {
            group.actionId(),
            item.number(),
            item.text(),
            item.requestId(),
            item.receivedAt().toEpochMilli()
        };
        if (latestOnly) {
            latest.put(group.actionId(), row);
            return;
        }
        if (group.items() == 2) {
            (group.turnQueue() == null ? firstOfEvents : firstOfRuns).add(new @Nullable Object[] {group.actionId()});
        }
        rows.add(row);
    }

    void write(SqlTransaction sql) throws SQLException {
        write(sql, COPY_OF_RUN, firstOfRuns);
        write(sql, COPY_OF_EVENT, firstOfEvents);
        List<@Nullable Object[]> replaced = new ArrayList<>();
        latest.keySet().forEach(id -> replaced.add(new @Nullable Object[] {id}));
        write(sql, DELETE, replaced);
        rows.addAll(latest.values());
        write(sql, INSERT, rows);
    }

    private static void write(SqlTransaction sql, String statement, List<@Nullable Object[]> rows) throws SQLException {
        if (!rows.isEmpty()) {
            sql.batch(statement, rows);
        }
    }
}
