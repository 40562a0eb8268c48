package dev.postern.acceptance;

import dev.postern.model.RunId;
import dev.postern.store.ResultRow;
import dev.postern.store.SqlDialect;
import dev.postern.store.SqlTransaction;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/** A reader of the revisions of runs: the columns that change while a run waits, runs and ends. One query reads many. */
final class RunRevisionReader {

    private static final int BATCH = 1_000;

    private static final String FIND =
            """
            SELECT run.id, state, attempts, retries + pauses AS waits, run.retry_at, held_by, run.finished_at, request_group.due_at
            FROM run LEFT JOIN request_group ON request_group.action_id = run.id WHERE run.id \
            """;

    private static final String FIND_IN_SQLITE = FIND + "IN (SELECT value FROM json_each(?))";
    private static final String FIND_IN_POSTGRESQL = FIND + "= ANY (string_to_array(?, ','))";

    private RunRevisionReader() {}

    /** The revisions of those of {@code runs} that exist. */
    static Map<RunId, String> find(SqlTransaction sql, Collection<RunId> runs) throws SQLException {
        Map<RunId, String> revisions = new HashMap<>();
        List<RunId> all = new ArrayList<>(runs);
        boolean isSqlite = sql.dialect() == SqlDialect.SQLITE;
        for (int from = 0; from < all.size(); from += BATCH) {
            List<RunId> batch = all.subList(from, Math.min(from + BATCH, all.size()));
            String ids = batch.stream().map(RunId::value).collect(Collectors.joining(isSqlite ? "\",\"" : ","));
            sql.query(
                    isSqlite ? FIND_IN_SQLITE : FIND_IN_POSTGRESQL,
                    row -> revisions.put(new RunId(row.text("id")), revision(row)),
                    isSqlite ? "[\"" + ids + "\"]" : ids);
        }
        return revisions;
    }

    private static String revision(ResultRow row) throws SQLException {
        List<String> parts = new ArrayList<>();
        parts.add(row.text("state"));
        parts.add(row.textOrNull("held_by"));
        for (String column : List.of("attempts", "waits", "retry_at", "finished_at", "due_at")) {
            parts.add(Objects.toString(row.numberOrNull(column), ""));
        }
        return String.join(" ", parts);
    }
}
