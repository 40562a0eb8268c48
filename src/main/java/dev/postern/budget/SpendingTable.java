package dev.postern.budget;

import dev.postern.store.ExpiredRows;
import dev.postern.store.SqlTransaction;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The table {@code spending}. Each process has rows of its own, so that no process waits for another to complete its turns.
 */
final class SpendingTable {

    private static final String UPSERT =
            """
            INSERT INTO spending
            (step, start, writer, kind, hook, sender, agent, model, turns, input_tokens, output_tokens, cost)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (step, start, writer, kind, hook, sender, agent, model) DO UPDATE SET
            turns = spending.turns + excluded.turns,
            input_tokens = spending.input_tokens + excluded.input_tokens,
            output_tokens = spending.output_tokens + excluded.output_tokens,
            cost = CASE WHEN excluded.cost IS NULL THEN spending.cost
            ELSE COALESCE(spending.cost, 0) + excluded.cost END""";

    private static final String SUMS =
            """
            SELECT start, kind, hook, sender, agent, model, CAST(SUM(turns) AS bigint) AS turns,
            CAST(SUM(input_tokens) AS bigint) AS input_tokens, CAST(SUM(output_tokens) AS bigint) AS output_tokens,
            CAST(SUM(cost) AS bigint) AS cost
            FROM spending WHERE step = ? AND start >= ?
            GROUP BY start, kind, hook, sender, agent, model ORDER BY start""";

    private static final String DELETE =
            """
            DELETE FROM spending WHERE step = ? AND start < ?
            AND start <= (SELECT MIN(start) + ? FROM spending WHERE step = ?)""";

    /** The number of periods that one transaction deletes. */
    private static final int PIECE = 10;

    private SpendingTable() {}

    /**
     * The spending of one key in one period, of all processes.
     *
     * @param start the start of the period
     */
    record Row(Instant start, SpendingKey key, SpendingAmount spending) {}

    /** Adds {@code spent} to the rows of {@code writer} for {@code now}. */
    static void add(SqlTransaction sql, String writer, Instant now, Map<SpendingKey, SpendingAmount> spent)
            throws SQLException {
        List<@Nullable Object[]> rows = new ArrayList<>();
        for (SpendingPeriod period : SpendingPeriod.values()) {
            spent.forEach((key, spending) -> rows.add(new @Nullable Object[] {
                period.stepMillis(),
                period.start(now),
                writer,
                key.kind(),
                key.hook(),
                key.sender(),
                key.agent(),
                key.model(),
                spending.turns(),
                spending.inputTokens(),
                spending.outputTokens(),
                spending.costMillionths()
            }));
        }
        sql.batch(UPSERT, rows);
    }

    /** The spending in the periods that begin at {@code since} or later, the earliest first. */
    static List<Row> read(SqlTransaction sql, SpendingPeriod period, Instant since) throws SQLException {
        return sql.query(
                SUMS,
                row -> new Row(
                        row.instant("start"),
                        new SpendingKey(
                                row.text("kind"),
                                row.text("hook"),
                                row.text("sender"),
                                row.text("agent"),
                                row.text("model")),
                        new SpendingAmount(
                                row.number("turns"),
                                row.number("input_tokens"),
                                row.number("output_tokens"),
                                row.numberOrNull("cost"))),
                period.stepMillis(),
                since.toEpochMilli());
    }

    /** The rows that no page shows any more. */
    static ExpiredRows expired() {
        return (sql, now, most) -> {
            boolean more = false;
            for (SpendingPeriod period : SpendingPeriod.values()) {
                long step = period.stepMillis();
                more |= sql.update(DELETE, step, period.earliest(now), PIECE * step, step) > 0;
            }
            return more;
        };
    }
}
