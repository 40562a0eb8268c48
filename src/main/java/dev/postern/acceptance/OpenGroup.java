package dev.postern.acceptance;

import dev.postern.model.AllowedAction;
import dev.postern.model.CoalescingRule;
import dev.postern.model.EventId;
import dev.postern.model.Receipt;
import dev.postern.model.RunId;
import dev.postern.model.SessionId;
import dev.postern.model.WakeMode;
import dev.postern.store.ResultRow;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * An open group: the requests that have become one run, event or delivery so far. Immutable.
 *
 * @param id the hash of what its requests share
 * @param kind the kind of its action
 * @param actionId the id of the run, event or delivery; empty if no request was accepted yet
 * @param session the session in which it takes its place when the group closes; without meaning for a delivery
 * @param agentId the agent of the session; empty for a delivery
 * @param turnQueue the id of the run's queue among {@link TurnQueues}; null for an event or a delivery
 * @param asksHeartbeat whether the event requests a heartbeat
 * @param openedAt when its first request was accepted, in epoch milliseconds
 * @param dueAt when it closes, in epoch milliseconds
 * @param items the number of its requests
 * @param characters the number of characters that are kept of their texts
 */
record OpenGroup(
        String id,
        Kind kind,
        String actionId,
        SessionId session,
        String agentId,
        @Nullable String turnQueue,
        boolean asksHeartbeat,
        long openedAt,
        long dueAt,
        int items,
        int characters) {

    /** The due time of the group of a delivery is in a column of its own, which only programs that know such groups read. */
    static final String COLUMNS =
            "id, action_id, session_key, agent_id, turn_queue, asks_heartbeat, opened_at, delivery_due_at,"
                    + " due_at, items, characters";

    /** The kind of action that the requests of a group become. */
    enum Kind {
        RUN,
        EVENT,
        DELIVERY
    }

    /** The session of the group of a delivery, which has none. */
    private static final SessionId NO_SESSION = new SessionId("");

    /** The most characters of the texts of a run, beyond those of a single one. */
    private static final int MAX_RUN_CHARACTERS = 200_000;

    /**
     * The most characters of the texts of an event or a delivery, beyond those of a single one: as many as a heartbeat shows
     * of an event.
     */
    private static final int MAX_SHORT_CHARACTERS = 20_000;

    static OpenGroup of(ResultRow row) throws SQLException {
        @Nullable Long deliveryDueAt = row.numberOrNull("delivery_due_at");
        Kind ofTurn = row.textOrNull("turn_queue") == null ? Kind.EVENT : Kind.RUN;
        return new OpenGroup(
                /* id= */ row.text("id"),
                /* kind= */ deliveryDueAt == null ? ofTurn : Kind.DELIVERY,
                /* actionId= */ row.text("action_id"),
                /* session= */ new SessionId(row.text("session_key")),
                /* agentId= */ row.text("agent_id"),
                /* turnQueue= */ row.textOrNull("turn_queue"),
                /* asksHeartbeat= */ row.flag("asks_heartbeat"),
                /* openedAt= */ row.number("opened_at"),
                /* dueAt= */ deliveryDueAt == null ? row.number("due_at") : deliveryDueAt,
                /* items= */ row.count("items"),
                /* characters= */ row.count("characters"));
    }

    /** The group {@code request} opened with the only action of {@code first}. */
    static OpenGroup opened(CoalescingRequest request, PreparedSubmission first) {
        long now = first.acceptedAt();
        AllowedAction action = first.submission().actions().get(0);
        Receipt receipt = first.receipts().get(0);
        long due = due(request.rule(), now, now);
        int characters = text(action).length();
        if (action instanceof AllowedAction.Turn turn) {
            SessionId session = SessionId.of(turn.agentId(), ((Receipt.Run) receipt).sessionKey());
            return new OpenGroup(
                    /* id= */ request.groupId(),
                    /* kind= */ Kind.RUN,
                    /* actionId= */ receipt.name(),
                    session,
                    turn.agentId(),
                    /* turnQueue= */ TurnQueues.id(turn),
                    /* asksHeartbeat= */ false,
                    /* openedAt= */ now,
                    /* dueAt= */ due,
                    /* items= */ 1,
                    characters);
        }
        if (action instanceof AllowedAction.DirectDelivery) {
            return new OpenGroup(
                    /* id= */ request.groupId(),
                    /* kind= */ Kind.DELIVERY,
                    /* actionId= */ receipt.name(),
                    /* session= */ NO_SESSION,
                    /* agentId= */ "",
                    /* turnQueue= */ null,
                    /* asksHeartbeat= */ false,
                    /* openedAt= */ now,
                    /* dueAt= */ due,
                    /* items= */ 1,
                    characters);
        }
        AllowedAction.Wake wake = (AllowedAction.Wake) action;
        return new OpenGroup(
                /* id= */ request.groupId(),
                /* kind= */ Kind.EVENT,
                /* actionId= */ receipt.name(),
                /* session= */ SessionId.mainOf(wake.agentId()),
                wake.agentId(),
                /* turnQueue= */ null,
                /* asksHeartbeat= */ wake.mode() == WakeMode.NOW,
                /* openedAt= */ now,
                /* dueAt= */ due,
                /* items= */ 1,
                characters);
    }

    /** The untrusted content of {@code action}. */
    static String text(AllowedAction action) {
        if (action instanceof AllowedAction.DirectDelivery delivery) {
            return delivery.text();
        }
        return action instanceof AllowedAction.Turn turn ? turn.message() : ((AllowedAction.Wake) action).text();
    }

    /** Whether the group may take one more request with {@code text} at {@code now}. */
    boolean hasRoom(CoalescingRule rule, String text, long now) {
        int most = kind == Kind.RUN ? MAX_RUN_CHARACTERS : MAX_SHORT_CHARACTERS;
        return now < dueAt && items < rule.maxItems() && (rule.latestOnly() || characters + text.length() <= most);
    }

    /** The same group with one more request, of {@code text}. */
    OpenGroup joined(CoalescingRule rule, String text, long now) {
        return new OpenGroup(
                id,
                kind,
                actionId,
                session,
                agentId,
                turnQueue,
                asksHeartbeat,
                openedAt,
                /* dueAt= */ Math.max(dueAt, due(rule, openedAt, now)),
                /* items= */ items + 1,
                /* characters= */ rule.latestOnly() ? text.length() : characters + text.length());
    }

    /** The receipt of each of its requests. */
    Receipt receipt() {
        return switch (kind) {
            case RUN -> new Receipt.Run(new RunId(actionId), session.key());
            case EVENT ->
                new Receipt.Event(new EventId(actionId), asksHeartbeat ? WakeMode.NOW : WakeMode.NEXT_HEARTBEAT);
            case DELIVERY -> new Receipt.Delivery(actionId);
        };
    }

    private static long due(CoalescingRule rule, long openedAt, long now) {
        return Math.min(
                now + rule.window().toMillis(), openedAt + rule.maxWait().toMillis());
    }
}
