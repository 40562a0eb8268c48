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
 * What an operator may do to work behind the wall. Each of it is on disk when the answer comes; a {@link StoreException}
 * says that the database did not take it, or did not say whether it has, and may be repeated. Who may do it, and that it
 * is written down who has, is the caller's business. Safe for use by many threads, which wait for the database.
 */
public final class OperatorCommands {

    private final Store store;
    private final Agents agents;
    private final RunCanceller runCanceller;
    private final DeliveryOperations deliveries;
    private final InstantSource clock;
    private final Runnable wake;

    /**
     * @param wake has dispatch look for work
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
     * Has a run end as cancelled: at once where it is queued, within seconds where a node takes its turn. Its summary is
     * posted as that of any other, and those who wait for it are told.
     */
    public OperatorResult cancel(RunId run) throws StoreException {
        return runCanceller.cancel(run);
    }

    /** Has a heartbeat of the agent called {@code agentId} due now, also where it has no periodic ones. */
    public OperatorResult beat(String agentId) throws StoreException {
        return agents.list().stream().anyMatch(agent -> agent.id().equals(agentId))
                ? woken(store.writeAndWait(sql -> HeartbeatRequest.ask(sql, agentId, clock.instant())))
                : new OperatorResult.NotFound();
    }

    /** Has the delivery called {@code id} sent soon, as {@link DeliveryOperations#tryAgain} says. */
    public OperatorResult tryAgain(String id) throws StoreException {
        return woken(store.writeAndWait(sql -> deliveries.tryAgain(sql, id, clock.instant())));
    }

    /** Has the delivery called {@code id} not be sent any more, as {@link DeliveryOperations#giveUp} says. */
    public OperatorResult giveUp(String id) throws StoreException {
        return woken(store.writeAndWait(sql -> deliveries.giveUp(sql, id, clock.instant())));
    }

    private OperatorResult woken(OperatorResult what) {
        wake.run();
        return what;
    }
}
