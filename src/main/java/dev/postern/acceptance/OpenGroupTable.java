package dev.postern.acceptance;

import dev.postern.store.SqlTransaction;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The table {@code request_group}: the open groups of requests that become one run, event or delivery. */
final class OpenGroupTable {

    /** The numbers of ids in one statement, the largest first, so that few statements have to stay prepared. */
    private static final int[] PIECES = {64, 8, 1};

    /** Takes the place of a group that is about to be opened, so that no other node opens it too. */
    private static final String RESERVE =
            """
            INSERT INTO request_group (id, action_id, session_key, agent_id, asks_heartbeat, opened_at, due_at, items,
            characters) SELECT ?, '', '', '', 0, 0, 0, 0, 0 WHERE true ON CONFLICT (id) DO NOTHING""";

    private static final String UPDATE =
            """
            UPDATE request_group SET action_id = ?, session_key = ?, agent_id = ?, turn_queue = ?, asks_heartbeat = ?,
            opened_at = ?, due_at = ?, delivery_due_at = ?, items = ?, characters = ? WHERE id = ?""";

    private static final String DELETE = "DELETE FROM request_group WHERE id = ?";

    private static final String DUE =
            "SELECT " + OpenGroup.COLUMNS + " FROM request_group WHERE due_at <= ? ORDER BY due_at LIMIT ?";

    private static final String DUE_DELIVERIES = "SELECT " + OpenGroup.COLUMNS
            + " FROM request_group WHERE delivery_due_at <= ? ORDER BY delivery_due_at LIMIT ?";

    private static final String NEXT = "SELECT MIN(COALESCE(delivery_due_at, due_at)) AS due_at FROM request_group";

    /** The time at which a program that does not know the groups of deliveries closes them. */
    private static final long NEVER = Long.MAX_VALUE;

    private static final String OF_ACTION = "SELECT " + OpenGroup.COLUMNS + " FROM request_group WHERE action_id = ?";

    /**
     * The number of attempts to lock a group. Other nodes can close one between two reads; more often than this would be an
     * error.
     */
    private static final int MOST_LOOKS = 5;

    private OpenGroupTable() {}

    /**
     * Locks the groups with {@code ids}, in the order of these, whether they are open or not. The caller has to delete those
     * that it does not open.
     *
     * @return those that are open, by their ids
     */
    static Map<String, OpenGroup> lock(SqlTransaction sql, SortedSet<String> ids) throws SQLException {
        Map<String, OpenGroup> open = new HashMap<>();
        SortedSet<String> missing = new TreeSet<>(ids);
        for (int look = 0; look < MOST_LOOKS; look++) {
            for (OpenGroup group : locked(sql, List.copyOf(missing))) {
                open.put(group.id(), group);
                missing.remove(group.id());
            }
            if (missing.isEmpty()) {
                return open;
            }
            List<String> absent = List.copyOf(missing);
            int[] reserved = sql.batch(
                    RESERVE,
                    absent.stream().map(id -> new @Nullable Object[] {id}).toList());
            for (int i = 0; i < reserved.length; i++) {
                if (reserved[i] == 1) {
                    missing.remove(absent.get(i));
                }
            }
            if (missing.isEmpty()) {
                return open;
            }
        }
        throw new SQLException("an open group was closed by others " + MOST_LOOKS + " times in a row");
    }

    private static List<OpenGroup> locked(SqlTransaction sql, List<String> ids) throws SQLException {
        List<OpenGroup> found = new ArrayList<>();
        int from = 0;
        for (int size : PIECES) {
            String select = "SELECT " + OpenGroup.COLUMNS + " FROM request_group WHERE id IN ("
                    + String.join(", ", Collections.nCopies(size, "?")) + ") ORDER BY id"
                    + sql.dialect().forUpdate();
            for (; ids.size() - from >= size; from += size) {
                found.addAll(sql.query(
                        select, OpenGroup::of, ids.subList(from, from + size).toArray()));
            }
        }
        return found;
    }

    /** Writes the state of {@code groups}, whose rows are locked. */
    static void update(SqlTransaction sql, Collection<OpenGroup> groups) throws SQLException {
        List<@Nullable Object[]> rows = new ArrayList<>(groups.size());
        for (OpenGroup group : groups) {
            boolean isDelivery = group.kind() == OpenGroup.Kind.DELIVERY;
            rows.add(new @Nullable Object[] {
                group.actionId(),
                group.session().value(),
                group.agentId(),
                group.turnQueue(),
                group.asksHeartbeat(),
                group.openedAt(),
                isDelivery ? NEVER : group.dueAt(),
                isDelivery ? group.dueAt() : null,
                group.items(),
                group.characters(),
                group.id()
            });
        }
        if (!rows.isEmpty()) {
            sql.batch(UPDATE, rows);
        }
    }

    /** Deletes the groups with {@code ids}, whose rows are locked. */
    static void delete(SqlTransaction sql, Collection<String> ids) throws SQLException {
        if (!ids.isEmpty()) {
            sql.batch(
                    DELETE, ids.stream().map(id -> new @Nullable Object[] {id}).toList());
        }
    }

    /** Locks up to {@code max} groups that are due at {@code now}, beside those that another transaction has locked. */
    static List<OpenGroup> lockDue(SqlTransaction sql, long now, int max) throws SQLException {
        List<OpenGroup> due =
                new ArrayList<>(sql.query(DUE + sql.dialect().forUpdateSkipLocked(), OpenGroup::of, now, max));
        if (due.size() < max) {
            due.addAll(sql.query(
                    DUE_DELIVERIES + sql.dialect().forUpdateSkipLocked(), OpenGroup::of, now, max - due.size()));
        }
        return due;
    }

    /** Locks the open group of the run, event or delivery {@code actionId}; empty if it has none. */
    static Optional<OpenGroup> lockOf(SqlTransaction sql, String actionId) throws SQLException {
        return sql.first(OF_ACTION + sql.dialect().forUpdate(), OpenGroup::of, actionId);
    }

    /** The time at which the next group is due; empty if none is open. */
    static Optional<Instant> nextDue(SqlTransaction sql) throws SQLException {
        return sql.first(NEXT, row -> Optional.ofNullable(row.instantOrNull("due_at")))
                .orElse(Optional.empty());
    }
}
