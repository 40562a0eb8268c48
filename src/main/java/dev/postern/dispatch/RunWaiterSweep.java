package dev.postern.dispatch;

import dev.postern.acceptance.RunEndWaiters;
import dev.postern.model.RunId;
import dev.postern.store.SqlDialect;
import dev.postern.store.SqlTransaction;
import dev.postern.store.Store;
import dev.postern.store.StoreException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** A sweep that notifies the waiters whose wait is over, and the waiters for runs that another node ended. */
final class RunWaiterSweep {

    private static final Logger LOG = System.getLogger(RunWaiterSweep.class.getName());

    private static final int BATCH = 1_000;

    /** PostgreSQL's SQL: with SQLite, this node ends all runs itself. */
    private static final String ENDED =
            "SELECT id FROM run WHERE id = ANY (string_to_array(?, ',')) AND finished_at IS NOT NULL";

    private final RunEndWaiters watch;
    private final Store store;

    RunWaiterSweep(RunEndWaiters watch, Store store) {
        this.watch = watch;
        this.store = store;
    }

    /** True when there are no waiters, and so nothing to do. */
    boolean isIdle() {
        return watch.watched().isEmpty();
    }

    /** Sweeps once; blocks. */
    void look() {
        watch.expire();
        if (store.dialect() == SqlDialect.SQLITE) {
            return;
        }
        try {
            List<RunId> watched = watch.watched();
            store.read(sql -> ended(sql, watched)).forEach(watch::signal);
        } catch (StoreException e) {
            LOG.log(Level.DEBUG, "Could not read which watched runs have ended: {0}", e.getMessage());
        }
    }

    private static List<RunId> ended(SqlTransaction sql, List<RunId> watched) throws SQLException {
        List<RunId> ended = new ArrayList<>();
        for (int from = 0; from < watched.size(); from += BATCH) {
            String ids = watched.subList(from, Math.min(from + BATCH, watched.size())).stream()
                    .map(RunId::value)
                    .collect(Collectors.joining(","));
            ended.addAll(sql.query(ENDED, row -> new RunId(row.text("id")), ids));
        }
        return ended;
    }
}
