package dev.postern.dispatch;

import dev.postern.acceptance.HeartbeatRepository;
import dev.postern.acceptance.RunEndWaiters;
import dev.postern.acceptance.RunRepository;
import dev.postern.agent.TranscriptRepository;
import dev.postern.agent.TurnRunner;
import dev.postern.approval.ApprovalRepository;
import dev.postern.channel.DeliveryOperations;
import dev.postern.channel.DeliveryRepository;
import dev.postern.channel.HookDeliveryWriter;
import dev.postern.channel.Outbox;
import dev.postern.config.AgentSettings;
import dev.postern.config.Settings;
import dev.postern.model.DeliveryState;
import dev.postern.model.IdGenerator;
import dev.postern.model.OutboxEntry;
import dev.postern.model.Recipient;
import dev.postern.model.SessionId;
import dev.postern.store.BatchWrite;
import dev.postern.store.Store;
import dev.postern.store.StoreException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongSupplier;

/**
 * A dispatcher that claims committed runs and heartbeats, runs their turns and writes the results. It makes no thread:
 * timed tasks run on the clock thread, turns and deliveries on borrowed threads.
 */
public final class Dispatcher {

    private static final Logger LOG = System.getLogger(Dispatcher.class.getName());

    private final Store store;
    private final RunRepository runRepository;
    private final ExecutorGateway threads;
    private final DispatchClock clock;
    private final DeliveryRepository deliveryRepository;
    private final Outbox outbox;
    private final HookDeliveryWriter hookDeliveryWriter;
    private final TurnWorkers workers;
    private final ClusterNode node;
    private final ClaimLoop claims;
    private final GroupCloser groupCloser;
    private final Optional<ClockSetbackCorrection> clockSetbackCorrection;
    private final ExpiredDataCleanup expiredDataCleanup;
    private final RunWaiterSweep runWaiterSweep;
    private final RunCanceller runCanceller;
    private final OperatorCommands operatorCommands;
    private final NextHeartbeatForecast outlook;
    private final DispatchShutdown shutdown;
    private final DispatchCounters dispatchCounters = new DispatchCounters();
    private final String id;
    private final DispatchIntervals dispatchIntervals;

    /**
     * @param clock one thread that never blocks, for everything that is timed; stays the caller's
     * @param threads runs turns and deliveries; stays the caller's, and outlives {@link #stop}
     * @param nanos as {@link System#nanoTime}, for the time limits of turns
     */
    public Dispatcher(
            ScheduledExecutorService clock,
            Settings settings,
            DispatcherDependencies dispatcherDependencies,
            ExecutorService threads,
            InstantSource time,
            LongSupplier nanos) {
        this(clock, settings, dispatcherDependencies, threads, time, nanos, DispatchIntervals.NORMAL);
    }

    Dispatcher(
            ScheduledExecutorService clock,
            Settings settings,
            DispatcherDependencies dispatcherDependencies,
            ExecutorService threads,
            InstantSource time,
            LongSupplier nanos,
            DispatchIntervals dispatchIntervals) {
        this.store = dispatcherDependencies.store();
        this.runRepository = dispatcherDependencies.runs();
        RunEndWaiters watch = dispatcherDependencies.watch();
        this.threads = new ExecutorGateway(threads);
        this.dispatchIntervals = dispatchIntervals;
        this.runWaiterSweep = new RunWaiterSweep(watch, store);
        this.clock = new DispatchClock(clock);
        AgentSettings agents = settings.agents();
        IdGenerator idGenerator = new IdGenerator(time);
        TranscriptRepository transcript = new TranscriptRepository();
        this.deliveryRepository = new DeliveryRepository(
                dispatcherDependencies.channels(),
                idGenerator,
                dispatcherDependencies.eventReporter(),
                dispatcherDependencies.pending()::change,
                agent -> agents.resolve(agent).heartbeat().recipient());
        NodeLease lease = new NodeLease(
                idGenerator.of("node"),
                new NodeProgram(dispatcherDependencies.version(), agents.maxConcurrent()),
                dispatchIntervals.lease(),
                dispatchIntervals.silence(),
                time,
                System::nanoTime);
        this.id = lease.id();
        UndeliveredReplyNotice undeliveredReplyNotice = new UndeliveredReplyNotice(dispatcherDependencies.events());
        this.outbox = new Outbox(
                store,
                deliveryRepository,
                dispatcherDependencies.channels(),
                lease.id(),
                settings.deliveries().maxAttempts(),
                Outbox.AT_ONCE,
                undeliveredReplyNotice,
                dispatcherDependencies.delivering(),
                time);
        dispatcherDependencies.eventReporter().onAdded(outbox::signal);
        this.hookDeliveryWriter =
                new HookDeliveryWriter(deliveryRepository, dispatcherDependencies.channels(), outbox::signal);
        ApprovalRepository approvals = new ApprovalRepository(idGenerator);
        HeartbeatRepository heartbeats = new HeartbeatRepository(time, dispatcherDependencies.pending());
        TurnRepositories tables = new TurnRepositories(
                runRepository,
                dispatcherDependencies.events(),
                heartbeats,
                transcript,
                deliveryRepository,
                dispatcherDependencies.spending(),
                dispatcherDependencies.budgets(),
                dispatcherDependencies.eventReporter(),
                approvals);
        TurnRunner turnRunner = new TurnRunner(store, transcript, dispatcherDependencies.backends());
        ProviderRetrySchedule retrySchedule =
                new ProviderRetrySchedule(agents.defaults().retryFor(), time, () -> ThreadLocalRandom.current()
                        .nextDouble());
        RunReporter runReporter = new RunReporter(agents, tables, time, dispatchCounters, watch::signal);
        RunExecutor runExecutor = new RunExecutor(
                store, agents, turnRunner, retrySchedule, tables, runReporter, time, dispatchCounters, outbox::signal);
        HeartbeatClaimer heartbeatClaimer = new HeartbeatClaimer(agents, tables.events(), heartbeats, time, nanos);
        Duration heartbeatTimeout = agents.defaults().timeout();
        HeartbeatTurnCompletions heartbeatCompletions = new HeartbeatTurnCompletions(
                tables, time, dispatchCounters, heartbeatClaimer, heartbeatTimeout, outbox::signal);
        HeartbeatTurn.Dependencies heartbeatTurns = new HeartbeatTurn.Dependencies(
                store,
                agents,
                idGenerator,
                turnRunner,
                tables.budgets(),
                tables.events(),
                heartbeatCompletions,
                dispatchCounters,
                heartbeatTimeout);
        TurnCompletionWriter turnCompletionWriter = new TurnCompletionWriter(store, this.threads, this.clock);
        this.workers = new TurnWorkers(
                agents.maxConcurrent(),
                this.threads,
                turnCompletionWriter,
                nanos,
                lease::expiryReason,
                this::notifyWork);
        this.outlook = new NextHeartbeatForecast(agents, time);
        TurnClaimer ready = new TurnClaimer(
                lease,
                dispatchIntervals.poll(),
                nanos,
                runRepository,
                heartbeats,
                heartbeatClaimer,
                runExecutor,
                heartbeatTurns);
        this.claims = new ClaimLoop(store, ready, workers, this.clock, time, dispatchIntervals.gap(), dispatchCounters);
        this.groupCloser = new GroupCloser(
                store, runRepository, hookDeliveryWriter, this.clock, time, dispatchIntervals.gap(), this::notifyWork);
        this.clockSetbackCorrection = store.dialect().shared()
                ? Optional.empty()
                : Optional.of(new ClockSetbackCorrection(
                        store,
                        deliveryRepository,
                        dispatcherDependencies.budgets(),
                        this.clock,
                        time,
                        nanos,
                        this::lookForWork));
        DeadNodeCleanup deadNodeCleanup = new DeadNodeCleanup(
                lease,
                store,
                runRepository,
                heartbeatCompletions::endWithItsNode,
                runReporter,
                dispatchCounters,
                agents.defaults().maxAttempts(),
                this.threads,
                this::wakeAll);
        this.node =
                new ClusterNode(lease, dispatchIntervals, runRepository, deadNodeCleanup, store, workers, this.clock);
        this.runCanceller = new RunCanceller(
                store,
                runRepository,
                runReporter,
                workers,
                this.threads,
                this.clock,
                dispatchIntervals.renew(),
                this::wakeAll);
        DeliveryOperations deliveryOperations =
                new DeliveryOperations(deliveryRepository, dispatcherDependencies.channels(), undeliveredReplyNotice);
        this.operatorCommands = new OperatorCommands(
                store,
                agents,
                runCanceller,
                runRepository,
                tables.events(),
                approvals,
                hookDeliveryWriter,
                deliveryOperations,
                time,
                this::wakeAll);
        this.expiredDataCleanup = new ExpiredDataCleanup(
                store,
                transcript,
                deliveryRepository,
                approvals,
                settings.retention().keep(),
                settings.hooks().idempotencyTtl(),
                dispatcherDependencies.expiredRows(),
                time);
        this.shutdown = new DispatchShutdown(
                groupCloser, claims, workers, turnCompletionWriter, outbox, watch, node, this.clock);
    }

    /**
     * Recovers the work of earlier nodes, and begins to work.
     *
     * @throws StoreException when the database doesn't respond; nothing was begun then, and {@link #stop} must still be
     *     called
     */
    public void start() throws StoreException {
        node.enter();
        store.writeAndWait(runRepository::endHolds);
        clock.every(dispatchIntervals.poll(), this::poll);
        clock.every(dispatchIntervals.look(), workers::look);
        clock.every(dispatchIntervals.renew(), claims::settle);
        runCanceller.start();
        clock.soon(groupCloser::look);
        Duration some = Duration.ofNanos(ThreadLocalRandom.current()
                .nextLong(1 + dispatchIntervals.firstTidy().toNanos()));
        clock.every(
                dispatchIntervals.firstTidy().plus(some),
                dispatchIntervals.tidy(),
                () -> runOnBorrowedThread(expiredDataCleanup::tidy));
        wakeAll();
    }

    /** Signals the dispatcher to look for work soon. Called after each acceptance. Never blocks, and is cheap. */
    public void notifyWork() {
        claims.signal();
    }

    /** Signals the dispatcher that a group of requests is due at {@code due}. Never blocks, and is cheap. */
    public void notifyGroupDue(Instant due) {
        groupCloser.signalAt(due);
    }

    private void wakeAll() {
        notifyWork();
        outbox.signal();
    }

    /** The commands for operators; to be used between {@link #start} and {@link #stop}. */
    public OperatorCommands operatorCommands() {
        return operatorCommands;
    }

    /** Takes the deliveries that requests ask for without an agent, in the transaction that accepts them. */
    public BatchWrite<OutboxEntry, Boolean> hookDeliveries() {
        return hookDeliveryWriter;
    }

    /** This node's id in the database. */
    public String node() {
        return id;
    }

    /** The metrics of dispatch since the start. */
    public DispatchMetrics metrics() {
        return dispatchCounters.snapshot(workers.running());
    }

    /** The number of deliveries that ended in {@code state} on this node since the start. */
    public long deliveriesEnded(DeliveryState state) {
        return deliveryRepository.ended(state);
    }

    /** The number of deliveries that are still to be sent, by any node. */
    public long deliveriesPending() throws StoreException {
        return store.read(deliveryRepository::pending);
    }

    /** The number of tool calls that wait for an operator's approval, on any node. */
    public long undecidedApprovals() throws StoreException {
        return store.read(ApprovalRepository::undecided);
    }

    /** The number of runs that wait for a provider that is down, of all nodes. */
    public long runsWaitingForProvider() throws StoreException {
        return store.read(RunRepository::waitingForProvider);
    }

    /** The number of runs that wait for a budget, of all nodes. */
    public long runsHeldByBudgets() throws StoreException {
        return store.read(RunRepository::heldByBudgets);
    }

    /** The recipient of a reply of {@code session} to {@link Recipient#LAST} at this time. */
    public Recipient lastTarget(SessionId session) throws StoreException {
        return store.read(sql -> deliveryRepository.last(sql, session));
    }

    /** The forecast of the next heartbeats. */
    public NextHeartbeatForecast heartbeatForecast() {
        return outlook;
    }

    /**
     * Ends dispatch, in this order:
     *
     * <ol>
     *   <li>No new claims. Claimed turns that have not begun are given back.
     *   <li>Running turns may end, for up to {@code grace}.
     *   <li>The remaining turns are interrupted, their processes ended, their runs queued again; the attempt counts.
     *   <li>The delivery in progress may end; the rest stays in the outbox.
     *   <li>Waiters for runs are notified.
     *   <li>This node is removed from the node table, and its tasks on the clock thread are dropped.
     * </ol>
     *
     * The clock, the executor and the store are the caller's, and must not be closed before.
     */
    public void stop(Duration grace) {
        shutdown.stop(grace);
    }

    private void poll() {
        clockSetbackCorrection.ifPresent(ClockSetbackCorrection::look);
        lookForWork();
        if (!runWaiterSweep.isIdle()) {
            runOnBorrowedThread(runWaiterSweep::look);
        }
    }

    private void lookForWork() {
        wakeAll();
        groupCloser.look();
    }

    /** Runs {@code task} on a borrowed thread; without a free thread, a later interval runs it. */
    private void runOnBorrowedThread(Runnable task) {
        if (!threads.run(task)) {
            LOG.log(Level.DEBUG, "No thread available; retrying at the next interval");
        }
    }
}
