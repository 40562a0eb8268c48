package dev.postern.channel;

import dev.postern.model.DeliveryState;
import dev.postern.model.IdGenerator;
import dev.postern.model.Recipient;
import dev.postern.model.ReportedEventType;
import dev.postern.model.RunId;
import dev.postern.model.RunState;
import dev.postern.model.SessionId;
import dev.postern.model.TraceContext;
import dev.postern.store.ResultRow;
import dev.postern.store.SqlTransaction;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import java.util.function.ObjIntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The repository of deliveries, the {@code delivery} table. A row is stored before the first request is sent, so a crash
 * loses no reply; a part of a reply may be sent twice.
 */
public final class DeliveryRepository {

    private static final Logger LOG = System.getLogger(DeliveryRepository.class.getName());

    private static final String END =
            """
            UPDATE delivery SET sender = NULL, next_at = NULL, state = ?, reason = ?, finished_at = ? WHERE id = ?""";

    private final ChannelRegistry channelRegistry;
    private final ReplyRouter routes;
    private final IdGenerator idGenerator;
    private final EventReporter eventReporter;
    private final ObjIntConsumer<SqlTransaction> pendingActions;
    private final Map<DeliveryState, LongAdder> ended = new EnumMap<>(DeliveryState.class);

    /**
     * @param eventReporter reports the deliveries that fail
     * @param pendingActions counts the deliveries of hooks that are pending: takes 1 for one that is tried again, -1 for one
     *     that has ended, unless the transaction is rolled back
     * @param heartbeats the configured recipient of an agent's heartbeats, by the agent's id; empty if there is none
     */
    public DeliveryRepository(
            ChannelRegistry channelRegistry,
            IdGenerator idGenerator,
            EventReporter eventReporter,
            ObjIntConsumer<SqlTransaction> pendingActions,
            Function<String, Optional<Recipient>> heartbeats) {
        this.channelRegistry = channelRegistry;
        this.routes = new ReplyRouter(channelRegistry, heartbeats);
        this.idGenerator = idGenerator;
        this.eventReporter = eventReporter;
        this.pendingActions = pendingActions;
        for (DeliveryState state : DeliveryState.values()) {
            ended.put(state, new LongAdder());
        }
    }

    /**
     * A reply and its recipient.
     *
     * @param run null for the reply of a heartbeat
     * @param outcome the run's final state
     * @param session the session of the reply
     * @param text the reply, or the reason why there is none if the run did not succeed
     * @param trace the trace context that its delivery continues; null for none
     */
    public record Reply(
            @Nullable RunId run,
            RunState outcome,
            SessionId session,
            Recipient recipient,
            String text,
            @Nullable TraceContext trace) {

        /** A reply whose delivery continues no trace. */
        public Reply(@Nullable RunId run, RunState outcome, SessionId session, Recipient recipient, String text) {
            this(run, outcome, session, recipient, text, null);
        }
    }

    /**
     * A question to operators about a run. It is no reply: it changes no route, and is not shown to the run's sender.
     *
     * @param session the session of the run
     * @param recipient names a channel
     * @param trace the trace context that its delivery continues; null for none
     */
    public record Question(
            RunId run, SessionId session, Recipient recipient, String text, @Nullable TraceContext trace) {}

    /**
     * The delivery that was added for a reply: its channel and its state.
     *
     * @param failure text of the event for the agent's main session if the delivery has failed at once; null otherwise
     */
    public record Added(String channel, DeliveryState state, @Nullable String failure) {}

    /**
     * Adds the delivery of a reply: delivered if it goes to the inbox, failed with a reason if the channel can't be used or
     * rejects the recipient, else pending.
     */
    public Added add(SqlTransaction sql, Reply reply, Instant now) throws SQLException {
        return add(sql, reply, null, routes.resolve(sql, reply.session(), reply.recipient()), now);
    }

    /** Adds the delivery of a question, as {@link #add} does. */
    public Added addQuestion(SqlTransaction sql, Question question, Instant now) throws SQLException {
        Recipient recipient = question.recipient();
        Recipient target = recipient.to() == null ? channelRegistry.defaultRecipient(recipient.channel()) : recipient;
        Reply unrouted = new Reply(
                null, RunState.SUCCEEDED, question.session(), Recipient.last(), question.text(), question.trace());
        return add(sql, unrouted, question.run(), target, now);
    }

    private Added add(SqlTransaction sql, Reply reply, @Nullable RunId about, Recipient target, Instant now)
            throws SQLException {
        if (target.channel().equals(Recipient.INBOX)) {
            return insert(sql, reply, about, target, DeliveryState.DELIVERED, null, now);
        }
        @Nullable String whyNot = channelRegistry.whyNot(target.channel(), target.to());
        DeliveryState state = whyNot == null ? DeliveryState.PENDING : DeliveryState.FAILED;
        return insert(sql, reply, about, target, state, whyNot, now);
    }

    /**
     * Adds the delivery of a run that has no reply, if the recipient's channel gets those too, as {@link #add} does.
     *
     * @return null if it does not; then nothing was added
     */
    public @Nullable Added addFailure(SqlTransaction sql, Reply reply, Instant now) throws SQLException {
        Recipient target = routes.resolve(sql, reply.session(), reply.recipient());
        return channelRegistry
                        .find(target.channel())
                        .filter(Channel::tellsFailures)
                        .isPresent()
                ? add(sql, reply, null, target, now)
                : null;
    }

    /** Adds the delivery of a reply that is not sent because it is only an acknowledgement, or empty. */
    public Added suppress(SqlTransaction sql, Reply reply, Instant now) throws SQLException {
        Recipient target = routes.resolve(sql, reply.session(), reply.recipient());
        return insert(sql, reply, null, target, DeliveryState.SUPPRESSED, null, now);
    }

    /**
     * Moves the times after {@code now} at which deliveries are due back.
     *
     * @param by how far the clock was set back
     */
    public void moveBack(SqlTransaction sql, Instant now, Duration by) throws SQLException {
        sql.update(
                "UPDATE delivery SET next_at = next_at - ? WHERE next_at IS NOT NULL AND next_at > ?",
                by.toMillis(),
                now.toEpochMilli());
    }

    private Added insert(
            SqlTransaction sql,
            Reply reply,
            @Nullable RunId about,
            Recipient target,
            DeliveryState state,
            @Nullable String reason,
            Instant now)
            throws SQLException {
        boolean pending = state == DeliveryState.PENDING;
        String id = idGenerator.delivery();
        sql.update(
                """
                INSERT INTO delivery (id, run_id, about_run, outcome, agent_id, session, named, channel, recipient, text, state,
                    attempts, next_at, reason, created_at, finished_at, trace_context, seq)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, ?, ?, ?, ?, ?,
                    (SELECT COALESCE(MAX(seq), 0) + 1 FROM delivery))
                """,
                id,
                reply.run() == null ? null : reply.run().value(),
                about == null ? null : about.value(),
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
                pending ? null : now.toEpochMilli(),
                TraceContext.textOf(reply.trace()));
        if (state == DeliveryState.FAILED && reason != null) {
            @Nullable String run = reply.run() == null ? null : reply.run().value();
            DeliveryFailure failure = new DeliveryFailure(
                    id, target.channel(), target.to(), run, reply.session().agentId(), false, reply.trace(), reason);
            failAtOnce(sql, failure, now);
            return new Added(target.channel(), state, failure.text());
        }
        if (!pending) {
            countEnd(sql, false, state);
        }
        return new Added(target.channel(), state, null);
    }

    /** The recipient to which a reply of {@code session} to {@link Recipient#LAST} would go now. */
    public Recipient last(SqlTransaction sql, SessionId session) throws SQLException {
        return routes.resolve(sql, session, Recipient.last());
    }

    /** Ends the delivery {@code id}, all of which was sent, and counts it; {@code isPendingAction} as for {@link #countEnd}. */
    void deliver(SqlTransaction sql, String id, boolean isPendingAction, Instant now) throws SQLException {
        sql.update(END, DeliveryState.DELIVERED.wire(), null, now.toEpochMilli(), id);
        countEnd(sql, isPendingAction, DeliveryState.DELIVERED);
    }

    /** Ends a stored delivery that has failed: counts and reports it, and notifies {@code undelivered} if it has an agent. */
    void fail(SqlTransaction sql, DeliveryFailure failure, UndeliveredReplyListener undelivered, Instant now)
            throws SQLException {
        sql.update(END, DeliveryState.FAILED.wire(), failure.reason(), now.toEpochMilli(), failure.id());
        countFailure(sql, failure, now);
        @Nullable String agentId = failure.agentId();
        if (agentId != null) {
            undelivered.onUndelivered(sql, agentId, failure.runId(), failure.text());
        }
    }

    /** Counts, reports and logs {@code failure}, of a delivery that is stored as failed and never attempted. */
    void failAtOnce(SqlTransaction sql, DeliveryFailure failure, Instant now) throws SQLException {
        countFailure(sql, failure, now);
        sql.afterCommit(() -> LOG.log(
                Level.WARNING,
                "Delivery {0} on channel {1} failed: {2}",
                failure.label(),
                failure.channel(),
                failure.reason()));
    }

    /** Counts {@code failure}, and reports it to the channels that subscribe to failures, unless it is that of an event. */
    private void countFailure(SqlTransaction sql, DeliveryFailure failure, Instant now) throws SQLException {
        countEnd(sql, failure.isPendingAction(), DeliveryState.FAILED);
        if (!failure.isEvent()) {
            eventReporter.report(sql, ReportedEventType.DELIVERY_FAILED, failure.data(), failure.trace(), now);
        }
    }

    /** The agent in {@code row}; null for a delivery without one. */
    static @Nullable String agentOf(ResultRow row) throws SQLException {
        String id = row.text("agent_id");
        return id.isEmpty() ? null : id;
    }

    /**
     * Counts a delivery that has ended in {@code state} if the transaction commits.
     *
     * @param isPendingAction whether it was a pending action, which it is no more
     */
    void countEnd(SqlTransaction sql, boolean isPendingAction, DeliveryState state) {
        sql.afterCommit(() -> count(state).increment());
        if (isPendingAction) {
            pendingActions.accept(sql, -1);
        }
    }

    /** Counts a delivery that is tried again; {@code isPendingAction} says whether it is a pending action. */
    void countAgain(SqlTransaction sql, boolean isPendingAction) {
        if (isPendingAction) {
            pendingActions.accept(sql, 1);
        }
    }

    /** Number of deliveries that have ended in {@code state} on this node since its start. */
    public long ended(DeliveryState state) {
        return count(state).sum();
    }

    /** Number of deliveries that any node still has to send. */
    public long pending(SqlTransaction sql) throws SQLException {
        return sql.first("SELECT COUNT(*) AS n FROM delivery WHERE next_at IS NOT NULL", row -> row.number("n"))
                .orElseThrow();
    }

    private LongAdder count(DeliveryState state) {
        return Objects.requireNonNull(ended.get(state));
    }

    /**
     * Deletes up to {@code max} deliveries that ended before {@code before}, and returns their number. For each session
     * that exists it keeps the route on each channel: the latest delivered one that named the channel.
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
            DeliveryPartTable.delete(sql, id, 1);
            sql.update("DELETE FROM delivery WHERE id = ?", id);
        }
        return old.size();
    }
}
