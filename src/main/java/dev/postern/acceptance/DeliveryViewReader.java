package dev.postern.acceptance;

import dev.postern.model.DeliveryState;
import dev.postern.model.DeliveryView;
import dev.postern.model.Recipient;
import dev.postern.store.ResultRow;
import dev.postern.store.SqlTransaction;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A reader of deliveries without an agent as their senders may see them. It finds no replies. */
final class DeliveryViewReader {

    private static final String FIND =
            """
            SELECT delivery.id, state, hook_sender, channel, recipient, attempts, created_at, next_at, finished_at, reason,
            COALESCE(request_group.items, delivery.items) AS items, request_group.delivery_due_at
            FROM delivery LEFT JOIN request_group ON request_group.action_id = delivery.id
            WHERE delivery.id = ? AND hook IS NOT NULL""";

    private static final String PARTS =
            "SELECT sent_at, message_id FROM delivery_part WHERE delivery_id = ? ORDER BY number";

    private DeliveryViewReader() {}

    /** A message that the text was split into. */
    private record Part(boolean sent, @Nullable String messageId) {}

    /** Reads the parts last, so that no delivery is shown as ended while a part is still to be sent. */
    static Optional<DeliveryView> find(SqlTransaction sql, String id) throws SQLException {
        Optional<DeliveryView> delivery = sql.first(FIND, DeliveryViewReader::view, id);
        if (delivery.isEmpty()) {
            return delivery;
        }
        List<Part> parts = sql.query(
                PARTS, row -> new Part(row.numberOrNull("sent_at") != null, row.textOrNull("message_id")), id);
        return delivery.map(view -> view.with(
                parts.size(),
                (int) parts.stream().filter(Part::sent).count(),
                parts.stream().map(Part::messageId).filter(Objects::nonNull).toList()));
    }

    private static DeliveryView view(ResultRow row) throws SQLException {
        @Nullable Long items = row.numberOrNull("items");
        return new DeliveryView(
                /* id= */ row.text("id"),
                /* state= */ DeliveryState.of(row.text("state")),
                /* sender= */ row.textOrNull("hook_sender"),
                /* recipient= */ new Recipient(row.text("channel"), row.textOrNull("recipient")),
                /* attempts= */ row.count("attempts"),
                /* acceptedAt= */ row.instant("created_at"),
                /* nextAt= */ row.instantOrNull("next_at"),
                /* finishedAt= */ row.instantOrNull("finished_at"),
                /* collectingUntil= */ row.instantOrNull("delivery_due_at"),
                /* items= */ items == null ? 1 : items.intValue(),
                /* parts= */ 0,
                /* sentParts= */ 0,
                /* messageIds= */ List.of(),
                /* reason= */ row.textOrNull("reason"));
    }
}
