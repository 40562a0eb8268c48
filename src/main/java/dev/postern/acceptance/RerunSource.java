package dev.postern.acceptance;

import dev.postern.model.RunId;
import dev.postern.model.RunState;
import dev.postern.store.ResultRow;
import dev.postern.store.SqlTransaction;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An earlier run that is to be accepted once more.
 *
 * @param asked the submission that it came from, without the sender's key, which stands for the first result
 */
record RerunSource(RunState state, Submission asked) {

    /**
     * The submission of a rerun.
     *
     * @param attempt reruns of {@code run} with the same one are the same request; null if this one is not to be repeated
     */
    Submission asked(RunId run, @Nullable String attempt) {
        return attempt == null
                ? asked
                : new Submission(
                        asked.actions(),
                        IdempotencyKey.ofRerun(run, attempt, asked.bodySha256()),
                        asked.bodyBytes(),
                        asked.bodySha256(),
                        asked.cursorUpdate(),
                        asked.source());
    }

    private static final String FIND =
            "SELECT state, body_bytes, body_sha256, sender," + RunningRun.COLUMNS + " FROM run WHERE id = ?";

    static Optional<RerunSource> find(SqlTransaction sql, RunId id) throws SQLException {
        return sql.first(FIND, RerunSource::of, id.value());
    }

    private static RerunSource of(ResultRow row) throws SQLException {
        return new RerunSource(
                RunState.of(row.text("state")),
                new Submission(
                        List.of(RunningRun.of(row).turn()),
                        null,
                        row.count("body_bytes"),
                        row.text("body_sha256"),
                        null,
                        null,
                        row.textOrNull("sender")));
    }
}
