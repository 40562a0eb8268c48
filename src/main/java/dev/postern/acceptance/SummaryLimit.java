package dev.postern.acceptance;

import dev.postern.store.SqlTransaction;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.SQLException;

/**
 * Bounds the summaries that wait in a main session. Wakes are bounded when they are accepted; summaries come of work
 * that was accepted long ago, and where no heartbeat takes them, as with heartbeats that are off, they would pile up for
 * ever. Past {@value #MOST} the oldest {@value #PIECE} are dropped: what the agent has not looked at for ten thousand
 * runs tells it nothing any more, and each run can still be asked for.
 */
final class SummaryLimit {

    static final int MOST = 10_000;

    /** So many at once, so that they are counted once in so many runs. */
    static final int PIECE = 1_000;

    private static final Logger LOG = System.getLogger(SummaryLimit.class.getName());

    private static final String WAITING = " FROM event WHERE session_key = ? AND taken_at IS NULL AND kind = 'summary'";

    /** Each event has a number of its own, so there can't be too many where the oldest is not far behind. */
    private static final String OLD =
            "SELECT 1" + WAITING + " AND seq <= (SELECT tail FROM session WHERE key = ?) - ? LIMIT 1";

    private static final String ONE_TOO_MANY = "SELECT seq" + WAITING + " ORDER BY seq DESC LIMIT 1 OFFSET ?";

    private static final String DROP = "DELETE FROM event WHERE id IN (SELECT id" + WAITING + " ORDER BY seq LIMIT ?)";

    private SummaryLimit() {}

    /** Drops the oldest of the session {@code key} where there are too many, and says so. */
    static void bound(SqlTransaction sql, String key) throws SQLException {
        boolean tooMany = sql.first(OLD, row -> true, key, key, MOST).isPresent()
                && sql.first(ONE_TOO_MANY, row -> true, key, MOST).isPresent();
        if (tooMany) {
            int dropped = sql.update(DROP, key, PIECE);
            sql.afterCommit(() -> LOG.log(
                    Level.WARNING,
                    "More than {0} summaries wait in [{1}], and no heartbeat takes them; dropped the oldest: {2}",
                    MOST,
                    key,
                    dropped));
        }
    }
}
