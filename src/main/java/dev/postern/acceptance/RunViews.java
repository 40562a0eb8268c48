package dev.postern.acceptance;

import dev.postern.model.DeliveryState;
import dev.postern.model.RunId;
import dev.postern.model.RunState;
import dev.postern.model.RunView;
import dev.postern.model.SessionKey;
import dev.postern.store.Row;
import dev.postern.store.Sql;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/** Reads a run as its sender may see it, with what channel has noted of its deliveries. */
final class RunViews {

    private static final String RUN =
            """
            SELECT id, state, agent_id, session_key, model, attempts, accepted_at, started_at, finished_at, reply, error
            FROM run WHERE id = ?""";

    private static final String DELIVERIES =
            """
            SELECT channel, recipient, state, attempts, reason FROM delivery WHERE run_id = ?
            ORDER BY created_at, id""";

    /** The state of several deliveries is the first of these that one of them is in. */
    private static final List<DeliveryState> TELLING =
            List.of(DeliveryState.PENDING, DeliveryState.FAILED, DeliveryState.DELIVERED, DeliveryState.SUPPRESSED);

    private RunViews() {}

    static Optional<RunView> find(Sql sql, RunId id) throws SQLException {
        List<RunView.Delivery> deliveries = sql.query(DELIVERIES, RunViews::delivery, id.value());
        return sql.first(RUN, row -> view(row, deliveries), id.value());
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
                asAWhole(deliveries),
                deliveries);
    }

    private static RunView.Delivery delivery(Row row) throws SQLException {
        return new RunView.Delivery(
                row.text("channel"),
                row.textOrNull("recipient"),
                DeliveryState.of(row.text("state")),
                row.count("attempts"),
                row.textOrNull("reason"));
    }

    private static DeliveryState asAWhole(List<RunView.Delivery> deliveries) {
        return TELLING.stream()
                .filter(state -> deliveries.stream().anyMatch(delivery -> delivery.state() == state))
                .findFirst()
                .orElse(DeliveryState.NONE);
    }
}
