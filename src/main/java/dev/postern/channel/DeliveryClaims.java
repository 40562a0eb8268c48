package dev.postern.channel;

import dev.postern.channel.text.MessagePart;
import dev.postern.model.RunState;
import dev.postern.model.TraceContext;
import dev.postern.store.SqlTransaction;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The claims of a node on the deliveries that it sends, in the tables of {@link DeliveryRepository}. A claim lasts until
 * the delivery is postponed, released or ended, or the node is removed as dead. Attempts are numbered: a result of a lost
 * attempt changes nothing, even if the same node has claimed the delivery again meanwhile.
 *
 * <p>A worker reserves a delivery before it claims it, and cancels the reservation after its attempt. So a claim without
 * a reservation is a forgotten one: its worker had to leave it, or never learnt that the database had stored it.
 */
final class DeliveryClaims {

    /** A claim counts as long as its node is alive. */
    static final String FREE = "(sender IS NULL OR sender NOT IN (SELECT id FROM node))";

    /** Jumps from channel to channel in the index delivery_order. */
    private static final String CHANNELS =
            """
            WITH RECURSIVE place(channel) AS (
                SELECT (SELECT first.channel FROM delivery AS first WHERE first.next_at IS NOT NULL
                    ORDER BY first.channel LIMIT 1)
                UNION ALL
                SELECT (SELECT later.channel FROM delivery AS later WHERE later.next_at IS NOT NULL
                    AND later.channel > place.channel ORDER BY later.channel LIMIT 1)
                FROM place WHERE place.channel IS NOT NULL)
            SELECT channel FROM place WHERE channel IS NOT NULL""";

    /**
     * Jumps from recipient to recipient in the index delivery_order. The time it takes grows with their number, and not
     * with the deliveries that wait behind the first one of each.
     */
    private static final String FIRST_ONES =
            """
            WITH RECURSIVE place(recipient) AS (
                SELECT (SELECT COALESCE(first.recipient, '') FROM delivery AS first
                    WHERE first.channel = ? AND first.next_at IS NOT NULL
                    ORDER BY COALESCE(first.recipient, '') LIMIT 1)
                UNION ALL
                SELECT (SELECT COALESCE(later.recipient, '') FROM delivery AS later
                    WHERE later.channel = ? AND later.next_at IS NOT NULL
                    AND COALESCE(later.recipient, '') > place.recipient
                    ORDER BY COALESCE(later.recipient, '') LIMIT 1)
                FROM place WHERE place.recipient IS NOT NULL)
            SELECT id FROM delivery WHERE id IN (
                SELECT (SELECT waiting.id FROM delivery AS waiting WHERE waiting.channel = ?
                    AND COALESCE(waiting.recipient, '') = place.recipient AND waiting.next_at IS NOT NULL
                    ORDER BY waiting.seq LIMIT 1)
                FROM place WHERE place.recipient IS NOT NULL)
            AND next_at <= ?""";

    /** Finds nothing for a node that was removed as dead, because other nodes would claim the same deliveries. */
    private static final String ALIVE = " AND EXISTS (SELECT 1 FROM node WHERE id = ?)";

    private static final String DUE = FIRST_ONES + " AND " + FREE + ALIVE + " ORDER BY next_at, seq LIMIT ?";

    private static final String ANY_DUE = FIRST_ONES + " AND " + FREE + ALIVE + " LIMIT 1";

    private static final String CLAIMED = "SELECT id FROM delivery WHERE sender = ?";

    private static final String CLAIMABLE =
            """
            SELECT id FROM delivery WHERE id = ? AND next_at <= ? AND %s
            AND NOT EXISTS (SELECT 1 FROM delivery AS earlier WHERE earlier.channel = delivery.channel
                AND COALESCE(earlier.recipient, '') = COALESCE(delivery.recipient, '')
                AND earlier.next_at IS NOT NULL AND earlier.seq < delivery.seq)"""
                            .formatted(FREE)
                    + ALIVE;

    /**
     * Finds nothing while another delivery to the recipient is being sent. Nodes that share a database number at the same time, so a
     * delivery may show up with the same or a smaller number than one that was claimed before.
     */
    private static final String ALONE =
            """
             AND NOT EXISTS (SELECT 1 FROM delivery AS other WHERE other.sender IN (SELECT id FROM node)
                AND other.sender IS NOT NULL AND other.channel = delivery.channel
                AND COALESCE(other.recipient, '') = COALESCE(delivery.recipient, ''))""";

    /** Locks the recipient against claims of other nodes until the transaction ends; finds nothing if one of them has the lock. */
    private static final String LOCK =
            """
            SELECT 1 FROM delivery WHERE id = ?
            AND pg_try_advisory_xact_lock(hashtextextended(channel || '/' || COALESCE(recipient, ''), 0))""";

    /** Counts a claim that a node has left behind. One that was released, also by a stop between two parts, has no sender. */
    private static final String CLAIM =
            """
            UPDATE delivery SET sender = ?, attempts = attempts + 1,
                interrupted = interrupted + CASE WHEN sender IS NULL THEN 0 ELSE 1 END WHERE id = ?
            RETURNING id, attempts, run_id, outcome, agent_id, channel, recipient, created_at, text, event, failures,
                unclear, interrupted, trace_context""";

    private static final String OURS = " WHERE id = ? AND sender = ? AND attempts = ?";

    private static final String RELEASE = "UPDATE delivery SET sender = NULL" + OURS;

    private static final String RELEASE_FORGOTTEN = "UPDATE delivery SET sender = NULL WHERE id = ? AND sender = ?";

    private static final String HELD = "SELECT 1 FROM delivery" + OURS;

    /** A node that was removed as dead sends nothing more. */
    private static final String HELD_ALIVE = HELD + " AND sender IN (SELECT id FROM node)";

    private static final String WENT_ON =
            "UPDATE delivery SET failures = 0, unclear = 0, interrupted = 0, reason = NULL WHERE id = ?";

    private static final String POSTPONE =
            """
            UPDATE delivery SET sender = NULL, next_at = ?, failures = failures + 1, unclear = unclear + ?,
                interrupted = 0, reason = ? WHERE id = ?""";

    private final String node;
    private final DeliveryRepository deliveryRepository;
    private final UndeliveredReplyListener undelivered;
    private final Set<String> reserved = ConcurrentHashMap.newKeySet();

    DeliveryClaims(String node, DeliveryRepository deliveryRepository, UndeliveredReplyListener undelivered) {
        this.node = node;
        this.deliveryRepository = deliveryRepository;
        this.undelivered = undelivered;
    }

    /** Reserves the delivery {@code id} for one worker of this node; false if another one has reserved it. */
    boolean reserve(String id) {
        return reserved.add(id);
    }

    /** Cancels the reservation of the delivery {@code id}. */
    void cancelReservation(String id) {
        reserved.remove(id);
    }

    /** The ids of deliveries that this node has claimed although none of its workers has reserved them. */
    List<String> forgotten(SqlTransaction sql) throws SQLException {
        List<String> claimed = sql.query(CLAIMED, row -> row.text("id"), node);
        return claimed.stream().filter(id -> !reserved.contains(id)).toList();
    }

    /** Releases the {@link #forgotten} claims. Must run where claims are stored, so that none is stored meanwhile. */
    int releaseForgotten(SqlTransaction sql) throws SQLException {
        int released = 0;
        for (String id : forgotten(sql)) {
            released += sql.update(RELEASE_FORGOTTEN, id, node);
        }
        return released;
    }

    /** The channels with a delivery that is due and that no node is sending. */
    List<String> channels(SqlTransaction sql, Instant now) throws SQLException {
        List<String> channels = new ArrayList<>();
        for (String channel : sql.query(CHANNELS, row -> row.text("channel"))) {
            if (sql.first(ANY_DUE, row -> true, channel, channel, channel, now.toEpochMilli(), node)
                    .isPresent()) {
                channels.add(channel);
            }
        }
        return channels;
    }

    /** The ids of up to {@code max} deliveries that are due on {@code channel}, the first one of each recipient. */
    List<String> due(SqlTransaction sql, String channel, Instant now, int max) throws SQLException {
        return sql.query(DUE, row -> row.text("id"), channel, channel, channel, now.toEpochMilli(), node, max);
    }

    /** Releases {@code claimedDelivery}, whose remaining parts are not sent now. */
    int release(SqlTransaction sql, ClaimedDelivery claimedDelivery) throws SQLException {
        return sql.update(RELEASE, claimedDelivery.id(), node, claimedDelivery.attempt());
    }

    /** Claims the delivery {@code id}; empty unless it is due, nobody sends it, and none to its recipient is before it. */
    Optional<ClaimedDelivery> claim(SqlTransaction sql, String id, Instant now) throws SQLException {
        boolean isShared = sql.dialect().shared();
        if (isShared && sql.first(LOCK, row -> true, id).isEmpty()) {
            return Optional.empty();
        }
        String claimableNow =
                CLAIMABLE + (isShared ? ALONE : "") + sql.dialect().forUpdateSkipLocked();
        Optional<String> claimable = sql.first(claimableNow, row -> row.text("id"), id, now.toEpochMilli(), node);
        if (claimable.isEmpty()) {
            return Optional.empty();
        }
        return sql.first(
                CLAIM,
                row -> new ClaimedDelivery(
                        /* id= */ row.text("id"),
                        /* attempt= */ row.count("attempts"),
                        /* runId= */ row.textOrNull("run_id"),
                        /* outcome= */ RunState.of(row.text("outcome")),
                        /* agentId= */ DeliveryRepository.agentOf(row),
                        /* channel= */ row.text("channel"),
                        /* to= */ row.textOrNull("recipient"),
                        /* createdAt= */ row.instant("created_at"),
                        /* text= */ row.text("text"),
                        /* event= */ row.textOrNull("event"),
                        /* trace= */ TraceContext.read(row.textOrNull("trace_context")),
                        /* failures= */ row.count("failures"),
                        /* unclear= */ row.count("unclear"),
                        /* interrupted= */ row.count("interrupted")),
                node,
                id);
    }

    /** The stored parts of {@code claimedDelivery}; empty before the first attempt, and if the claim was lost. */
    List<ClaimedDelivery.Part> parts(SqlTransaction sql, ClaimedDelivery claimedDelivery) throws SQLException {
        return isHeld(sql, claimedDelivery, HELD_ALIVE) ? DeliveryPartTable.find(sql, claimedDelivery.id()) : List.of();
    }

    /** Stores the parts of {@code claimedDelivery}, so that a later attempt sends the same ones even if settings change. */
    List<ClaimedDelivery.Part> add(SqlTransaction sql, ClaimedDelivery claimedDelivery, List<MessagePart> contents)
            throws SQLException {
        return maySend(sql, claimedDelivery)
                ? DeliveryPartTable.add(sql, claimedDelivery.id(), 1, contents)
                : List.of();
    }

    /**
     * Replaces the parts of {@code claimedDelivery} from the number {@code from} on, none of which was sent.
     *
     * @return the new parts; empty if the claim was lost
     */
    List<ClaimedDelivery.Part> replace(
            SqlTransaction sql, ClaimedDelivery claimedDelivery, int from, List<MessagePart> contents)
            throws SQLException {
        if (!maySend(sql, claimedDelivery)) {
            return List.of();
        }
        DeliveryPartTable.delete(sql, claimedDelivery.id(), from);
        return DeliveryPartTable.add(sql, claimedDelivery.id(), from, contents);
    }

    /** Records that a part was sent, and with the last one that the delivery has ended; false if the claim was lost. */
    boolean sent(
            SqlTransaction sql,
            ClaimedDelivery claimedDelivery,
            ClaimedDelivery.Part part,
            boolean last,
            @Nullable String messageId,
            Instant at)
            throws SQLException {
        if (!isHeld(sql, claimedDelivery)) {
            return false;
        }
        DeliveryPartTable.markSent(sql, claimedDelivery.id(), part.number(), messageId, at);
        sql.update(WENT_ON, claimedDelivery.id());
        if (last) {
            deliveryRepository.deliver(sql, claimedDelivery.id(), claimedDelivery.isPendingAction(), at);
        }
        return true;
    }

    /**
     * Records that an attempt has failed and the next one is due at {@code at}; false if the claim was lost.
     *
     * @param isUnclear whether the attempt may have sent a part
     */
    boolean postpone(SqlTransaction sql, ClaimedDelivery claimedDelivery, Instant at, boolean isUnclear, String reason)
            throws SQLException {
        return isHeld(sql, claimedDelivery)
                && sql.update(POSTPONE, at.toEpochMilli(), isUnclear ? 1 : 0, reason, claimedDelivery.id()) == 1;
    }

    /** Records that the delivery has failed for ever, and notifies the listener; false if the claim was lost. */
    boolean fail(SqlTransaction sql, ClaimedDelivery claimedDelivery, String reason, Instant at) throws SQLException {
        if (!isHeld(sql, claimedDelivery)) {
            return false;
        }
        deliveryRepository.fail(sql, claimedDelivery.failure(reason), undelivered, at);
        return true;
    }

    /** Whether the claim is held by a node that is alive. */
    private boolean maySend(SqlTransaction sql, ClaimedDelivery claimedDelivery) throws SQLException {
        return isHeld(sql, claimedDelivery, HELD_ALIVE + sql.dialect().forUpdate());
    }

    private boolean isHeld(SqlTransaction sql, ClaimedDelivery claimedDelivery) throws SQLException {
        return isHeld(sql, claimedDelivery, HELD + sql.dialect().forUpdate());
    }

    private boolean isHeld(SqlTransaction sql, ClaimedDelivery claimedDelivery, String query) throws SQLException {
        return sql.first(query, row -> true, claimedDelivery.id(), node, claimedDelivery.attempt())
                .isPresent();
    }
}
