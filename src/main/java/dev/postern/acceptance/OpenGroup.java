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
 * An open group: the requests that have become one run or event so far. Immutable.
 *
 * @param id the hash of what its requests share
 * @param actionId the id of the run or event; empty if no request was accepted yet
 * @param session the session in which it takes its place when the group closes
 * @param turnQueue the id of the run's queue among {@link TurnQueues}; null for an event
 * @param asksHeartbeat whether the event requests a heartbeat
 * @param openedAt when its first request was accepted, in epoch milliseconds
 * @param dueAt when it closes, in epoch milliseconds
 * @param items the number of its requests
 * @param characters the number of characters that are kept of their texts
 */
record OpenGroup(
        String id,
        String actionId,
        SessionId session,
        String agentId,
        @Nullable String turnQueue,
        boolean asksHeartbeat,
        long openedAt,
        long dueAt,
        int items,
        int characters) {

    static final String COLUMNS =
            "id, action_id, session_key, agent_id, turn_queue, asks_heartbeat, opened_at, due_at, items, characters";

    /** The most characters of the texts of a run, beyond those of a single one. */
    private static final int MAX_RUN_CHARACTERS = 200_000;

    /** The most characters of the texts of an event, beyond those of a single one: as many as a heartbeat shows of it. */
    private static final int MAX_EVENT_CHARACTERS = 20_000;

    static OpenGroup of(ResultRow row) throws SQLException {
        return new OpenGroup(
                row.text("id"),
                row.text("action_id"),
                new SessionId(row.text("session_key")),
                row.text("agent_id"),
                row.textOrNull("turn_queue"),
                row.flag("asks_heartbeat"),
                row.number("opened_at"),
                row.number("due_at"),
                row.count("items"),
                row.count("characters"));
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
            String queue = TurnQueues.id(
                    turn.operatorInstructions().priority(), turn.provenance().hook());
            return new OpenGroup(
                    request.groupId(), receipt.name(), session, turn.agentId(), queue, false, now, due, 1, characters);
        }
        boolean asksHeartbeat = ((AllowedAction.Wake) action).mode() == WakeMode.NOW;
        return new OpenGroup(
                request.groupId(),
                receipt.name(),
                SessionId.mainOf(action.agentId()),
                action.agentId(),
                null,
                asksHeartbeat,
                now,
                due,
                1,
                characters);
    }

    /** The untrusted content of {@code action}. */
    static String text(AllowedAction action) {
        return action instanceof AllowedAction.Turn turn ? turn.message() : ((AllowedAction.Wake) action).text();
    }

    /** Whether the group may take one more request with {@code text} at {@code now}. */
    boolean hasRoom(CoalescingRule rule, String text, long now) {
        int most = turnQueue == null ? MAX_EVENT_CHARACTERS : MAX_RUN_CHARACTERS;
        return now < dueAt && items < rule.maxItems() && (rule.latestOnly() || characters + text.length() <= most);
    }

    /** The same group with one more request, of {@code text}. */
    OpenGroup joined(CoalescingRule rule, String text, long now) {
        return new OpenGroup(
                id,
                actionId,
                session,
                agentId,
                turnQueue,
                asksHeartbeat,
                openedAt,
                Math.max(dueAt, due(rule, openedAt, now)),
                items + 1,
                rule.latestOnly() ? text.length() : characters + text.length());
    }

    /** The receipt of each of its requests. */
    Receipt receipt() {
        return turnQueue == null
                ? new Receipt.Event(new EventId(actionId), asksHeartbeat ? WakeMode.NOW : WakeMode.NEXT_HEARTBEAT)
                : new Receipt.Run(new RunId(actionId), session.key());
    }

    private static long due(CoalescingRule rule, long openedAt, long now) {
        return Math.min(
                now + rule.window().toMillis(), openedAt + rule.maxWait().toMillis());
    }
}
