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
 * Two nodes must not work in one lane. A node that can't renew its lease can't know whether others have taken its lanes,
 * so when the last renewal that worked was begun a lease ago, it gives its turns up and begins no other until one works
 * again. The others see it dead later than that: for them its silence has lasted from the answer in which they saw the last
 * renewal, which was begun before, to the beginning of their latest look, and must be longer than the lease. Each renewal
 * is numbered, and sets an alarm for the end of the lease that it may have brought: the clock thread's own time, which no
 * change of the wall clock moves.
 *
 * A node that was frozen can't give up anything while it is, and doesn't know at first how long it was. So nothing that it
 * goes on with counts: what it writes is checked against its claims in the same transaction, and before a turn or a
 * delivery begins the database is asked whether it is still this node's. Each step of a turn asks whether the lease is
 * over before it does something outside. What a turn had begun there, such as a program that was not frozen with it, may go
 * on until the turn's thread looks again, or the alarm rings, both at once after the thaw.
 *
 * On SQLite the home is this node's as long as it lives, whatever the database does.
 */
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

    private record Roll(boolean known, Map<String, Long> others) {}

    /** Enters this node, takes back the lanes of those known to be dead, and renews the lease from now on. Called once. */
    void enter() throws StoreException {
        renewed = beginRenewal();
        long begunAt = lease.nanos();
        Roll roll = store.writeAndWait(this::call);
        lease.lasts(store.dialect(), begunAt);
        deadNodeCleanup.buryAndWait(lease.dead(store.dialect(), roll.others(), begunAt));
        clock.after(dispatchIntervals.renew(), this::renew);
    }

    /** Says that this node is alive, and looks for dead ones; doesn't wait for the database. On the clock thread. */
    private void renew() {
        if (left) {
            return;
        }
        long number = beginRenewal();
        long begunAt = lease.nanos();
        try {
            var unused = store.write(this::call)
                    .whenComplete((roll, failure) -> clock.soon(() -> called(number, begunAt, roll, failure)));
        } catch (RuntimeException | Error e) {
            called(number, begunAt, null, e);
        }
    }

    /** Strikes this node off, and gives back what it holds without knowing it; to be called when no turn is under way. */
    void leave() {
        left = true;
        try {
            store.writeAndWait(sql -> {
                runRepository.giveBackAllBut(sql, lease.id(), Set.of());
                lease.leave(sql);
                return true;
            });
        } catch (StoreException e) {
            LOG.log(Level.INFO, "This node could not be struck off; the next one does it: {0}", e.getMessage());
        }
    }

    private long beginRenewal() {
        long number = ++begun;
        clock.after(dispatchIntervals.lease(), () -> ended(number));
        return number;
    }

    private Roll call(SqlTransaction sql) throws SQLException {
        store.readClock(sql);
        return new Roll(lease.renew(sql), lease.others(sql));
    }

    private void called(long number, long begunAt, @Nullable Roll roll, @Nullable Throwable failure) {
        clock.after(dispatchIntervals.renew(), this::renew);
        if (roll == null) {
            lease.missed();
            LOG.log(Level.DEBUG, "The lease could not be renewed: {0}", String.valueOf(failure));
            return;
        }
        renewed = number;
        lease.lasts(store.dialect(), begunAt);
        if (!roll.known()) {
            LOG.log(Level.WARNING, "This node was taken for dead; its turns are given up and run again elsewhere");
            giveUpTurns("another node that took over");
        }
        if (expired || !roll.known()) {
            expired = false;
            workers.resume();
        }
        deadNodeCleanup.bury(lease.dead(store.dialect(), roll.others(), begunAt), clock);
    }

    /** The lease that renewal {@code number} may have brought ends now; another may have been brought since. */
    private void ended(long number) {
        if (renewed > number || expired || left || store.dialect() == SqlDialect.SQLITE) {
            return;
        }
        expired = true;
        LOG.log(
                Level.WARNING,
                "The database did not answer for {0} s, so that other nodes may take this one for dead; its turns are"
                        + " given up and run again",
                dispatchIntervals.lease().toSeconds());
        giveUpTurns(NodeLease.OVER);
    }

    private void giveUpTurns(String reason) {
        workers.hold();
        workers.interrupt(reason);
    }
}
