package dev.postern.acceptance;

import dev.postern.store.SqlTransaction;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.SQLException;

/**
 * A limit on the summaries that wait in a main session. The intake bounds wakes. Summaries come from runs that were
 * accepted long ago, and without heartbeats, as when they are off, they would accumulate for ever. Past {@value #MOST}
 * the oldest {@value #PIECE} are dropped: a summary that the agent has not read for ten thousand runs is of no use any
 * more, and each run can still be looked up.
 */
final class SummaryLimit {

    static final int MOST = 10_000;

    /** The number of summaries dropped at once, so that they are counted only once in that number of runs. */
    static final int PIECE = 1_000;

    private static final Logger LOG = System.getLogger(SummaryLimit.class.getName());

    private static final String WAITING = " FROM event WHERE session_key = ? AND taken_at IS NULL AND kind = 'summary'";

    /** Each event has its own number, so there can't be too many while the oldest is not far behind. */
    private static final String OLD =
            "SELECT 1" + WAITING + " AND seq <= (SELECT tail FROM session WHERE key = ?) - ? LIMIT 1";

    private static final String ONE_TOO_MANY = "SELECT seq" + WAITING + " ORDER BY seq DESC LIMIT 1 OFFSET ?";

    private static final String DROP = "DELETE FROM event WHERE id IN (SELECT id" + WAITING + " ORDER BY seq LIMIT ?)";

    private SummaryLimit() {}

    /** Drops the oldest summaries of the session {@code key} where there are too many, and logs that. */
    static void bound(SqlTransaction sql, String key) throws SQLException {
        boolean tooMany = sql.first(OLD, row -> true, key, key, MOST).isPresent()
                && sql.first(ONE_TOO_MANY, row -> true, key, MOST).isPresent();
        if (tooMany) {
            int dropped = sql.update(DROP, key, PIECE);
            sql.afterCommit(() -> LOG.log(
                    Level.WARNING,
                    "More than {0} summaries wait in [{1}] for a heartbeat; dropped the oldest {2}",
                    MOST,
                    key,
                    dropped));
        }
    }
}
