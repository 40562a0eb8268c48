package dev.postern.acceptance;

import dev.postern.model.AllowedAction;
import dev.postern.model.HookResult;
import dev.postern.model.OutboxEntry;
import dev.postern.model.Receipt;
import dev.postern.model.SessionId;
import dev.postern.model.WakeMode;
import dev.postern.store.BatchWrite;
import dev.postern.store.SqlTransaction;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A batch of the rows of accepted submissions: their sessions, events, runs, deliveries and groups. */
final class SubmissionRows {

    private final SessionUpdateBatch sessions = new SessionUpdateBatch();
    private final EventBatch events = new EventBatch();
    private final RunBatch runs = new RunBatch();
    private final List<OutboxEntry> deliveries = new ArrayList<>();
    private final BatchWrite<OutboxEntry, Boolean> outbox;
    private final List<IdempotencyKeyTable.Joined> joinedKeys = new ArrayList<>();
    private final OpenGroupBatch groups;
    private boolean any;

    /**
     * @param groups the open groups of all submissions that may be added
     * @param outbox takes the deliveries
     */
    SubmissionRows(OpenGroupBatch groups, BatchWrite<OutboxEntry, Boolean> outbox) {
        this.groups = groups;
        this.outbox = outbox;
    }

    OpenGroupBatch groups() {
        return groups;
    }

    /** Whether a run or event waits for its turn now that did not before. */
    boolean isAnyReady() {
        return any || groups.isAnyClosing();
    }

    /** Adds a submission to its open group, as the group's next item. */
    HookResult join(PreparedSubmission preparedSubmission) {
        OpenGroup group = groups.add(preparedSubmission, sessions);
        HookResult.Accepted result = HookResult.Accepted.joined(group.receipt(), group.items());
        if (preparedSubmission.hasKey()) {
            joinedKeys.add(new IdempotencyKeyTable.Joined(preparedSubmission.requireKey(), result));
        }
        return result;
    }

    /**
     * Adds a submission with rows of its own.
     *
     * @param limitedMapping the id of the mapping that took the request, if that limits its pending actions
     */
    void add(PreparedSubmission preparedSubmission, @Nullable String limitedMapping) {
        boolean isGrouped = preparedSubmission.submission().coalescing() != null;
        if (isGrouped) {
            groups.add(preparedSubmission, sessions);
        }
        for (int i = 0; i < preparedSubmission.size(); i++) {
            AllowedAction action = preparedSubmission.submission().actions().get(i);
            if (action instanceof AllowedAction.Wake wake) {
                addWake(
                        preparedSubmission,
                        (Receipt.Event) preparedSubmission.receipts().get(i),
                        wake,
                        limitedMapping);
            } else if (action instanceof AllowedAction.Turn turn) {
                addRun(
                        preparedSubmission,
                        (Receipt.Run) preparedSubmission.receipts().get(i),
                        turn,
                        limitedMapping);
            } else if (action instanceof AllowedAction.DirectDelivery delivery) {
                deliveries.add(delivery(
                        preparedSubmission, preparedSubmission.receipts().get(i).name(), delivery, limitedMapping));
            }
        }
    }

    private static OutboxEntry delivery(
            PreparedSubmission preparedSubmission,
            String id,
            AllowedAction.DirectDelivery delivery,
            @Nullable String limitedMapping) {
        Submission submission = preparedSubmission.submission();
        return new OutboxEntry.Accepted(
                /* deliveryId= */ id,
                delivery.text(),
                delivery.recipient(),
                delivery.provenance().hook(),
                submission.requestId(),
                submission.sender(),
                limitedMapping,
                /* isCollecting= */ submission.coalescing() != null,
                submission.trace(),
                /* at= */ preparedSubmission.acceptedAt());
    }

    private void addWake(
            PreparedSubmission preparedSubmission,
            Receipt.Event receipt,
            AllowedAction.Wake wake,
            @Nullable String limitedMapping) {
        long at = preparedSubmission.acceptedAt();
        String key = SessionId.mainOf(wake.agentId()).value();
        Long beatAt = wake.mode() == WakeMode.NOW ? at + HeartbeatRepository.SOON.toMillis() : null;
        boolean isGrouped = preparedSubmission.submission().coalescing() != null;
        any |= !isGrouped;
        events.add(new EventBatch.NewEvent(
                receipt.id(),
                /* sessionKey= */ key,
                /* place= */ isGrouped ? null : sessions.addEvent(key, wake.agentId(), at, beatAt),
                /* kind= */ EventBatch.WAKE,
                wake.text(),
                wake.provenance(),
                /* run= */ null,
                preparedSubmission.submission().requestId(),
                preparedSubmission.submission().sender(),
                limitedMapping,
                preparedSubmission.submission().trace(),
                at));
    }

    private void addRun(
            PreparedSubmission preparedSubmission,
            Receipt.Run receipt,
            AllowedAction.Turn turn,
            @Nullable String limitedMapping) {
        long at = preparedSubmission.acceptedAt();
        String key = SessionId.of(turn.agentId(), receipt.sessionKey()).value();
        boolean isGrouped = preparedSubmission.submission().coalescing() != null;
        any |= !isGrouped;
        runs.add(new RunBatch.NewRun(
                receipt.id(),
                key,
                isGrouped ? null : sessions.addRun(key, turn.agentId(), at, TurnQueues.id(turn)),
                turn,
                preparedSubmission.submission(),
                limitedMapping,
                at));
    }

    /**
     * Writes the results of the requests that have joined a group so far beside their keys, which {@code keys} has written.
     * Before that, a repeat would read there the receipts that its first would have had alone.
     */
    void writeJoinedKeys(SqlTransaction sql, IdempotencyKeyTable keys) throws SQLException {
        keys.update(sql, joinedKeys);
        joinedKeys.clear();
    }

    /** Writes the rows, and what {@link #writeJoinedKeys} has not written yet. */
    void write(SqlTransaction sql, IdempotencyKeyTable keys) throws SQLException {
        sessions.write(sql);
        events.write(sql);
        runs.write(sql);
        write(sql, deliveries);
        write(sql, groups.write(sql));
        writeJoinedKeys(sql, keys);
    }

    private void write(SqlTransaction sql, List<OutboxEntry> entries) throws SQLException {
        if (!entries.isEmpty()) {
            outbox.run(sql, entries);
        }
    }
}
