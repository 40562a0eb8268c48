package dev.postern.dispatch;

import dev.postern.acceptance.EventRepository;
import dev.postern.acceptance.HeartbeatRequest;
import dev.postern.acceptance.RunRepository;
import dev.postern.approval.ApprovalRepository;
import dev.postern.channel.DeliveryOperations;
import dev.postern.channel.HookDeliveryWriter;
import dev.postern.config.AgentSettings;
import dev.postern.model.ApprovalDecision;
import dev.postern.model.OperatorResult;
import dev.postern.model.RunId;
import dev.postern.store.SqlTransaction;
import dev.postern.store.Store;
import dev.postern.store.StoreException;
import java.sql.SQLException;
import java.time.InstantSource;

/**
 * The commands of operators on runs, events, heartbeats and deliveries. Each is on disk when its method returns. A
 * {@link StoreException} says that the database rejected the command or did not confirm it; the command may be
 * repeated. Authorization and the audit log are the caller's responsibility. Safe for use by many threads, which wait
 * for the database.
 */
public final class OperatorCommands {

    private final Store store;
    private final AgentSettings agents;
    private final RunCanceller runCanceller;
    private final RunRepository runRepository;
    private final EventRepository eventRepository;
    private final ApprovalRepository approvals;
    private final HookDeliveryWriter hookDeliveryWriter;
    private final DeliveryOperations deliveries;
    private final InstantSource clock;
    private final Runnable wake;

    /**
     * @param wake signals dispatch to look for work
     */
    OperatorCommands(
            Store store,
            AgentSettings agents,
            RunCanceller runCanceller,
            RunRepository runRepository,
            EventRepository eventRepository,
            ApprovalRepository approvals,
            HookDeliveryWriter hookDeliveryWriter,
            DeliveryOperations deliveries,
            InstantSource clock,
            Runnable wake) {
        this.store = store;
        this.agents = agents;
        this.runCanceller = runCanceller;
        this.runRepository = runRepository;
        this.eventRepository = eventRepository;
        this.approvals = approvals;
        this.hookDeliveryWriter = hookDeliveryWriter;
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

    /** Removes the event {@code id} from those that wait for a heartbeat, for good. */
    public OperatorResult discard(String id) throws StoreException {
        return store.writeAndWait(sql -> eventRepository.discard(sql, id));
    }

    /** Makes a heartbeat of the agent {@code agentId} due now, also where it has no periodic ones. */
    public OperatorResult requestHeartbeat(String agentId) throws StoreException {
        return agents.list().stream().anyMatch(agent -> agent.id().equals(agentId))
                ? woken(store.writeAndWait(sql -> HeartbeatRequest.ask(sql, agentId, clock.instant())))
                : new OperatorResult.NotFound();
    }

    /**
     * Decides about the tool call {@code id}, whose turn waits for it. The first decision counts.
     *
     * @param decision {@code APPROVED} or {@code REFUSED}
     * @param operator the operator's name
     */
    public OperatorResult decide(String id, ApprovalDecision decision, String operator) throws StoreException {
        return woken(store.writeAndWait(sql -> {
            ApprovalRepository.Written written = approvals.decide(sql, id, decision, operator, clock.instant());
            if (written.run() != null) {
                runRepository.resume(sql, written.run());
            }
            return written.result();
        }));
    }

    /**
     * Sends the delivery {@code id} soon, as {@link DeliveryOperations#tryAgain} says. One that collects further requests
     * waits for no more.
     */
    public OperatorResult tryAgain(String id) throws StoreException {
        return woken(store.writeAndWait(sql -> {
            endCollecting(sql, id);
            return deliveries.tryAgain(sql, id, clock.instant());
        }));
    }

    /**
     * Gives up the delivery {@code id}, as {@link DeliveryOperations#giveUp} says. One that collects further requests is
     * given up with all of its requests; later ones begin another.
     */
    public OperatorResult giveUp(String id) throws StoreException {
        return woken(store.writeAndWait(sql -> {
            endCollecting(sql, id);
            return deliveries.giveUp(sql, id, clock.instant());
        }));
    }

    private void endCollecting(SqlTransaction sql, String id) throws SQLException {
        hookDeliveryWriter.run(sql, runRepository.closeGroup(sql, id));
    }

    private OperatorResult woken(OperatorResult what) {
        wake.run();
        return what;
    }
}
