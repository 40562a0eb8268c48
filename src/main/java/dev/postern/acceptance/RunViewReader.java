package dev.postern.acceptance;

import dev.postern.model.DeliveryState;
import dev.postern.model.RunId;
import dev.postern.model.RunState;
import dev.postern.model.RunView;
import dev.postern.model.TraceContext;
import dev.postern.store.ResultRow;
import dev.postern.store.SqlTransaction;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A reader of runs as their senders may see them, with the state of their deliveries. */
final class RunViewReader {

    /** One statement, so that a run is never shown as ended without the deliveries that its end has added. */
    private static final String FIND =
            """
            SELECT run.id, run.state, run.agent_id, run.session_key, run.sender, COALESCE(answered_model, model) AS model,
            CASE WHEN answered_model IS NOT NULL THEN model END AS asked_model, run.attempts, accepted_at, started_at,
            run.finished_at, reply, error, retry_at, held_by, CASE WHEN retry_at IS NOT NULL AND held_by IS NULL THEN retry_reason END AS retry_reason,
            run.retries + run.pauses AS waits, turn_record, run.trace_context, delivery.id AS sent_id, delivery.channel AS sent_through,
            delivery.recipient AS sent_to, delivery.state AS sent_state, delivery.attempts AS sent_attempts,
            delivery.reason AS sent_reason,
            COALESCE(request_group.items, run.items) AS items, request_group.due_at
            FROM run LEFT JOIN request_group ON request_group.action_id = run.id
            LEFT JOIN delivery ON delivery.run_id = run.id
            WHERE run.id = ? ORDER BY delivery.created_at, delivery.id""";

    private static final String PARTS =
            """
            SELECT delivery_id, sent_at, message_id FROM delivery_part
            WHERE delivery_id IN (SELECT id FROM delivery WHERE run_id = ?) ORDER BY delivery_id, number""";

    /** The order of precedence: the state of several deliveries is the first of these that one of them has. */
    private static final List<DeliveryState> TELLING =
            List.of(DeliveryState.PENDING, DeliveryState.FAILED, DeliveryState.DELIVERED, DeliveryState.SUPPRESSED);

    private RunViewReader() {}

    /** A message that a reply was split into. */
    private record Part(String delivery, boolean sent, @Nullable String messageId) {}

    private record Named(String id, RunView.Delivery delivery) {}

    /** Reads the parts last, so that no delivery is shown as ended while a part is still to be sent. */
    static Optional<RunView> find(SqlTransaction sql, RunId id) throws SQLException {
        List<Named> deliveries = new ArrayList<>();
        Optional<RunView> run = sql
                .query(
                        FIND,
                        row -> {
                            delivery(row).ifPresent(deliveries::add);
                            return view(row);
                        },
                        id.value())
                .stream()
                .findFirst();
        if (deliveries.isEmpty()) {
            return run;
        }
        List<Part> parts = sql.query(
                PARTS,
                row -> new Part(
                        row.text("delivery_id"), row.numberOrNull("sent_at") != null, row.textOrNull("message_id")),
                id.value());
        List<RunView.Delivery> all = deliveries.stream()
                .map(each -> withParts(
                        each.delivery(),
                        parts.stream()
                                .filter(part -> part.delivery().equals(each.id()))
                                .toList()))
                .toList();
        return run.map(view -> view.with(asAWhole(all), all));
    }

    private static RunView view(ResultRow row) throws SQLException {
        Long items = row.numberOrNull("items");
        return new RunView(
                /* id= */ new RunId(row.text("id")),
                /* state= */ RunState.of(row.text("state")),
                /* agentId= */ row.text("agent_id"),
                /* sessionKey= */ CollectingSession.read(row.text("session_key"))
                        .key(),
                /* sender= */ row.textOrNull("sender"),
                /* model= */ row.text("model"),
                /* askedModel= */ row.textOrNull("asked_model"),
                /* attempts= */ row.count("attempts"),
                /* acceptedAt= */ row.instant("accepted_at"),
                /* startedAt= */ row.instantOrNull("started_at"),
                /* finishedAt= */ row.instantOrNull("finished_at"),
                /* reply= */ row.textOrNull("reply"),
                /* error= */ row.textOrNull("error"),
                /* retryAt= */ row.instantOrNull("retry_at"),
                /* retryReason= */ row.textOrNull("retry_reason"),
                /* waits= */ row.count("waits"),
                /* heldBy= */ row.textOrNull("held_by"),
                /* collectingUntil= */ row.instantOrNull("due_at"),
                /* items= */ items == null ? 1 : items.intValue(),
                /* traceId= */ TraceContext.traceIdOf(TraceContext.read(row.textOrNull("trace_context"))),
                /* turn= */ TurnRecordJson.decode(row.textOrNull("turn_record")),
                /* delivery= */ DeliveryState.NONE,
                /* deliveries= */ List.of());
    }

    /** The delivery in {@code row}, without its parts; empty where the run has none. */
    private static Optional<Named> delivery(ResultRow row) throws SQLException {
        String id = row.textOrNull("sent_id");
        if (id == null) {
            return Optional.empty();
        }
        return Optional.of(new Named(
                id,
                new RunView.Delivery(
                        row.text("sent_through"),
                        row.textOrNull("sent_to"),
                        DeliveryState.of(row.text("sent_state")),
                        row.count("sent_attempts"),
                        0,
                        0,
                        List.of(),
                        row.textOrNull("sent_reason"))));
    }

    private static RunView.Delivery withParts(RunView.Delivery delivery, List<Part> parts) {
        return new RunView.Delivery(
                delivery.channel(),
                delivery.to(),
                delivery.state(),
                delivery.attempts(),
                parts.size(),
                (int) parts.stream().filter(Part::sent).count(),
                parts.stream().map(Part::messageId).filter(Objects::nonNull).toList(),
                delivery.reason());
    }

    private static DeliveryState asAWhole(List<RunView.Delivery> deliveries) {
        return TELLING.stream()
                .filter(state -> deliveries.stream().anyMatch(delivery -> delivery.state() == state))
                .findFirst()
                .orElse(DeliveryState.NONE);
    }
}
