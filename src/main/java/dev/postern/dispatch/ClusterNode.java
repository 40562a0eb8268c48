package dev.postern.dispatch;

import dev.postern.acceptance.RunRepository;
import dev.postern.store.SqlDialect;
import dev.postern.store.SqlTransaction;
import dev.postern.store.Store;
import dev.postern.store.StoreException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.SQLException;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/*
 * Two nodes must not run turns in one session. A node that can't renew its lease can't know whether others have taken
 * its session locks. So when the last successful renewal was begun a lease ago, it interrupts its turns and begins no
 * other until a renewal works again. The others declare it dead later than that. For them its silence lasts from the
 * response in which they saw the last renewal, which was begun before, to the beginning of their latest check, and must
 * be longer than the lease. Each renewal is numbered, and sets an alarm for the end of its lease: on the clock thread's
 * own time, which no change of the wall clock moves.
 *
 * A frozen node can't interrupt anything, and at first doesn't know how long it was frozen. So nothing counts that it
 * continues: its writes are checked against its claims in the same transaction, and before a turn or a delivery begins
 * the database is asked whether the claim still holds. Each step of a turn checks the lease before it does something
 * outside. Something that a turn began outside, such as a program that was not frozen with the node, may continue until
 * the turn's thread checks again or the alarm fires; both happen at once after the thaw.
 *
 * On SQLite the home belongs to this node as long as it lives, whatever the database does.
 */
/** The membership of this node in the cluster: it renews the lease, and interrupts the turns when the lease ends. */
final class ClusterNode {

    private static final Logger LOG = System.getLogger(ClusterNode.class.getName());

    private final NodeLease lease;
    private final DispatchIntervals dispatchIntervals;
    private final RunRepository runRepository;
    private final DeadNodeCleanup deadNodeCleanup;
    private final Store store;
    private final TurnWorkers workers;
    private final DispatchClock clock;
    private long begun;
    private long renewed;
    private boolean expired;
    private volatile boolean left;

    ClusterNode(
            NodeLease lease,
            DispatchIntervals dispatchIntervals,
            RunRepository runRepository,
            DeadNodeCleanup deadNodeCleanup,
            Store store,
            TurnWorkers workers,
            DispatchClock clock) {
        this.lease = lease;
        this.dispatchIntervals = dispatchIntervals;
        this.runRepository = runRepository;
        this.deadNodeCleanup = deadNodeCleanup;
        this.store = store;
        this.workers = workers;
        this.clock = clock;
    }

    private record NodeRows(boolean known, Map<String, Long> others) {}

    /**
     * Adds this node to the node table, recovers the session locks of nodes known to be dead, and renews the lease from
     * now on. Called once.
     */
    void enter() throws StoreException {
        renewed = beginRenewal();
        long begunAt = lease.nanos();
        NodeRows nodeRows = store.writeAndWait(this::call);
        lease.lasts(store.dialect(), begunAt);
        deadNodeCleanup.cleanUpAndWait(lease.dead(store.dialect(), nodeRows.others(), begunAt));
        clock.after(dispatchIntervals.renew(), this::renew);
    }

    /** Renews the lease and looks for dead nodes; doesn't wait for the database. On the clock thread. */
    private void renew() {
        if (left) {
            return;
        }
        long number = beginRenewal();
        long begunAt = lease.nanos();
        try {
            var unused = store.write(this::call)
                    .whenComplete((nodeRows, failure) -> clock.soon(() -> called(number, begunAt, nodeRows, failure)));
        } catch (RuntimeException | Error e) {
            called(number, begunAt, null, e);
        }
    }

    /**
     * Removes this node from the node table, and gives back the session locks that it holds without knowing it. Called
     * when no turn is in progress.
     */
    void leave() {
        left = true;
        try {
            store.writeAndWait(sql -> {
                runRepository.giveBackAllExcept(sql, lease.id(), Set.of());
                lease.leave(sql);
                return true;
            });
        } catch (StoreException e) {
            LOG.log(Level.INFO, "Could not leave the cluster; another node removes this one: {0}", e.getMessage());
        }
    }

    private long beginRenewal() {
        long number = ++begun;
        clock.after(dispatchIntervals.lease(), () -> ended(number));
        return number;
    }

    private NodeRows call(SqlTransaction sql) throws SQLException {
        store.readClock(sql);
        return new NodeRows(lease.renew(sql), lease.others(sql));
    }

    private void called(long number, long begunAt, @Nullable NodeRows nodeRows, @Nullable Throwable failure) {
        clock.after(dispatchIntervals.renew(), this::renew);
        if (nodeRows == null) {
            lease.missed();
            LOG.log(Level.DEBUG, "The lease could not be renewed: {0}", String.valueOf(failure));
            return;
        }
        renewed = number;
        lease.lasts(store.dialect(), begunAt);
        if (!nodeRows.known()) {
            LOG.log(Level.WARNING, "Other nodes declared this node dead; its turns are interrupted and run elsewhere");
            expired = true;
            giveUpTurns("another node that took over");
        }
        if (expired && lease.expiryReason().isEmpty()) { // a renewal may arrive so late that its own lease is over
            expired = false;
            workers.resume();
        }
        deadNodeCleanup.cleanUp(lease.dead(store.dialect(), nodeRows.others(), begunAt), clock);
    }

    /** Handles the end of the lease of renewal {@code number}, unless a later renewal has extended it. */
    private void ended(long number) {
        if (renewed > number || expired || left || store.dialect() == SqlDialect.SQLITE) {
            return;
        }
        expired = true;
        LOG.log(
                Level.WARNING,
                "The database did not respond for {0} s, so other nodes may declare this node dead; its turns are"
                        + " interrupted and run again",
                dispatchIntervals.lease().toSeconds());
        giveUpTurns(NodeLease.OVER);
    }

    private void giveUpTurns(String reason) {
        workers.hold();
        workers.interrupt(reason);
    }
}
