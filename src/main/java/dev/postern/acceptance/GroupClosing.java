package dev.postern.acceptance;

import dev.postern.model.OutboxEntry;
import dev.postern.store.SqlTransaction;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The closing of groups whose rows are locked: their runs and events take their places in their sessions. First the places
 * are reserved, then the session rows are written, then those of the runs and events. Deliveries have no place there; they
 * go to the outbox.
 */
public final class GroupClosing {

    private static final String QUEUE_RUN = "UPDATE run SET session_key = ?, seq = " + SessionUpdateBatch.SEQ
            + ", message = COALESCE(CAST(? AS text), message), items = ?, queued_at = ? WHERE id = ? AND finished_at IS NULL";

    private static final String QUEUE_EVENT = "UPDATE event SET session_key = ?, seq = " + SessionUpdateBatch.SEQ
            + ", text = COALESCE(CAST(? AS text), text), items = ? WHERE id = ? AND taken_at IS NULL";

    GroupClosing() {}

    private final List<Closed> closed = new ArrayList<>();

    private final List<Collected> collected = new ArrayList<>();

    private record Closed(OpenGroup group, SessionUpdateBatch.Place place, long at) {}

    private record Collected(OpenGroup group, long at) {}

    /**
     * A result of closing groups that are due.
     *
     * @param closed the number of groups that were closed
     * @param deliveries the deliveries among their actions, for the outbox
     * @param nextDue when the next one is due, which may be over; empty if none is open
     */
    public record Result(int closed, List<OutboxEntry> deliveries, Optional<Instant> nextDue) {

        public Result {
            deliveries = List.copyOf(deliveries);
        }
    }

    /** Closes up to {@code max} groups that are due at {@code now}. */
    static Result closeDue(SqlTransaction sql, long now, int max) throws SQLException {
        List<OpenGroup> due = OpenGroupTable.lockDue(sql, now, max);
        List<OutboxEntry> deliveries = close(sql, due, now);
        return new Result(due.size(), deliveries, OpenGroupTable.nextDue(sql));
    }

    /** Closes the group of the run or delivery {@code id}, if it is open; returns that delivery, for the outbox. */
    static List<OutboxEntry> close(SqlTransaction sql, String id, long now) throws SQLException {
        return close(sql, OpenGroupTable.lockOf(sql, id).stream().toList(), now);
    }

    private static List<OutboxEntry> close(SqlTransaction sql, List<OpenGroup> groups, long now) throws SQLException {
        if (groups.isEmpty()) {
            return List.of();
        }
        SessionUpdateBatch sessions = new SessionUpdateBatch();
        GroupClosing closing = new GroupClosing();
        groups.forEach(group -> closing.add(group, sessions, now));
        sessions.write(sql);
        List<OutboxEntry> deliveries = closing.write(sql);
        OpenGroupTable.delete(sql, groups.stream().map(OpenGroup::id).toList());
        return deliveries;
    }

    /** Reserves the place of {@code group} in its session, which closes at {@code now}. */
    void add(OpenGroup group, SessionUpdateBatch sessions, long now) {
        if (group.kind() == OpenGroup.Kind.DELIVERY) {
            collected.add(new Collected(group, now));
            return;
        }
        String session = group.session().value();
        @Nullable String queue = group.turnQueue();
        @Nullable Long beatAt = group.asksHeartbeat() ? now + HeartbeatRepository.SOON.toMillis() : null;
        SessionUpdateBatch.Place place = queue == null
                ? sessions.addEvent(session, group.agentId(), now, beatAt)
                : sessions.addRun(session, group.agentId(), now, queue);
        closed.add(new Closed(group, place, now));
    }

    boolean isEmpty() {
        return closed.isEmpty() && collected.isEmpty();
    }

    /** Writes the rows of the runs and events, after those of the sessions; returns the deliveries, for the outbox. */
    List<OutboxEntry> write(SqlTransaction sql) throws SQLException {
        List<@Nullable Object[]> runs = new ArrayList<>();
        List<@Nullable Object[]> events = new ArrayList<>();
        for (Closed each : closed) {
            OpenGroup group = each.group();
            String session = group.session().value();
            long back = each.place().back();
            boolean isLone = group.items() == 1;
            @Nullable String text = isLone ? null : RequestItemTable.joined(sql, group.actionId(), group.items());
            @Nullable Integer items = isLone ? null : group.items();
            if (group.turnQueue() == null) {
                events.add(new @Nullable Object[] {session, session, back, text, items, group.actionId()});
            } else {
                runs.add(new @Nullable Object[] {session, session, back, text, items, each.at(), group.actionId()});
            }
        }
        if (!runs.isEmpty()) {
            sql.batch(QUEUE_RUN, runs);
        }
        if (!events.isEmpty()) {
            sql.batch(QUEUE_EVENT, events);
        }
        List<OutboxEntry> deliveries = new ArrayList<>();
        for (Collected each : collected) {
            String id = each.group().actionId();
            boolean isLone = each.group().items() == 1;
            deliveries.add(new OutboxEntry.Collected(
                    id,
                    isLone ? null : RequestItemTable.texts(sql, id),
                    isLone ? null : each.group().items(),
                    each.at()));
        }
        return deliveries;
    }
}
