package dev.postern.acceptance;

import dev.postern.model.CoalescingRule;
import dev.postern.model.OutboxEntry;
import dev.postern.store.SqlTransaction;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A batch of one transaction's changes to open groups, whose rows are locked from its creation on. It writes each group
 * once, however many requests joined it.
 */
final class OpenGroupBatch {

    private final SortedSet<String> locked;
    private final Map<String, OpenGroup> open;
    private final Set<String> opened = new HashSet<>();
    private final GroupClosing closing = new GroupClosing();
    private final RequestItemBatch items = new RequestItemBatch();

    private OpenGroupBatch(SortedSet<String> locked, Map<String, OpenGroup> open) {
        this.locked = locked;
        this.open = open;
    }

    /** A batch that holds the groups of {@code offers}. Without one that coalesces, it reads and writes nothing. */
    static OpenGroupBatch lock(SqlTransaction sql, List<PreparedSubmission> offers) throws SQLException {
        SortedSet<String> ids = new TreeSet<>();
        for (PreparedSubmission offer : offers) {
            @Nullable CoalescingRequest request = offer.submission().coalescing();
            if (request != null) {
                ids.add(request.groupId());
            }
        }
        return new OpenGroupBatch(ids, ids.isEmpty() ? new HashMap<>() : OpenGroupTable.lock(sql, ids));
    }

    /** Whether {@code offer} would join an open group, so that it adds no action. */
    boolean isJoining(PreparedSubmission offer) {
        @Nullable CoalescingRequest request = offer.submission().coalescing();
        return request != null && joinable(request, offer) != null;
    }

    private @Nullable OpenGroup joinable(CoalescingRequest request, PreparedSubmission offer) {
        @Nullable OpenGroup group = open.get(request.groupId());
        String text = OpenGroup.text(offer.submission().actions().get(0));
        return group != null && group.hasRoom(request.rule(), text, offer.acceptedAt()) ? group : null;
    }

    /**
     * Adds {@code accepted} to its group, or opens one with it. A group that is full, or has no room for it, closes.
     *
     * @param sessions gets the places of groups that close
     * @return the group with it
     */
    OpenGroup add(PreparedSubmission accepted, SessionUpdateBatch sessions) {
        CoalescingRequest request = Objects.requireNonNull(accepted.submission().coalescing());
        CoalescingRule rule = request.rule();
        @Nullable OpenGroup before = joinable(request, accepted);
        OpenGroup group;
        if (before != null) {
            String text = OpenGroup.text(accepted.submission().actions().get(0));
            group = before.joined(rule, text, accepted.acceptedAt());
            RequestItem item = new RequestItem(
                    group.items(),
                    text,
                    accepted.submission().requestId(),
                    Instant.ofEpochMilli(accepted.acceptedAt()));
            items.add(group, item, rule.latestOnly());
        } else {
            close(open.remove(request.groupId()), sessions, accepted.acceptedAt());
            group = OpenGroup.opened(request, accepted);
            opened.add(group.id());
        }
        open.put(group.id(), group);
        if (group.items() >= rule.maxItems()) {
            close(open.remove(group.id()), sessions, accepted.acceptedAt());
        }
        return group;
    }

    /** When the first of the groups is due that this transaction has opened and not closed; empty if there is none. */
    Optional<Instant> firstDue() {
        return opened.stream()
                .map(open::get)
                .filter(Objects::nonNull)
                .map(group -> Instant.ofEpochMilli(group.dueAt()))
                .min(Comparator.naturalOrder());
    }

    /** Whether a group closes. */
    boolean isAnyClosing() {
        return !closing.isEmpty();
    }

    private void close(@Nullable OpenGroup group, SessionUpdateBatch sessions, long now) {
        if (group != null) {
            closing.add(group, sessions, now);
        }
    }

    /** Writes the changes, after the rows of the sessions, runs, events and deliveries; returns the deliveries that begin. */
    List<OutboxEntry> write(SqlTransaction sql) throws SQLException {
        if (locked.isEmpty()) {
            return List.of();
        }
        items.write(sql);
        List<OutboxEntry> deliveries = closing.write(sql);
        OpenGroupTable.update(sql, open.values());
        List<String> closed = new ArrayList<>(locked);
        closed.removeAll(open.keySet());
        OpenGroupTable.delete(sql, closed);
        return deliveries;
    }
}
