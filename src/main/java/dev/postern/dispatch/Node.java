package dev.postern.dispatch;

import dev.postern.acceptance.Interrupted;
import dev.postern.acceptance.Runs;
import dev.postern.model.RunState;
import dev.postern.store.Sql;
import dev.postern.store.Store;
import dev.postern.store.StoreException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Keeps this node among the living, and takes back the lanes of the dead: their runs are queued again, or failed. */
final class Node {

    private static final Logger LOG = System.getLogger(Node.class.getName());

    private final NodeLease lease;
    private final Store store;
    private final Runs runs;
    private final RunTurns runTurns;
    private final int maxAttempts;
    private final Clock clock;
    private final Consumer<Runnable> lend;
    private final Runnable takenForDead;
    private final Runnable recovered;
    private final AtomicBoolean renewing = new AtomicBoolean();

    /**
     * @param lend runs what would hold up the clock
     * @param takenForDead told when others have taken this node's lanes away
     * @param recovered told when there may be work in lanes that were taken back
     */
    Node(
            NodeLease lease,
            Store store,
            Runs runs,
            RunTurns runTurns,
            int maxAttempts,
            Clock clock,
            Consumer<Runnable> lend,
            Runnable takenForDead,
            Runnable recovered) {
        this.lease = lease;
        this.store = store;
        this.runs = runs;
        this.runTurns = runTurns;
        this.maxAttempts = maxAttempts;
        this.clock = clock;
        this.lend = lend;
        this.takenForDead = takenForDead;
        this.recovered = recovered;
    }

    private record Roll(boolean known, Map<String, Long> others) {}

    /** Enters this node, and takes back the lanes of those known to be dead. */
    void enter() throws StoreException {
        Roll roll = store.writeAndWait(this::call);
        List<String> dead = lease.dead(store.dialect(), roll.others());
        tell(dead, store.writeAndWait(sql -> bury(sql, dead)));
    }

    /** Says that this node is alive, and looks for dead ones; doesn't wait for the database. */
    void renew() {
        if (!renewing.compareAndSet(false, true)) {
            return;
        }
        var unused = store.write(this::call).whenComplete((roll, failure) -> clock.soon(() -> called(roll, failure)));
    }

    /** Strikes this node off, once it holds no lane. */
    void leave() {
        try {
            store.writeAndWait(sql -> {
                lease.remove(sql, lease.id());
                return true;
            });
        } catch (StoreException e) {
            LOG.log(Level.INFO, "This node could not be struck off; the next one does it: {0}", e.getMessage());
        }
    }

    private Roll call(Sql sql) throws SQLException {
        return new Roll(lease.renew(sql), lease.others(sql));
    }

    private void called(@Nullable Roll roll, @Nullable Throwable failure) {
        renewing.set(false);
        if (roll == null) {
            LOG.log(Level.DEBUG, "The lease could not be renewed: {0}", failure);
            return;
        }
        if (!roll.known()) {
            LOG.log(Level.WARNING, "This node was taken for dead; its turns are given up and run again elsewhere");
            takenForDead.run();
        }
        List<String> dead = lease.dead(store.dialect(), roll.others());
        if (!dead.isEmpty()) {
            var unused =
                    store.write(sql -> bury(sql, dead)).thenAccept(failed -> lend.accept(() -> tell(dead, failed)));
        }
    }

    private List<Interrupted> bury(Sql sql, List<String> dead) throws SQLException {
        List<Interrupted> failed = new ArrayList<>(runs.recover(sql, dead, maxAttempts));
        for (Interrupted run : failed) {
            runTurns.postInterrupted(sql, run);
        }
        for (String node : dead) {
            lease.remove(sql, node);
        }
        return failed;
    }

    private void tell(List<String> dead, List<Interrupted> failed) {
        if (dead.isEmpty()) {
            return;
        }
        LOG.log(
                Level.INFO,
                "Took over from nodes that ended without a word: {0}; runs that had no attempt left: {1}",
                dead.size(),
                failed.size());
        failed.forEach(run -> runTurns.tellEnded(run.id(), RunState.FAILED));
        recovered.run();
    }
}
