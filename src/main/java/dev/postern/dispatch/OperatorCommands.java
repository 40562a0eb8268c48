package dev.postern.dispatch;

import dev.postern.acceptance.HeartbeatRequest;
import dev.postern.channel.DeliveryOperations;
import dev.postern.config.Settings.Agents;
import dev.postern.model.OperatorResult;
import dev.postern.model.RunId;
import dev.postern.store.Store;
import dev.postern.store.StoreException;
import java.time.InstantSource;

/**
 * The commands of operators on runs, heartbeats and deliveries. Each is on disk when its method returns. A
 * {@link StoreException} says that the database rejected the command or did not confirm it; the command may be
 * repeated. Authorization and the audit log are the caller's responsibility. Safe for use by many threads, which wait
 * for the database.
 */
public final class OperatorCommands {

    private final Store store;
    private final Agents agents;
    private final RunCanceller runCanceller;
    private final DeliveryOperations deliveries;
    private final InstantSource clock;
    private final Runnable wake;

    /**
     * @param wake signals dispatch to look for work
     */
    OperatorCommands(
            Store store,
            Agents agents,
            RunCanceller runCanceller,
            DeliveryOperations deliveries,
            InstantSource clock,
            Runnable wake) {
        this.store = store;
        this.agents = agents;
        this.runCanceller = runCanceller;
        this.deliveries = deliveries;
        this.clock = clock;
        this.wake = wake;
    }

    /**
     * Cancels a run: at once where it is queued, within seconds where a node runs its turn. Its summary is posted as
     * for any other run, and its waiters are notified.
     */
    public OperatorResult cancel(RunId run) throws StoreException {
        return runCanceller.cancel(run);
    }

    /** Makes a heartbeat of the agent {@code agentId} due now, also where it has no periodic ones. */
    public OperatorResult requestHeartbeat(String agentId) throws StoreException {
        return agents.list().stream().anyMatch(agent -> agent.id().equals(agentId))
                ? woken(store.writeAndWait(sql -> HeartbeatRequest.ask(sql, agentId, clock.instant())))
                : new OperatorResult.NotFound();
    }

    /** Sends the delivery {@code id} soon, as {@link DeliveryOperations#tryAgain} says. */
    public OperatorResult tryAgain(String id) throws StoreException {
        return woken(store.writeAndWait(sql -> deliveries.tryAgain(sql, id, clock.instant())));
    }

    /** Gives up the delivery {@code id}, as {@link DeliveryOperations#giveUp} says. */
    public OperatorResult giveUp(String id) throws StoreException {
        return woken(store.writeAndWait(sql -> deliveries.giveUp(sql, id, clock.instant())));
    }

    private OperatorResult woken(OperatorResult what) {
        wake.run();
        return what;
    }
}
