package dev.postern.channel;

import dev.postern.model.DeliveryState;
import dev.postern.model.OperatorResult;
import dev.postern.model.TraceContext;
import dev.postern.store.ResultRow;
import dev.postern.store.SqlTransaction;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The operations of an operator on single deliveries, in the tables of {@link DeliveryRepository}. A delivery that a node
 * is sending is not touched.
 */
public final class DeliveryOperations {

    /** The reason of a delivery that an operator has given up. */
    static final String GIVEN_UP = "An operator has given it up.";

    private static final String FIND = "SELECT id, state, run_id, agent_id, event, channel, recipient, trace_context,"
            + " CASE WHEN " + DeliveryClaims.FREE + " THEN 0 ELSE 1 END AS held FROM delivery WHERE id = ?";

    /** Leaves the count of attempts, because it numbers the claims; the counts of failures start again at 0. */
    private static final String AGAIN =
            """
            UPDATE delivery SET state = 'pending', failures = 0, unclear = 0, interrupted = 0, next_at = ?,
                finished_at = NULL WHERE id = ?""";

    private static final String NOW = "UPDATE delivery SET next_at = ? WHERE id = ? AND next_at > ?";

    /** Finds a later delivery that is being sent to the recipient, since the failed one no longer holds it back. */
    private static final String RECIPIENT_IS_SERVED =
            """
            SELECT 1 FROM delivery WHERE channel = ? AND COALESCE(recipient, '') = ? AND next_at IS NOT NULL
            AND sender IN (SELECT id FROM node) LIMIT 1""";

    private static final OperatorResult TRIED_AGAIN = new OperatorResult.Done("The delivery is tried again now.");

    /** The result while this delivery, or another one to the same recipient, is being sent. */
    private static final OperatorResult BEING_SENT =
            new OperatorResult.Conflict("The delivery is being sent now. Try again in a moment.");

    private final DeliveryRepository deliveryRepository;
    private final ChannelRegistry channelRegistry;
    private final UndeliveredReplyListener undelivered;

    /**
     * @param undelivered listener for replies that were given up
     */
    public DeliveryOperations(
            DeliveryRepository deliveryRepository,
            ChannelRegistry channelRegistry,
            UndeliveredReplyListener undelivered) {
        this.deliveryRepository = deliveryRepository;
        this.channelRegistry = channelRegistry;
        this.undelivered = undelivered;
    }

    private record Found(
            String id,
            DeliveryState state,
            boolean held,
            @Nullable String runId,
            @Nullable String agentId,
            boolean isEvent,
            String channel,
            @Nullable String to,
            @Nullable TraceContext trace) {

        DeliveryFailure failure(String reason) {
            return new DeliveryFailure(id, channel, to, runId, agentId, isEvent, trace, reason);
        }
    }

    /**
     * Makes a delivery due now. A failed one gets as many attempts as a new one; one that waits for its next attempt keeps
     * the attempts that it has left. Parts that were sent are not sent again. Deliveries to one recipient go in the order
     * in which they were added: earlier ones that wait go first, and later ones that still wait go after it.
     */
    public OperatorResult tryAgain(SqlTransaction sql, String id, Instant now) throws SQLException {
        Optional<Found> found = find(sql, id);
        if (found.isEmpty()) {
            return new OperatorResult.NotFound();
        }
        Found delivery = found.get();
        if (delivery.held()) {
            return BEING_SENT;
        }
        if (delivery.state() == DeliveryState.PENDING) {
            sql.update(NOW, now.toEpochMilli(), id, now.toEpochMilli());
            return TRIED_AGAIN;
        }
        if (delivery.state() != DeliveryState.FAILED) {
            return hasEnded(delivery);
        }
        @Nullable String whyNot = channelRegistry.whyNot(delivery.channel(), delivery.to());
        if (whyNot != null) {
            return new OperatorResult.Conflict(whyNot);
        }
        if (isServed(sql, delivery)) {
            return BEING_SENT;
        }
        sql.update(AGAIN, now.toEpochMilli(), id);
        deliveryRepository.countAgain(sql, delivery.agentId() == null && !delivery.isEvent());
        return TRIED_AGAIN;
    }

    /**
     * Makes a pending delivery fail, which is told and reported as for any failed delivery. Parts that were sent stay sent; other
     * deliveries to the same recipient go on.
     */
    public OperatorResult giveUp(SqlTransaction sql, String id, Instant now) throws SQLException {
        Optional<Found> found = find(sql, id);
        if (found.isEmpty()) {
            return new OperatorResult.NotFound();
        }
        Found delivery = found.get();
        if (delivery.held()) {
            return BEING_SENT;
        }
        if (delivery.state() != DeliveryState.PENDING) {
            return hasEnded(delivery);
        }
        deliveryRepository.fail(sql, delivery.failure(GIVEN_UP), undelivered, now);
        return new OperatorResult.Done("The delivery is given up.");
    }

    private static OperatorResult hasEnded(Found delivery) {
        return new OperatorResult.Conflict(
                "The delivery has ended: " + delivery.state().wire() + ".");
    }

    private static boolean isServed(SqlTransaction sql, Found delivery) throws SQLException {
        String to = Objects.requireNonNullElse(delivery.to(), "");
        return sql.first(RECIPIENT_IS_SERVED, row -> true, delivery.channel(), to)
                .isPresent();
    }

    /** Finds a delivery and locks its row, so that no node begins to send it meanwhile. */
    private static Optional<Found> find(SqlTransaction sql, String id) throws SQLException {
        return sql.first(FIND + sql.dialect().forUpdate(), DeliveryOperations::found, id);
    }

    private static Found found(ResultRow row) throws SQLException {
        return new Found(
                row.text("id"),
                DeliveryState.of(row.text("state")),
                row.flag("held"),
                row.textOrNull("run_id"),
                DeliveryRepository.agentOf(row),
                row.textOrNull("event") != null,
                row.text("channel"),
                row.textOrNull("recipient"),
                TraceContext.read(row.textOrNull("trace_context")));
    }
}
