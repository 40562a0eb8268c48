package dev.postern.acceptance;

import dev.postern.model.RunId;
import dev.postern.model.RunState;
import dev.postern.observe.TraceHeaders;
import dev.postern.store.ResultRow;
import dev.postern.store.SqlTransaction;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An earlier run that is to be accepted once more.
 *
 * @param asked its submission once more, with a key of its own in place of the sender's, which stands for the first result
 */
record RerunSource(RunState state, Submission asked) {

    private static final String FIND =
            "SELECT state, body_bytes, body_sha256, sender," + RunningRun.COLUMNS + " FROM run WHERE id = ?";

    /**
     * The run {@code id}.
     *
     * @param attempt reruns with the same one are the same request
     */
    static Optional<RerunSource> find(SqlTransaction sql, RunId id, String attempt) throws SQLException {
        return sql.first(FIND, row -> of(row, attempt), id.value());
    }

    private static RerunSource of(ResultRow row, String attempt) throws SQLException {
        RunningRun run = RunningRun.of(row);
        @Nullable Long items = run.items();
        String bodySha256 = row.text("body_sha256");
        return new RerunSource(
                RunState.of(row.text("state")),
                new Submission(
                        /* actions= */ List.of(run.turn()),
                        /* idempotency= */ IdempotencyKey.ofRerun(run.id(), attempt, bodySha256),
                        /* bodyBytes= */ row.count("body_bytes"),
                        bodySha256,
                        /* cursorUpdate= */ null,
                        /* source= */ null,
                        /* sender= */ row.textOrNull("sender"),
                        /* coalescing= */ null,
                        /* repetition= */ items == null ? null : new Submission.Repetition(run.id(), items.intValue()),
                        /* trace= */ TraceHeaders.current()));
    }
}
