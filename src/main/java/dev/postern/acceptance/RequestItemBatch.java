package dev.postern.acceptance;

import dev.postern.store.SqlTransaction;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A batch of rows for the table {@code request_item}, written at once, after the rows of runs, events and deliveries. */
final class RequestItemBatch {

    private static final String INSERT =
            "INSERT INTO request_item (action_id, number, text, request_id, received_at)" + " VALUES (?, ?, ?, ?, ?)";

    /** The first request of a group is in its run, event or delivery alone, until a second one joins. */
    private static final String COPY_OF_RUN =
            """
            INSERT INTO request_item (action_id, number, text, request_id, received_at)
            SELECT id, 1, message, request_id, accepted_at FROM run WHERE id = ?""";

    private static final String COPY_OF_EVENT =
            """
            INSERT INTO request_item (action_id, number, text, request_id, received_at)
            SELECT id, 1, text, request_id, created_at FROM event WHERE id = ?""";

    private static final String COPY_OF_DELIVERY =
            """
            INSERT INTO request_item (action_id, number, text, request_id, received_at)
            SELECT id, 1, text, request_id, created_at FROM delivery WHERE id = ?""";

    private static final String DELETE = "DELETE FROM request_item WHERE action_id = ?";

    private final Map<OpenGroup.Kind, List<@Nullable Object[]>> first = new EnumMap<>(OpenGroup.Kind.class);
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
            first.computeIfAbsent(group.kind(), none -> new ArrayList<>())
                    .add(new @Nullable Object[] {group.actionId()});
        }
        rows.add(row);
    }

    void write(SqlTransaction sql) throws SQLException {
        write(sql, COPY_OF_RUN, first.getOrDefault(OpenGroup.Kind.RUN, List.of()));
        write(sql, COPY_OF_EVENT, first.getOrDefault(OpenGroup.Kind.EVENT, List.of()));
        write(sql, COPY_OF_DELIVERY, first.getOrDefault(OpenGroup.Kind.DELIVERY, List.of()));
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
