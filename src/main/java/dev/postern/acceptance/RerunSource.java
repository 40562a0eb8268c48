package dev.postern.acceptance;

import dev.postern.model.RunId;
import dev.postern.model.RunState;
import dev.postern.store.ResultRow;
import dev.postern.store.SqlTransaction;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/**
 * An earlier run that is to be accepted once more.
 *
 * @param asked the submission that it came from, without the sender's key, which stands for the first result
 */
record RerunSource(RunState state, Submission asked) {

    private static final String FIND =
            "SELECT state, body_bytes, body_sha256," + RunningRun.COLUMNS + " FROM run WHERE id = ?";

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
                        null));
    }
}
