package dev.postern.acceptance;

import dev.postern.store.SqlTransaction;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A cleanup that deletes the request items whose run, event or delivery was deleted. It goes through the items by age, from
 * where the last batch ended, so each batch reads a bounded number of rows. For one thread.
 */
public final class RequestItemCleanup {

    private static final String NEXT =
            """
            SELECT received_at, action_id, number FROM request_item
            WHERE received_at < ? AND (received_at, action_id, number) > (?, ?, ?)
            ORDER BY received_at, action_id, number LIMIT ?""";

    private static final String DELETE =
            """
            DELETE FROM request_item WHERE action_id = ? AND number = ?
            AND NOT EXISTS (SELECT 1 FROM run WHERE run.id = action_id)
            AND NOT EXISTS (SELECT 1 FROM event WHERE event.id = action_id)
            AND NOT EXISTS (SELECT 1 FROM delivery WHERE delivery.id = action_id)""";

    private static final Position START = new Position(Long.MIN_VALUE, "", 0);

    private volatile Position last = START;

    /**
     * Goes through the next items that were received before {@code before}, and deletes those without an owner. Items are
     * older than the end of their run.
     *
     * @param max the most items to look at
     * @return true when there may be more to look at
     */
    public boolean deleteBatch(SqlTransaction sql, Instant before, int max) throws SQLException {
        Position from = last;
        List<Position> items = sql.query(
                NEXT,
                row -> new Position(row.number("received_at"), row.text("action_id"), row.count("number")),
                before.toEpochMilli(),
                from.receivedAt(),
                from.actionId(),
                from.number(),
                max);
        List<@Nullable Object[]> keys = new ArrayList<>();
        for (Position item : items) {
            keys.add(new @Nullable Object[] {item.actionId(), item.number()});
        }
        if (!keys.isEmpty()) {
            sql.batch(DELETE, keys);
        }
        boolean more = items.size() == max;
        sql.afterCommit(() -> last = more ? items.get(max - 1) : START);
        return more;
    }

    private record Position(long receivedAt, String actionId, int number) {}
}
