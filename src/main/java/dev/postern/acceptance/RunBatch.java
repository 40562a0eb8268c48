package dev.postern.acceptance;

import dev.postern.model.AllowedAction;
import dev.postern.model.OperatorInstructions;
import dev.postern.model.RunId;
import dev.postern.model.RunState;
import dev.postern.model.TraceContext;
import dev.postern.model.TurnPriority;
import dev.postern.store.ResultRow;
import dev.postern.store.SqlTransaction;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A batch of rows for the table {@code run}, written at once, after the rows of their sessions. */
final class RunBatch {

    private static final String INSERT = "INSERT INTO run (id, session_key, seq, agent_id, state, attempts, message,"
            + " name, wake_mode, deliver, channel, recipient, model, thinking, timeout_ms, hook, trusted, body_bytes,"
            + " body_sha256, accepted_at, instructions, tools, fallbacks, priority, request_id, sender, limited_mapping,"
            + " items, approve, trace_context, mapping_queue) VALUES (?, ?, "
            + SessionUpdateBatch.SEQ
            + ", ?, ?, 0, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";

    private final List<NewRun> rows = new ArrayList<>();

    void add(NewRun row) {
        rows.add(row);
    }

    void write(SqlTransaction sql) throws SQLException {
        if (!rows.isEmpty()) {
            sql.batch(INSERT, rows.stream().map(NewRun::args).toList());
        }
        for (NewRun row : rows) {
            Submission.@Nullable Repetition repetition = row.from().repetition();
            if (repetition != null) {
                RequestItemTable.copy(sql, repetition.run(), row.id());
            }
        }
    }

    /** The operator instructions in the columns {@code instructions tools approve fallbacks priority mapping_queue}. */
    static OperatorInstructions briefing(ResultRow row) throws SQLException {
        return new OperatorInstructions(
                row.textOrNull("instructions"),
                lines(row.textOrNull("tools")),
                lines(row.textOrNull("approve")).orElse(List.of()),
                lines(row.textOrNull("fallbacks")),
                TurnPriority.ofRank(row.count("priority")),
                row.textOrNull("mapping_queue"));
    }

    private static Optional<List<String>> lines(@Nullable String names) {
        return Optional.ofNullable(names).map(each -> each.lines().toList());
    }

    private static @Nullable String lines(Optional<List<String>> names) {
        return names.map(each -> String.join("\n", each)).orElse(null);
    }

    /**
     * A row to be written.
     *
     * @param place its place in the session; null for one that waits for the close of its group
     */
    record NewRun(
            RunId id,
            String sessionKey,
            SessionUpdateBatch.@Nullable Place place,
            AllowedAction.Turn turn,
            Submission from,
            @Nullable String limitedMapping,
            long at) {

        private @Nullable Object[] args() {
            return new @Nullable Object[] {
                id.value(),
                place == null ? CollectingSession.of(sessionKey) : sessionKey,
                sessionKey,
                place == null ? null : place.back(),
                turn.agentId(),
                RunState.QUEUED.wire(),
                turn.message(),
                turn.name(),
                turn.wakeMode().wire(),
                turn.deliver(),
                turn.recipient().channel(),
                turn.recipient().to(),
                turn.model(),
                turn.thinking(),
                turn.timeout().toMillis(),
                turn.provenance().hook(),
                turn.provenance().trusted(),
                from.bodyBytes(),
                from.bodySha256(),
                at,
                turn.operatorInstructions().instructions(),
                lines(turn.operatorInstructions().tools()),
                lines(turn.operatorInstructions().fallbacks()),
                turn.operatorInstructions().priority().rank(),
                from.requestId(),
                from.sender(),
                limitedMapping,
                from.repetition() == null ? null : from.repetition().items(),
                turn.operatorInstructions().approve().isEmpty()
                        ? null
                        : String.join("\n", turn.operatorInstructions().approve()),
                TraceContext.textOf(from.trace()),
                turn.operatorInstructions().mappingQueue()
            };
        }
    }
}
