package dev.postern.channel;

import dev.postern.model.DeliveryState;
import dev.postern.model.OutboxEntry;
import dev.postern.model.Recipient;
import dev.postern.model.TraceContext;
import dev.postern.store.BatchWrite;
import dev.postern.store.SqlTransaction;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A batch writer for the deliveries that requests ask for without an agent, in the table of {@link DeliveryRepository}. One
 * to the inbox is delivered, and one that its channel can't take has failed, as soon as it waits for no further requests.
 */
public final class HookDeliveryWriter implements BatchWrite<OutboxEntry, Boolean> {

    /** Not {@code VALUES}: a driver that joins the rows of a batch would give all of them the same place. */
    private static final String INSERT =
            """
            INSERT INTO delivery (id, outcome, agent_id, named, channel, recipient, text, state, attempts, next_at, reason,
                created_at, finished_at, hook, request_id, hook_sender, limited_mapping, trace_context, seq)
            SELECT ?, 'succeeded', '', 0, ?, ?, ?, ?, 0, CAST(? AS bigint), ?, ?, CAST(? AS bigint), ?, ?, ?, ?, ?,
                (SELECT COALESCE(MAX(seq), 0) + 1 FROM delivery)""";

    private static final String FIND = "SELECT channel, recipient, trace_context FROM delivery"
            + " WHERE id = ? AND state = 'pending' AND next_at IS NULL";

    private static final String BEGIN =
            """
            UPDATE delivery SET text = COALESCE(CAST(? AS text), text), items = ?, state = ?, next_at = ?, reason = ?,
                finished_at = ?, seq = (SELECT COALESCE(MAX(seq), 0) + 1 FROM delivery) WHERE id = ?""";

    private final DeliveryRepository deliveryRepository;
    private final ChannelRegistry channelRegistry;
    private final Runnable added;

    /** @param added run after each commit that holds a delivery to be sent; must only hand the signal on */
    public HookDeliveryWriter(DeliveryRepository deliveryRepository, ChannelRegistry channelRegistry, Runnable added) {
        this.deliveryRepository = deliveryRepository;
        this.channelRegistry = channelRegistry;
        this.added = added;
    }

    /**
     * A first state of a delivery.
     *
     * @param nextAt when it is due, in epoch milliseconds; null if it has ended or collects further requests
     * @param reason why it has failed; null if it has not
     * @param finishedAt when it has ended, in epoch milliseconds; null if it has not
     */
    private record FirstState(
            DeliveryState state, @Nullable Long nextAt, @Nullable String reason, @Nullable Long finishedAt) {

        static final FirstState COLLECTING = new FirstState(DeliveryState.PENDING, null, null, null);
    }

    /** A delivery that collects requests. */
    private record Collecting(Recipient recipient, @Nullable TraceContext trace) {}

    @Override
    public List<Boolean> run(SqlTransaction sql, List<OutboxEntry> entries) throws SQLException {
        List<@Nullable Object[]> rows = new ArrayList<>();
        boolean isAnyDue = false;
        for (OutboxEntry entry : entries) {
            if (entry instanceof OutboxEntry.Accepted accepted) {
                Recipient recipient = completed(accepted.recipient());
                FirstState first = accepted.isCollecting()
                        ? FirstState.COLLECTING
                        : begin(sql, accepted.deliveryId(), recipient, accepted.trace(), accepted.at());
                rows.add(row(accepted, recipient, first));
                isAnyDue |= first.nextAt() != null;
            } else if (entry instanceof OutboxEntry.Collected collected) {
                isAnyDue |= begin(sql, collected);
            }
        }
        if (!rows.isEmpty()) {
            sql.batch(INSERT, rows);
        }
        if (isAnyDue) {
            sql.afterCommit(added);
        }
        return entries.stream().map(entry -> true).toList();
    }

    private Recipient completed(Recipient recipient) {
        return recipient.to() == null ? channelRegistry.defaultRecipient(recipient.channel()) : recipient;
    }

    private boolean begin(SqlTransaction sql, OutboxEntry.Collected collected) throws SQLException {
        Optional<Collecting> collecting = sql.first(
                FIND,
                row -> new Collecting(
                        new Recipient(row.text("channel"), row.textOrNull("recipient")),
                        TraceContext.read(row.textOrNull("trace_context"))),
                collected.deliveryId());
        if (collecting.isEmpty()) {
            return false;
        }
        FirstState first = begin(
                sql,
                collected.deliveryId(),
                collecting.get().recipient(),
                collecting.get().trace(),
                collected.at());
        sql.update(
                BEGIN,
                collected.text(),
                collected.items(),
                first.state().wire(),
                first.nextAt(),
                first.reason(),
                first.finishedAt(),
                collected.deliveryId());
        return first.nextAt() != null;
    }

    private FirstState begin(SqlTransaction sql, String id, Recipient recipient, @Nullable TraceContext trace, long at)
            throws SQLException {
        if (recipient.channel().equals(Recipient.INBOX)) {
            deliveryRepository.countEnd(sql, true, DeliveryState.DELIVERED);
            return new FirstState(DeliveryState.DELIVERED, null, null, at);
        }
        @Nullable String whyNot = channelRegistry.whyNot(recipient.channel(), recipient.to());
        if (whyNot != null) {
            deliveryRepository.failAtOnce(
                    sql,
                    new DeliveryFailure(id, recipient.channel(), recipient.to(), null, null, false, trace, whyNot),
                    Instant.ofEpochMilli(at));
            return new FirstState(DeliveryState.FAILED, null, whyNot, at);
        }
        return new FirstState(DeliveryState.PENDING, at, null, null);
    }

    private static @Nullable Object[] row(OutboxEntry.Accepted accepted, Recipient recipient, FirstState first) {
        return new @Nullable Object[] {
            accepted.deliveryId(),
            recipient.channel(),
            recipient.to(),
            accepted.text(),
            first.state().wire(),
            first.nextAt(),
            first.reason(),
            accepted.at(),
            first.finishedAt(),
            accepted.hook(),
            accepted.requestId(),
            accepted.sender(),
            accepted.limitedMapping(),
            TraceContext.textOf(accepted.trace())
        };
    }
}
