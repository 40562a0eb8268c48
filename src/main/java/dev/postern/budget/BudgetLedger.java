package dev.postern.budget;

import dev.postern.budget.BudgetDecision.RunCount;
import dev.postern.config.BudgetSettings;
import dev.postern.store.SqlTransaction;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The ledger of what turns have used of budgets. A claimer locks one row until its transaction ends, whatever budgets its turns
 * count against. So no window ever holds more runs than the limit, however many nodes claim at once, and no claimers wait for each
 * other in a circle. A use counts from the end of its slice of the window, a thousandth: thus the rows of a budget are few, and the
 * limit holds all the more.
 */
final class BudgetLedger {

    private static final String LOCK = "SELECT id FROM budget WHERE id = ''";
    private static final String USED =
            "SELECT CAST(COALESCE(SUM(amount), 0) AS bigint) AS used FROM budget_use WHERE budget = ? AND at > ?";
    private static final String USES = "SELECT at, amount FROM budget_use WHERE budget = ? AND at > ? ORDER BY at";
    private static final String USE =
            """
            INSERT INTO budget_use (budget, at, amount) VALUES (?, ?, ?)
            ON CONFLICT (budget, at) DO UPDATE SET amount = budget_use.amount + excluded.amount""";
    private static final String WARN =
            """
            INSERT INTO budget (id, warned_at) VALUES (?, ?)
            ON CONFLICT (id) DO UPDATE SET warned_at = excluded.warned_at WHERE budget.warned_at <= ?""";
    private static final String WARNED_AHEAD = "SELECT warned_at FROM budget WHERE id = ? AND warned_at > ?";
    private static final String MOVE_WARNING = "UPDATE budget SET warned_at = ? WHERE id = ?";
    private static final String FORGET = "DELETE FROM budget_use WHERE budget = ? AND at <= ?";

    private static final String TAKE_BACK =
            "UPDATE budget_use SET amount = amount - 1 WHERE budget = ? AND at = ? AND amount > 0";

    private static final String DELETE = "DELETE FROM budget_use WHERE budget = ? AND at = ?";

    private static final int SLICES = 1_000;

    private final InstantSource clock;

    /**
     * @param clock the time that all nodes share
     */
    BudgetLedger(InstantSource clock) {
        this.clock = clock;
    }

    /** A use of a budget. */
    private record Use(long at, long amount) {}

    /**
     * Decides whether a turn may begin under all of {@code limits}, and counts it where runs are counted. The decision holds if the
     * transaction commits.
     */
    BudgetDecision begin(SqlTransaction sql, List<BudgetSettings> limits) throws SQLException {
        sql.first(LOCK + sql.dialect().forUpdate(), row -> row.text("id"));
        // Read behind the lock, so that a claimer that waited for another counts no use at an earlier time.
        Instant now = clock.instant();
        BudgetDecision.@Nullable Spent spent = null;
        for (BudgetSettings limit : limits) {
            Optional<Instant> room = fullUntil(sql, limit, now);
            if (room.isPresent() && (spent == null || spent.until().isBefore(room.get()))) {
                spent = new BudgetDecision.Spent(limit, room.get());
            }
        }
        if (spent != null) {
            return spent;
        }
        List<RunCount> counts = new ArrayList<>();
        for (BudgetSettings limit : limits) {
            if (limit.unit() == BudgetSettings.Unit.RUNS) {
                RunCount count = new RunCount(limit.id(), sliceEnd(limit, now));
                sql.update(USE, count.budget(), count.at(), 1L);
                counts.add(count);
            }
        }
        return new BudgetDecision.Begun(counts);
    }

    /** Takes the count of a turn back, unless its window is over or a clock that was set back has moved it. */
    void takeBack(SqlTransaction sql, RunCount count) throws SQLException {
        sql.update(TAKE_BACK, count.budget(), count.at());
    }

    /**
     * Counts what a turn has used when it is completed.
     *
     * @param amount in the unit of {@code limit}, which is not runs; more than 0
     */
    void use(SqlTransaction sql, BudgetSettings limit, long amount) throws SQLException {
        sql.update(USE, limit.id(), sliceEnd(limit, clock.instant()), amount);
    }

    /** The time from which less than {@code limit} is used; empty if it is so now. */
    Optional<Instant> fullUntil(SqlTransaction sql, BudgetSettings limit) throws SQLException {
        return fullUntil(sql, limit, clock.instant());
    }

    /**
     * Notes a warning of {@code limit}, at most one in its window.
     *
     * @return whether there was none in the present window
     */
    boolean warn(SqlTransaction sql, BudgetSettings limit) throws SQLException {
        Instant now = clock.instant();
        return sql.update(WARN, limit.id(), now.toEpochMilli(), start(limit, now)) > 0;
    }

    /** How much of {@code limit} is used in the present window. */
    long used(SqlTransaction sql, BudgetSettings limit) throws SQLException {
        return used(sql, limit, clock.instant());
    }

    /** Deletes the uses that the window of {@code limit} has left behind. */
    int forget(SqlTransaction sql, BudgetSettings limit) throws SQLException {
        return sql.update(FORGET, limit.id(), start(limit, clock.instant()));
    }

    /**
     * Moves the uses of {@code limit} behind the present slice back, at most to its end, and a warning in the future, at most to
     * now.
     *
     * @param by how far the clock was set back
     */
    void moveBack(SqlTransaction sql, BudgetSettings limit, Duration by) throws SQLException {
        Instant now = clock.instant();
        long end = sliceEnd(limit, now);
        for (Use use : sql.query(USES, row -> new Use(row.number("at"), row.number("amount")), limit.id(), end)) {
            sql.update(DELETE, limit.id(), use.at());
            sql.update(USE, limit.id(), Math.min(end, use.at() - by.toMillis()), use.amount());
        }
        Optional<Long> warned = sql.first(WARNED_AHEAD, row -> row.number("warned_at"), limit.id(), now.toEpochMilli());
        if (warned.isPresent()) {
            sql.update(MOVE_WARNING, Math.min(now.toEpochMilli(), warned.get() - by.toMillis()), limit.id());
        }
    }

    private static long used(SqlTransaction sql, BudgetSettings limit, Instant now) throws SQLException {
        return sql.first(USED, row -> row.number("used"), limit.id(), start(limit, now))
                .orElse(0L);
    }

    /** The time from which less than the limit is used; empty if it is so now. */
    private static Optional<Instant> fullUntil(SqlTransaction sql, BudgetSettings limit, Instant now)
            throws SQLException {
        long used = used(sql, limit, now);
        if (used < limit.most()) {
            return Optional.empty();
        }
        long last = now.toEpochMilli();
        for (Use use : sql.query(
                USES, row -> new Use(row.number("at"), row.number("amount")), limit.id(), start(limit, now))) {
            last = use.at();
            used -= use.amount();
            if (used < limit.most()) {
                break;
            }
        }
        return Optional.of(Instant.ofEpochMilli(last).plus(limit.window()));
    }

    private static long sliceEnd(BudgetSettings limit, Instant now) {
        long slice = limit.window().toMillis() / SLICES;
        return (now.toEpochMilli() + slice - 1) / slice * slice;
    }

    /** The end of the time before the window, whose uses don't count, in milliseconds since 1970. */
    private static long start(BudgetSettings limit, Instant now) {
        return now.minus(limit.window()).toEpochMilli();
    }
}
