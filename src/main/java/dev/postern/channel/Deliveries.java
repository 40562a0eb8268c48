package dev.postern.channel;

import dev.postern.model.DeliveryState;
import dev.postern.model.Ids;
import dev.postern.model.Recipient;
import dev.postern.model.RunId;
import dev.postern.store.Sql;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * The outbox: the {@code delivery} table. A row is there before the first request goes out, so that a crash loses no
 * reply; it may send one twice.
 */
public final class Deliveries {

    /** For so long a delivery that was begun is nobody else's; after it the sender has crashed. */
    static final Duration LEASE = Duration.ofMinutes(2);

    private final Channels channels;
    private final Ids ids;
    private final Map<DeliveryState, LongAdder> ended = new EnumMap<>(DeliveryState.class);

    public Deliveries(Channels channels, Ids ids) {
        this.channels = channels;
        this.ids = ids;
        for (DeliveryState state : DeliveryState.values()) {
            ended.put(state, new LongAdder());
        }
    }

    /**
     * A reply and where it is to go.
     *
     * @param run null for what a heartbeat had to say
     */
    public record Reply(@Nullable RunId run, String agentId, Recipient recipient, String text) {}

    /** A delivery whose time has come; {@code attempts} counts the one that begins. */
    record Due(String channel, Channel.Message message, int attempts, Instant createdAt) {}

    /** What was made of a reply: the channel that was chosen, and the state of its delivery. */
    public record Added(String channel, DeliveryState state) {}

    /**
     * Adds the row of a reply: delivered when it goes to the inbox, failed with its reason when the channel can't be
     * used, else pending.
     */
    public Added add(Sql sql, Reply reply, Instant now) throws SQLException {
        Recipient target = route(sql, reply.agentId(), reply.recipient());
        if (target.channel().equals(Recipient.INBOX)) {
            return insert(sql, reply, target, DeliveryState.DELIVERED, null, now);
        }
        if (channels.find(target.channel()).isEmpty()) {
            return insert(sql, reply, target, DeliveryState.FAILED, channels.whyNot(target.channel()), now);
        }
        return insert(sql, reply, target, DeliveryState.PENDING, null, now);
    }

    /** Adds the row of a reply that is held back, since it is only an acknowledgement, or empty. */
    public Added suppress(Sql sql, Reply reply, Instant now) throws SQLException {
        Recipient target = route(sql, reply.agentId(), reply.recipient());
        return insert(sql, reply, target, DeliveryState.SUPPRESSED, null, now);
    }

    private Added insert(
            Sql sql, Reply reply, Recipient target, DeliveryState state, @Nullable String reason, Instant now)
            throws SQLException {
        boolean pending = state == DeliveryState.PENDING;
        sql.update(
                """
                INSERT INTO delivery (id, run_id, agent_id, channel, recipient, text, state, attempts, next_at, reason,
                    created_at, finished_at)
                VALUES (?, ?, ?, ?, ?, ?, ?, 0, ?, ?, ?, ?)
                """,
                ids.of("dlv"),
                reply.run() == null ? null : reply.run().value(),
                reply.agentId(),
                target.channel(),
                target.to(),
                reply.text(),
                state.wire(),
                pending ? now.toEpochMilli() : null,
                reason,
                now.toEpochMilli(),
                pending ? null : now.toEpochMilli());
        if (!pending) {
            sql.afterCommit(() -> count(state).increment());
        }
        return new Added(target.channel(), state);
    }

    /**
     * Where a reply of {@code agentId} goes. What is left open, the channel by {@code last} and the recipient by null,
     * is as in the agent's latest delivery to a channel; the inbox is never remembered, since it is where things go
     * that have no other place.
     */
    private Recipient route(Sql sql, String agentId, Recipient asked) throws SQLException {
        boolean last = asked.channel().equals(Recipient.LAST);
        if (!last && (asked.to() != null || asked.channel().equals(Recipient.INBOX))) {
            return asked;
        }
        Recipient latest = latest(sql, agentId, last ? null : asked.channel());
        if (asked.to() != null) {
            return new Recipient(latest.channel(), asked.to());
        }
        return latest;
    }

    private Recipient latest(Sql sql, String agentId, @Nullable String channel) throws SQLException {
        return sql.first(
                        """
                        SELECT channel, recipient FROM delivery
                        WHERE agent_id = ? AND channel <> 'inbox' AND state IN ('pending', 'delivered')
                            AND channel = COALESCE(?, channel)
                        ORDER BY created_at DESC, id DESC LIMIT 1
                        """,
                        row -> new Recipient(row.text("channel"), row.textOrNull("recipient")),
                        agentId,
                        channel)
                .orElseGet(() -> new Recipient(channel == null ? channels.fallback() : channel, null));
    }

    /** Begins an attempt at up to {@code max} pending deliveries whose time has come, in the order of their adding. */
    List<Due> claim(Sql sql, Instant now, int max) throws SQLException {
        List<Due> due = sql.query(
                """
                UPDATE delivery SET attempts = attempts + 1, next_at = ?
                WHERE id IN (SELECT id FROM delivery WHERE state = 'pending' AND next_at <= ?
                    ORDER BY next_at LIMIT ?"""
                        + sql.dialect().forUpdateSkipLocked()
                        + ") RETURNING id, run_id, agent_id, channel, recipient, text, attempts, created_at",
                row -> new Due(
                        row.text("channel"),
                        new Channel.Message(
                                row.text("id"),
                                row.textOrNull("run_id"),
                                row.text("agent_id"),
                                row.textOrNull("recipient"),
                                1,
                                1,
                                row.text("text")),
                        row.count("attempts"),
                        row.instant("created_at")),
                now.plus(LEASE).toEpochMilli(),
                now.toEpochMilli(),
                max);
        return due.stream().sorted(Comparator.comparing(Due::createdAt)).toList();
    }

    /** Notes that a delivery is to be tried again at {@code at}. */
    void postpone(Sql sql, Due due, Instant at, String reason) throws SQLException {
        sql.update(
                "UPDATE delivery SET next_at = ?, reason = ? WHERE id = ? AND state = 'pending'",
                at.toEpochMilli(),
                reason,
                due.message().deliveryId());
    }

    /** Notes a delivery's end; {@code reason} is null when it was delivered. */
    void end(Sql sql, Due due, DeliveryState state, @Nullable String reason, Instant at) throws SQLException {
        int changed = sql.update(
                """
                UPDATE delivery SET state = ?, reason = ?, next_at = NULL, finished_at = ?
                WHERE id = ? AND state = 'pending'
                """,
                state.wire(),
                reason,
                at.toEpochMilli(),
                due.message().deliveryId());
        sql.afterCommit(() -> count(state).add(changed));
    }

    /** How many deliveries have ended in {@code state} here, counted since the start. */
    public long ended(DeliveryState state) {
        return count(state).sum();
    }

    /** How many deliveries are still to be sent, by whichever node. */
    public long pending(Sql sql) throws SQLException {
        return sql.first("SELECT COUNT(*) AS n FROM delivery WHERE next_at IS NOT NULL", row -> row.number("n"))
                .orElseThrow();
    }

    private LongAdder count(DeliveryState state) {
        return Objects.requireNonNull(ended.get(state));
    }

    /**
     * Drops up to {@code max} deliveries that ended before {@code before}, save each agent's latest target; returns how
     * many.
     */
    public int prune(Sql sql, Instant before, int max) throws SQLException {
        return sql.update(
                """
                DELETE FROM delivery WHERE id IN (SELECT id FROM delivery WHERE finished_at < ?
                    AND NOT (channel <> 'inbox' AND state = 'delivered'
                        AND created_at = (SELECT MAX(latest.created_at) FROM delivery latest
                            WHERE latest.agent_id = delivery.agent_id AND latest.channel <> 'inbox'
                                AND latest.state = 'delivered'))
                    ORDER BY finished_at LIMIT ?)
                """,
                before.toEpochMilli(),
                max);
    }
}
