package dev.postern.acceptance;

import dev.postern.model.AllowedAction;
import dev.postern.model.HookResult;
import dev.postern.model.LoggedRequest;
import dev.postern.model.Receipt;
import dev.postern.model.SessionId;
import dev.postern.model.WakeMode;
import dev.postern.store.BatchWrite;
import dev.postern.store.SqlTransaction;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A batch writer for the submissions of many callers. It writes cursors, then keys, then one row for each session, then
 * events and runs, so a full batch needs only a handful of statements. Keys and sessions are locked in sorted order, so
 * nodes that accept for the same ones wait for each other, and not in a circle. Where another kind of transaction holds
 * a row against that order, the database ends the wait, and the store tries each submission alone.
 */
final class SubmissionBatchWriter implements BatchWrite<PreparedSubmission, HookResult> {

    private static final Comparator<PreparedSubmission> BY_KEY = Comparator.comparing(
            preparedSubmission -> preparedSubmission.requireKey().value());

    private final PendingActionCounter pending;
    private final LimitedPendingCounter sendersPending;
    private final LimitedPendingCounter mappingsPending;
    private final int maxPending;
    private final IdempotencyKeyTable keys;
    private final HookResult overloaded;
    private final BatchWrite<LoggedRequest, Boolean> requestLog;
    private final Runnable accepted;

    /**
     * @param overloaded the result past {@code maxPending}
     * @param requestLog adds the accepted requests to the request log
     * @param accepted run after each commit that holds something new
     */
    SubmissionBatchWriter(
            PendingActionCounter pending,
            LimitedPendingCounter sendersPending,
            LimitedPendingCounter mappingsPending,
            int maxPending,
            IdempotencyKeyTable keys,
            HookResult overloaded,
            BatchWrite<LoggedRequest, Boolean> requestLog,
            Runnable accepted) {
        this.pending = pending;
        this.sendersPending = sendersPending;
        this.mappingsPending = mappingsPending;
        this.maxPending = maxPending;
        this.keys = keys;
        this.overloaded = overloaded;
        this.requestLog = requestLog;
        this.accepted = accepted;
    }

    @Override
    public List<HookResult> run(SqlTransaction sql, List<PreparedSubmission> offers) throws SQLException {
        pending.refresh(sql);
        sendersPending.begin();
        mappingsPending.begin();
        IdentityHashMap<PreparedSubmission, HookResult> answers = new IdentityHashMap<>();
        Additions additions = new Additions();
        for (PreparedSubmission preparedSubmission : offers) {
            CursorUpdate cursorUpdate = preparedSubmission.submission().cursorUpdate();
            if (cursorUpdate != null) {
                answers.put(preparedSubmission, acceptWithCursor(sql, preparedSubmission, cursorUpdate, additions));
            }
        }
        List<PreparedSubmission> sent = answers.isEmpty()
                ? offers
                : offers.stream()
                        .filter(preparedSubmission -> !answers.containsKey(preparedSubmission))
                        .toList();
        List<PreparedSubmission> keyed =
                sent.stream().filter(PreparedSubmission::hasKey).sorted(BY_KEY).toList();
        boolean[] written = writeKeys(sql, sent, keyed);
        for (int i = 0; i < keyed.size(); i++) {
            PreparedSubmission preparedSubmission = keyed.get(i);
            answers.put(
                    preparedSubmission,
                    settle(
                            sql,
                            preparedSubmission,
                            written[i] ? null : keys.claim(sql, preparedSubmission, refusalOf(sql, preparedSubmission)),
                            additions));
        }
        for (PreparedSubmission preparedSubmission : sent) {
            if (!preparedSubmission.hasKey()) {
                answers.put(
                        preparedSubmission,
                        settle(sql, preparedSubmission, refusalOf(sql, preparedSubmission), additions));
            }
        }
        if (additions.write(sql)) {
            sql.afterCommit(accepted);
        }
        logRequests(sql, answers);
        return offers.stream().map(answers::get).map(Objects::requireNonNull).toList();
    }

    /** Adds the accepted requests to the request log. Requests with other results are added behind their response. */
    private void logRequests(SqlTransaction sql, Map<PreparedSubmission, HookResult> answers) throws SQLException {
        List<LoggedRequest> entries = new ArrayList<>(answers.size());
        answers.forEach((preparedSubmission, answer) -> {
            SubmissionSource source = preparedSubmission.submission().source();
            if (source != null && answer instanceof HookResult.Accepted result) {
                entries.add(
                        source.accepted(result, preparedSubmission.submission().bodyBytes()));
            }
        });
        if (!entries.isEmpty()) {
            requestLog.run(sql, entries);
        }
    }

    /**
     * Moves the cursor of a submission and accepts it. Nothing may reject a submission after its cursor has moved, or
     * it would be lost.
     */
    private HookResult acceptWithCursor(
            SqlTransaction sql, PreparedSubmission preparedSubmission, CursorUpdate cursorUpdate, Additions additions)
            throws SQLException {
        HookResult refusal = refusalOf(sql, preparedSubmission);
        if (refusal != null) {
            return refusal;
        }
        if (!SourceCursors.advance(sql, cursorUpdate, preparedSubmission.acceptedAt())) {
            return new HookResult.Superseded();
        }
        return settle(
                sql,
                preparedSubmission,
                preparedSubmission.hasKey() ? keys.claim(sql, preparedSubmission, null) : null,
                additions);
    }

    /**
     * Writes all keys at once when there is capacity for every submission, even if all were new; else each is checked
     * alone.
     */
    private boolean[] writeKeys(SqlTransaction sql, List<PreparedSubmission> offers, List<PreparedSubmission> keyed)
            throws SQLException {
        int actions = offers.stream().mapToInt(PreparedSubmission::size).sum();
        if (keyed.isEmpty()
                || pending.value() + actions > maxPending
                || sendersPending.refusal(sql, offers) != null
                || mappingsPending.refusal(sql, offers) != null) {
            return new boolean[keyed.size()];
        }
        return keys.insert(sql, keyed);
    }

    private @Nullable HookResult refusalOf(SqlTransaction sql, PreparedSubmission preparedSubmission)
            throws SQLException {
        if (pending.value() + preparedSubmission.size() > maxPending) {
            return overloaded;
        }
        HookResult ofSender = sendersPending.refusal(sql, preparedSubmission);
        return ofSender != null ? ofSender : mappingsPending.refusal(sql, preparedSubmission);
    }

    private HookResult settle(
            SqlTransaction sql,
            PreparedSubmission preparedSubmission,
            @Nullable HookResult refusal,
            Additions additions) {
        if (refusal != null) {
            return refusal;
        }
        pending.change(sql, preparedSubmission.size());
        sendersPending.add(sql, preparedSubmission);
        mappingsPending.add(sql, preparedSubmission);
        additions.add(preparedSubmission, mappingsPending.limited(preparedSubmission));
        return new HookResult.Accepted(preparedSubmission.receipts(), false);
    }

    /** The rows of the accepted submissions. */
    private static final class Additions {

        private final SessionUpdateBatch sessions = new SessionUpdateBatch();
        private final EventBatch events = new EventBatch();
        private final RunBatch runs = new RunBatch();
        private boolean any;

        /**
         * @param limitedMapping the id of the mapping that took the request, if it admits only so many pending actions
         */
        void add(PreparedSubmission preparedSubmission, @Nullable String limitedMapping) {
            any = true;
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
                }
            }
        }

        private void addWake(
                PreparedSubmission preparedSubmission,
                Receipt.Event receipt,
                AllowedAction.Wake wake,
                @Nullable String limitedMapping) {
            long at = preparedSubmission.acceptedAt();
            String key = SessionId.mainOf(wake.agentId()).value();
            Long beatAt = wake.mode() == WakeMode.NOW ? at + EventRepository.SOON.toMillis() : null;
            events.add(new EventBatch.NewEvent(
                    receipt.id(),
                    key,
                    sessions.addEvent(key, wake.agentId(), at, beatAt),
                    EventBatch.WAKE,
                    wake.text(),
                    wake.provenance(),
                    null,
                    preparedSubmission.submission().requestId(),
                    preparedSubmission.submission().sender(),
                    limitedMapping,
                    at));
        }

        private void addRun(
                PreparedSubmission preparedSubmission,
                Receipt.Run receipt,
                AllowedAction.Turn turn,
                @Nullable String limitedMapping) {
            long at = preparedSubmission.acceptedAt();
            String key = SessionId.of(turn.agentId(), receipt.sessionKey()).value();
            runs.add(new RunBatch.NewRun(
                    receipt.id(),
                    key,
                    sessions.addRun(
                            key,
                            turn.agentId(),
                            at,
                            TurnQueues.id(
                                    turn.operatorInstructions().priority(),
                                    turn.provenance().hook())),
                    turn,
                    preparedSubmission.submission(),
                    limitedMapping,
                    at));
        }

        boolean write(SqlTransaction sql) throws SQLException {
            if (any) {
                sessions.write(sql);
                events.write(sql);
                runs.write(sql);
            }
            return any;
        }
    }
}
