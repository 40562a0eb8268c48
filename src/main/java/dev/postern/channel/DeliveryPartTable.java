package dev.postern.channel;

import dev.postern.channel.text.MessagePart;
import dev.postern.store.SqlTransaction;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The table {@code delivery_part}: the parts of the deliveries that were begun. Its callers check that they hold the delivery's
 * claim.
 */
final class DeliveryPartTable {

    private static final String PARTS =
            "SELECT number, text, file_name, sent_at FROM delivery_part WHERE delivery_id = ? ORDER BY number";

    private static final String ADD =
            "INSERT INTO delivery_part (delivery_id, number, text, file_name) VALUES (?, ?, ?, ?)";

    private static final String DELETE = "DELETE FROM delivery_part WHERE delivery_id = ? AND number >= ?";

    private static final String SENT =
            "UPDATE delivery_part SET sent_at = ?, message_id = ? WHERE delivery_id = ? AND number = ?";

    private DeliveryPartTable() {}

    /** The parts of the delivery {@code id}, in order; none before its first attempt. */
    static List<ClaimedDelivery.Part> find(SqlTransaction sql, String id) throws SQLException {
        return sql.query(
                PARTS,
                row -> new ClaimedDelivery.Part(
                        row.count("number"),
                        new MessagePart(row.text("text"), row.textOrNull("file_name")),
                        row.numberOrNull("sent_at") != null),
                id);
    }

    /**
     * Adds parts to the delivery {@code id}.
     *
     * @param from the number of the first one
     * @return the new parts
     */
    static List<ClaimedDelivery.Part> add(SqlTransaction sql, String id, int from, List<MessagePart> contents)
            throws SQLException {
        List<ClaimedDelivery.Part> parts = new ArrayList<>();
        for (MessagePart content : contents) {
            ClaimedDelivery.Part part = new ClaimedDelivery.Part(from + parts.size(), content, false);
            sql.update(ADD, id, part.number(), content.text(), content.fileName());
            parts.add(part);
        }
        return parts;
    }

    /**
     * Marks a part as sent.
     *
     * @param messageId the id that the channel's product gave the message; null for none
     */
    static void markSent(SqlTransaction sql, String id, int number, @Nullable String messageId, Instant at)
            throws SQLException {
        sql.update(SENT, at.toEpochMilli(), messageId, id, number);
    }

    /** Deletes the parts of the delivery {@code id} from the number {@code from} on. */
    static void delete(SqlTransaction sql, String id, int from) throws SQLException {
        sql.update(DELETE, id, from);
    }
}
