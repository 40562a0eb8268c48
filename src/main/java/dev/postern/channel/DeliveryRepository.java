package dev.postern.channel;

import dev.postern.model.DeliveryState;
import dev.postern.model.IdGenerator;
import dev.postern.model.Recipient;
import dev.postern.model.RunId;
import dev.postern.model.RunState;
import dev.postern.model.SessionId;
import dev.postern.store.SqlTransaction;
import java.sql.SQLException;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The outbox: the {@code delivery} table. A row is there before the first request goes out, so that a crash loses no
 * reply; a part of one may be sent twice.
 */
public final class DeliveryRepository {

    /** How much of a recipient is told in a line. */
    private static final int MAX_TO = 100;

    private final ChannelRegistry channelRegistry;
    private final ReplyRouter routes;
    private final IdGenerator idGenerator;
    private final Map<DeliveryState, LongAdder> ended = new EnumMap<>(DeliveryState.class);

    /**
     * @param heartbeats where an agent's heartbeats are to go, by its id; empty where nowhere
     */
    public DeliveryRepository(
            ChannelRegistry channelRegistry,
            IdGenerator idGenerator,
            Function<String, Optional<Recipient>> heartbeats) {
        this.channelRegistry = channelRegistry;
        this.routes = new ReplyRouter(channelRegistry, heartbeats);
        this.idGenerator = idGenerator;
        for (DeliveryState state : DeliveryState.values()) {
            ended.put(state, new LongAdder());
        }
    }

    /**
     * A reply and where it is to go.
     *
     * @param run null for what a heartbeat had to say
     * @param outcome the run's
     * @param session in which it was said
     * @param text why there is no reply, unless the run succeeded
     */
    public record Reply(@Nullable RunId run, RunState outcome, SessionId session, Recipient recipient, String text) {}

    /**
     * What was made of a reply: the channel that was chosen, and the state of its delivery.
     *
     * @param failure what to tell the agent's main session of a delivery that has failed at once; null otherwise
     */
    public record Added(String channel, DeliveryState state, @Nullable String failure) {}

    /**
     * Adds the row of a reply: delivered when it goes to the inbox, failed with its reason when the channel can't be
     * used or there is no recipient in its form, else pending.
     */
    public Added add(SqlTransaction sql, Reply reply, Instant now) throws SQLException {
        Recipient target = routes.resolve(sql, reply.session(), reply.recipient());
        if (target.channel().equals(Recipient.INBOX)) {
            return insert(sql, reply, target, DeliveryState.DELIVERED, null, now);
        }
        @Nullable String whyNot = channelRegistry.whyNot(target.channel(), target.to());
        return insert(sql, reply, target, whyNot == null ? DeliveryState.PENDING : DeliveryState.FAILED, whyNot, now);
    }

    /**
     * Adds the row of a run that has no reply, where the recipient's channel is told of those too.
     *
     * @return null where it is not, and nothing was added
     */
    public @Nullable Added addFailure(SqlTransaction sql, Reply reply, Instant now) throws SQLException {
        Recipient target = routes.resolve(sql, reply.session(), reply.recipient());
        return channelRegistry
                        .find(target.channel())
                        .filter(Channel::tellsFailures)
                        .isPresent()
                ? insert(sql, reply, target, DeliveryState.PENDING, null, now)
                : null;
    }

    /** Adds the row of a reply that is held back, since it is only an acknowledgement, or empty. */
    public Added suppress(SqlTransaction sql, Reply reply, Instant now) throws SQLException {
        Recipient target = routes.resolve(sql, reply.session(), reply.recipient());
        return insert(sql, reply, target, DeliveryState.SUPPRESSED, null, now);
    }

    private Added insert(
            SqlTransaction sql,
            Reply reply,
            Recipient target,
            DeliveryState state,
            @Nullable String reason,
            Instant now)
            throws SQLException {
        boolean pending = state == DeliveryState.PENDING;
        sql.update(
                """
                INSERT INTO delivery (id, run_id, outcome, agent_id, session, named, channel, recipient, text, state, attempts,
                    next_at, reason, created_at, finished_at, seq)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, ?, ?, ?, ?,
                    (SELECT COALESCE(MAX(seq), 0) + 1 FROM delivery))
                """,
                idGenerator.of("dlv"),
                reply.run() == null ? null : reply.run().value(),
                reply.outcome().wire(),
                reply.session().agentId(),
                reply.session().value(),
                reply.recipient().namesChannel(),
                target.channel(),
                target.to(),
                reply.text(),
                state.wire(),
                pending ? now.toEpochMilli() : null,
                reason,
                now.toEpochMilli(),
                pending ? null : now.toEpochMilli());
        if (!pending) {
            countAfterCommit(sql, state);
        }
        String failure = state == DeliveryState.FAILED ? failure(target.channel(), target.to(), reason) : null;
        return new Added(target.channel(), state, failure);
    }

    /** Where a reply of {@code session} to {@link Recipient#LAST} would go now. */
    public Recipient last(SqlTransaction sql, SessionId session) throws SQLException {
        return routes.resolve(sql, session, Recipient.last());
    }

    /** The line that tells an agent's main session of a delivery that has failed. */
    static String failure(String channel, @Nullable String to, @Nullable String reason) {
        String whom = to == null ? "" : " (" + (to.length() > MAX_TO ? to.substring(0, MAX_TO) + "…" : to) + ")";
        return "Delivery to " + channel + whom + " failed: " + reason;
    }

    /** Counts a delivery that has ended in {@code state}, unless that is undone. */
    void countAfterCommit(SqlTransaction sql, DeliveryState state) {
        sql.afterCommit(() -> count(state).increment());
    }

    /** How many deliveries have ended in {@code state} here, counted since the start. */
    public long ended(DeliveryState state) {
        return count(state).sum();
    }

    /** How many deliveries are still to be sent, by whichever node. */
    public long pending(SqlTransaction sql) throws SQLException {
        return sql.first("SELECT COUNT(*) AS n FROM delivery WHERE next_at IS NOT NULL", row -> row.number("n"))
                .orElseThrow();
    }

    private LongAdder count(DeliveryState state) {
        return Objects.requireNonNull(ended.get(state));
    }

    /**
     * Drops up to {@code max} deliveries that ended before {@code before}, save the route on each channel of each session that
     * there is; returns how many.
     */
    public int prune(SqlTransaction sql, Instant before, int max) throws SQLException {
        List<String> old = sql.query(
                """
                SELECT id FROM delivery WHERE finished_at < ?
                    AND NOT (named = 1 AND state = 'delivered' AND EXISTS (SELECT 1 FROM session WHERE key = delivery.session)
                        AND seq = (SELECT MAX(latest.seq) FROM delivery latest
                            WHERE latest.session = delivery.session AND latest.channel = delivery.channel
                                AND latest.named = 1 AND latest.state = 'delivered'))
                    ORDER BY finished_at LIMIT ?
                """,
                row -> row.text("id"),
                before.toEpochMilli(),
                max);
        for (String id : old) {
            sql.update("DELETE FROM delivery_part WHERE delivery_id = ?", id);
            sql.update("DELETE FROM delivery WHERE id = ?", id);
        }
        return old.size();
    }
}
