package dev.postern.statistics;

import dev.postern.store.ExpiredRows;
import dev.postern.store.ResultRow;
import dev.postern.store.SqlTransaction;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The table {@code period_count}. Each process has rows of its own, and writes how much it has counted so far rather than how
 * much to add. So a row can be written twice, and no process waits for another.
 */
final class CountTable {

    private static final String UPSERT =
            """
            INSERT INTO period_count (step, start, writer, kind, hook, mapping, number, latest, durations)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (step, start, writer, kind, hook, mapping) DO UPDATE SET
            number = excluded.number, latest = excluded.latest, durations = excluded.durations""";

    private static final String SELECT =
            """
            SELECT start, writer, kind, hook, mapping, number, latest, durations FROM period_count
            WHERE step = ? AND start >= ? AND start < ? AND (CAST(? AS text) IS NULL OR writer = ?)""";

    /** Adds up in the database, which is faster than reading a row for each hook. */
    private static final String SUMS =
            """
            SELECT start, kind, SUM(number) AS number, MAX(latest) AS latest, string_agg(durations, ' ') AS durations
            FROM period_count WHERE step = ? AND start >= ? AND NOT (start >= ? AND writer = ?) GROUP BY start, kind""";

    private static final String LATEST =
            """
            SELECT hook, mapping, MAX(latest) AS latest FROM period_count
            WHERE step = ? AND start >= ? AND kind IN ('accepted', 'repeated', 'nothing', 'refused', 'failed')
            GROUP BY hook, mapping""";

    private static final String DELETE =
            """
            DELETE FROM period_count WHERE step = ? AND start < ?
            AND start <= (SELECT MIN(start) + ? FROM period_count WHERE step = ?)""";

    /** The number of periods that one transaction deletes. */
    private static final int PIECE = 10;

    private CountTable() {}

    /** A hook with the mapping that took its requests. */
    record HookPath(String hook, String mapping) {}

    /** A row with the process that has counted it. */
    record Row(String writer, PeriodCount count) {}

    /** Writes {@code counts} of {@code writer}. */
    static void write(SqlTransaction sql, String writer, CountPeriod period, List<PeriodCount> counts)
            throws SQLException {
        List<@Nullable Object[]> rows = new ArrayList<>();
        for (PeriodCount count : counts) {
            CountKey key = count.key();
            rows.add(new @Nullable Object[] {
                period.stepMillis(),
                count.start(),
                writer,
                key.kind().wire(),
                key.hook(),
                key.mapping(),
                count.number(),
                count.latest(),
                count.durations().text()
            });
        }
        if (!rows.isEmpty()) {
            sql.batch(UPSERT, rows);
        }
    }

    /**
     * The counts of some periods.
     *
     * @param since the earliest start of a period, in milliseconds since 1970
     * @param until the end of the starts, exclusive
     * @param writer the process that has counted them; null for all processes
     */
    static List<Row> read(SqlTransaction sql, CountPeriod period, long since, long until, @Nullable String writer)
            throws SQLException {
        return sql.query(SELECT, CountTable::row, period.stepMillis(), since, until, writer, writer);
    }

    /**
     * The counts of the periods that begin at {@code since} or later, of all hooks and processes together.
     *
     * @param writer the process whose counts are left out
     * @param from the earliest start of a period for which they are left out
     */
    static List<PeriodCount> sums(SqlTransaction sql, CountPeriod period, long since, String writer, long from)
            throws SQLException {
        return sql.query(
                SUMS,
                row -> count(row, new CountKey(CountKind.of(row.text("kind")), "", "")),
                period.stepMillis(),
                since,
                from,
                writer);
    }

    /** The latest admitted request for each hook with its mapping, in the periods that begin at {@code since} or later. */
    static Map<HookPath, Long> latest(SqlTransaction sql, CountPeriod period, long since) throws SQLException {
        Map<HookPath, Long> latest = new HashMap<>();
        sql.query(
                        LATEST,
                        row -> Map.entry(new HookPath(row.text("hook"), row.text("mapping")), row.number("latest")),
                        period.stepMillis(),
                        since)
                .forEach(each -> latest.put(each.getKey(), each.getValue()));
        return latest;
    }

    private static Row row(ResultRow row) throws SQLException {
        CountKey key = new CountKey(CountKind.of(row.text("kind")), row.text("hook"), row.text("mapping"));
        return new Row(row.text("writer"), count(row, key));
    }

    private static PeriodCount count(ResultRow row, CountKey key) throws SQLException {
        DurationHistogram durations = new DurationHistogram();
        durations.addText(row.text("durations"));
        return new PeriodCount(row.number("start"), key, row.number("number"), row.number("latest"), durations);
    }

    /** The counts that no page shows any more. */
    static ExpiredRows expired() {
        return (sql, now, most) -> {
            boolean more = false;
            for (CountPeriod period : CountPeriod.values()) {
                more |= delete(sql, period, now);
            }
            return more;
        };
    }

    private static boolean delete(SqlTransaction sql, CountPeriod period, Instant now) throws SQLException {
        long step = period.stepMillis();
        return sql.update(DELETE, step, period.earliest(now), PIECE * step, step) > 0;
    }
}
