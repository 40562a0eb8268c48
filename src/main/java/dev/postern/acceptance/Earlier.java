package dev.postern.acceptance;

import dev.postern.model.RunId;
import dev.postern.model.RunState;
import dev.postern.store.Row;
import dev.postern.store.Sql;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/**
 * A run that was accepted some time ago.
 *
 * @param asked what it was accepted from; without the sender's key, which stands for the first answer
 */
record Earlier(RunState state, Submission asked) {

    private static final String FIND =
            "SELECT state, body_bytes, body_sha256," + Started.COLUMNS + " FROM run WHERE id = ?";

    static Optional<Earlier> find(Sql sql, RunId id) throws SQLException {
        return sql.first(FIND, Earlier::of, id.value());
    }

    private static Earlier of(Row row) throws SQLException {
        return new Earlier(
                RunState.of(row.text("state")),
                new Submission(
                        List.of(Started.of(row).turn()), null, row.count("body_bytes"), row.text("body_sha256"), null));
    }
}
