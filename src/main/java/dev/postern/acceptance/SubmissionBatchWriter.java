package dev.postern.acceptance;

import dev.postern.model.HookResult;
import dev.postern.model.LoggedRequest;
import dev.postern.model.OutboxEntry;
import dev.postern.store.BatchWrite;
import dev.postern.store.SqlTransaction;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A batch writer for the submissions of many callers. It locks open groups, then writes cursors, then keys, then one row for
 * each session, then events and runs, then the groups, so a full batch needs only a handful of statements. Groups, keys and
 * sessions are locked in sorted order, so nodes that accept for the same ones wait for each other, and not in a circle. Where another kind of transaction holds
 * a row against that order, the database ends the wait, and the store tries each submission alone.
 */
final class SubmissionBatchWriter implements BatchWrite<PreparedSubmission, HookResult> {

    private static final Comparator<PreparedSubmission> BY_KEY = Comparator.comparing(
            preparedSubmission -> preparedSubmission.requireKey().value());

    private final PendingActionCounter pending;
    private final LimitedPendingCounter sendersPending;
    private final LimitedPendingCounter mappingsPending;
    private final int maxPending;
    private final AcceptanceRule rule;
    private final IdempotencyKeyTable keys;
    private final HookResult overloaded;
    private final BatchWrite<LoggedRequest, Boolean> requestLog;
    private final BatchWrite<OutboxEntry, Boolean> outbox;
    private final Runnable accepted;
    private final Consumer<Instant> groupOpened;

    /**
     * @param rule what else may refuse submissions
     * @param overloaded the result past {@code maxPending}
     * @param requestLog adds the accepted requests to the request log
     * @param outbox takes the accepted deliveries
     * @param accepted run after each commit that holds something new
     * @param groupOpened called after each commit that opens a group, with the time at which one is due
     */
    SubmissionBatchWriter(
            PendingActionCounter pending,
            LimitedPendingCounter sendersPending,
            LimitedPendingCounter mappingsPending,
            int maxPending,
            AcceptanceRule rule,
            IdempotencyKeyTable keys,
            HookResult overloaded,
            BatchWrite<LoggedRequest, Boolean> requestLog,
            BatchWrite<OutboxEntry, Boolean> outbox,
            Runnable accepted,
            Consumer<Instant> groupOpened) {
        this.pending = pending;
        this.sendersPending = sendersPending;
        this.mappingsPending = mappingsPending;
        this.maxPending = maxPending;
        this.rule = rule;
        this.keys = keys;
        this.overloaded = overloaded;
        this.requestLog = requestLog;
        this.outbox = outbox;
        this.accepted = accepted;
        this.groupOpened = groupOpened;
    }

    @Override
    public List<HookResult> run(SqlTransaction sql, List<PreparedSubmission> offers) throws SQLException {
        pending.refresh(sql);
        sendersPending.begin();
        mappingsPending.begin();
        IdentityHashMap<PreparedSubmission, HookResult> answers = new IdentityHashMap<>();
        SubmissionRows rows = new SubmissionRows(OpenGroupBatch.lock(sql, offers), outbox);
        for (PreparedSubmission preparedSubmission : offers) {
            CursorUpdate cursorUpdate = preparedSubmission.submission().cursorUpdate();
            if (cursorUpdate != null) {
                answers.put(preparedSubmission, acceptWithCursor(sql, preparedSubmission, cursorUpdate, rows));
            }
        }
        List<PreparedSubmission> sent = answers.isEmpty()
                ? offers
                : offers.stream()
                        .filter(preparedSubmission -> !answers.containsKey(preparedSubmission))
                        .toList();
        List<PreparedSubmission> keyed =
                sent.stream().filter(PreparedSubmission::hasKey).sorted(BY_KEY).toList();
        Set<PreparedSubmission> written = writeKeys(sql, sent, keyed);
        if (!written.isEmpty()) {
            settleAllButRepeats(sql, sent, written, rows, answers);
        }
        for (PreparedSubmission preparedSubmission : sql.dialect().shared() ? keyed : sent) {
            if (preparedSubmission.hasKey() && !answers.containsKey(preparedSubmission)) {
                HookResult other = claim(sql, preparedSubmission, refusalOf(sql, preparedSubmission, rows), rows);
                answers.put(preparedSubmission, settle(sql, preparedSubmission, other, rows));
            }
        }
        settleAllButRepeats(sql, sent, written, rows, answers);
        rows.write(sql, keys);
        if (rows.isAnyReady()) {
            sql.afterCommit(accepted);
        }
        rows.groups().firstDue().ifPresent(due -> sql.afterCommit(() -> groupOpened.accept(due)));
        logRequests(sql, answers);
        return offers.stream().map(answers::get).map(Objects::requireNonNull).toList();
    }

    /**
     * Settles those without a key, and those whose keys are {@code written}, in the order of their arrival: it becomes that of the
     * runs in a session, of the items in a group and of the deliveries to a recipient.
     */
    private void settleAllButRepeats(
            SqlTransaction sql,
            List<PreparedSubmission> sent,
            Set<PreparedSubmission> written,
            SubmissionRows rows,
            Map<PreparedSubmission, HookResult> answers)
            throws SQLException {
        for (PreparedSubmission preparedSubmission : sent) {
            if (answers.containsKey(preparedSubmission)) {
                continue;
            }
            if (written.contains(preparedSubmission)) {
                answers.put(preparedSubmission, settle(sql, preparedSubmission, null, rows));
            } else if (!preparedSubmission.hasKey()) {
                HookResult refusal = refusalOf(sql, preparedSubmission, rows);
                answers.put(preparedSubmission, settle(sql, preparedSubmission, refusal, rows));
            }
        }
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
            SqlTransaction sql, PreparedSubmission preparedSubmission, CursorUpdate cursorUpdate, SubmissionRows rows)
            throws SQLException {
        HookResult refusal = refusalOf(sql, preparedSubmission, rows);
        if (refusal != null) {
            return refusal;
        }
        if (!SourceCursors.advance(sql, cursorUpdate, preparedSubmission.acceptedAt())) {
            return new HookResult.Superseded();
        }
        return settle(
                sql,
                preparedSubmission,
                preparedSubmission.hasKey() ? claim(sql, preparedSubmission, null, rows) : null,
                rows);
    }

    /**
     * Writes all keys at once when there is capacity for every submission, even if all were new; else each is checked
     * alone.
     *
     * @param keyed in the order in which keys are locked
     * @return those whose keys were new
     */
    private Set<PreparedSubmission> writeKeys(
            SqlTransaction sql, List<PreparedSubmission> offers, List<PreparedSubmission> keyed) throws SQLException {
        int actions = offers.stream().mapToInt(PreparedSubmission::size).sum();
        if (keyed.isEmpty()
                || pending.value() + actions > maxPending
                || sendersPending.refusal(sql, offers) != null
                || mappingsPending.refusal(sql, offers) != null) {
            return Set.of();
        }
        for (PreparedSubmission preparedSubmission : keyed) {
            if (rule.refusal(sql, preparedSubmission.submission()) != null) {
                return Set.of();
            }
        }
        Set<PreparedSubmission> written = Collections.newSetFromMap(new IdentityHashMap<>());
        boolean[] isNew = keys.insert(sql, keyed);
        for (int i = 0; i < isNew.length; i++) {
            if (isNew[i]) {
                written.add(keyed.get(i));
            }
        }
        return written;
    }

    /** Looks up a key when the results of this batch's earlier submissions are beside theirs. */
    private @Nullable HookResult claim(
            SqlTransaction sql,
            PreparedSubmission preparedSubmission,
            @Nullable HookResult refusal,
            SubmissionRows rows)
            throws SQLException {
        rows.writeJoinedKeys(sql, keys);
        return keys.claim(sql, preparedSubmission, refusal);
    }

    /** A submission that joins a group adds no action, so it always has room. */
    private @Nullable HookResult refusalOf(
            SqlTransaction sql, PreparedSubmission preparedSubmission, SubmissionRows rows) throws SQLException {
        if (rows.groups().isJoining(preparedSubmission)) {
            return null;
        }
        if (pending.value() + preparedSubmission.size() > maxPending) {
            return overloaded;
        }
        HookResult ofSender = sendersPending.refusal(sql, preparedSubmission);
        if (ofSender != null) {
            return ofSender;
        }
        HookResult ofMapping = mappingsPending.refusal(sql, preparedSubmission);
        return ofMapping != null ? ofMapping : rule.refusal(sql, preparedSubmission.submission());
    }

    private HookResult settle(
            SqlTransaction sql,
            PreparedSubmission preparedSubmission,
            @Nullable HookResult refusal,
            SubmissionRows rows) {
        if (refusal != null) {
            return refusal;
        }
        if (rows.groups().isJoining(preparedSubmission)) {
            return rows.join(preparedSubmission);
        }
        pending.change(sql, preparedSubmission.size());
        sendersPending.add(sql, preparedSubmission);
        mappingsPending.add(sql, preparedSubmission);
        rows.add(preparedSubmission, mappingsPending.limited(preparedSubmission));
        return new HookResult.Accepted(preparedSubmission.receipts(), false);
    }
}
