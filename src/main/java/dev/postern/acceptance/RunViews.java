package dev.postern.acceptance;

import dev.postern.model.DeliveryState;
import dev.postern.model.RunId;
import dev.postern.model.RunState;
import dev.postern.model.RunView;
import dev.postern.model.SessionKey;
import dev.postern.store.Row;
import dev.postern.store.Sql;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads a run as its sender may see it, with what channel has noted of its deliveries. */
final class RunViews {

    /** One statement, so that a run is never shown as ended without the deliveries that its end has added. */
    private static final String FIND =
            """
            SELECT run.id, run.state, run.agent_id, session_key, model, run.attempts, accepted_at, started_at,
            run.finished_at, reply, error, turn_record, delivery.channel AS sent_through, delivery.recipient AS sent_to,
            delivery.state AS sent_state, delivery.attempts AS sent_attempts, delivery.reason AS sent_reason
            FROM run LEFT JOIN delivery ON delivery.run_id = run.id
            WHERE run.id = ? ORDER BY delivery.created_at, delivery.id""";

    /** The state of several deliveries is the first of these that one of them is in. */
    private static final List<DeliveryState> TELLING =
            List.of(DeliveryState.PENDING, DeliveryState.FAILED, DeliveryState.DELIVERED, DeliveryState.SUPPRESSED);

    private RunViews() {}

    static Optional<RunView> find(Sql sql, RunId id) throws SQLException {
        List<RunView.Delivery> deliveries = new ArrayList<>();
        List<RunView> views = sql.query(
                FIND,
                row -> {
                    delivery(row).ifPresent(deliveries::add);
                    return view(row, deliveries);
                },
                id.value());
        return views.isEmpty() ? Optional.empty() : Optional.of(views.get(views.size() - 1));
    }

    private static RunView view(Row row, List<RunView.Delivery> deliveries) throws SQLException {
        return new RunView(
                new RunId(row.text("id")),
                RunState.of(row.text("state")),
                row.text("agent_id"),
                new SessionKey(row.text("session_key")),
                row.text("model"),
                row.count("attempts"),
                row.instant("accepted_at"),
                row.instantOrNull("started_at"),
                row.instantOrNull("finished_at"),
                row.textOrNull("reply"),
                row.textOrNull("error"),
                TurnRecords.decode(row.textOrNull("turn_record")),
                asAWhole(deliveries),
                deliveries);
    }

    /** The delivery that {@code row} shows; empty where the run has none. */
    private static Optional<RunView.Delivery> delivery(Row row) throws SQLException {
        if (row.textOrNull("sent_state") == null) {
            return Optional.empty();
        }
        return Optional.of(new RunView.Delivery(
                row.text("sent_through"),
                row.textOrNull("sent_to"),
                DeliveryState.of(row.text("sent_state")),
                row.count("sent_attempts"),
                row.textOrNull("sent_reason")));
    }

    private static DeliveryState asAWhole(List<RunView.Delivery> deliveries) {
        return TELLING.stream()
                .filter(state -> deliveries.stream().anyMatch(delivery -> delivery.state() == state))
                .findFirst()
                .orElse(DeliveryState.NONE);
    }
}
