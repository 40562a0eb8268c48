package dev.postern.acceptance;

import dev.postern.model.DurationFormatter;
import dev.postern.model.HookResult;
import dev.postern.model.IdGenerator;
import dev.postern.model.LoggedRequest;
import dev.postern.model.OperatorResult;
import dev.postern.model.OutboxEntry;
import dev.postern.model.Receipt;
import dev.postern.model.RunId;
import dev.postern.model.RunLookup;
import dev.postern.model.RunState;
import dev.postern.store.BatchWrite;
import dev.postern.store.Store;
import dev.postern.store.StoreException;
import dev.postern.store.UncertainCommitException;
import dev.postern.store.UnitOfWork;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/**
 * The entry point for submissions. When it returns {@link HookResult.Accepted}, the actions are on disk. Safe for use
 * by many threads.
 */
public final class Intake {

    private static final Duration RETRY_WHEN_OVERLOADED = Duration.ofSeconds(10);
    private static final Duration RETRY_WHEN_UNAVAILABLE = Duration.ofSeconds(5);
    private static final OperatorResult AGAIN_UNAVAILABLE =
            new OperatorResult.Unavailable("The database does not answer; nothing was done. Try again in a moment.");

    private final Store store;
    private final InstantSource clock;
    private final IdGenerator idGenerator;
    private final PendingActionCounter pending;
    private final int maxPending;
    private final HookResult overloaded = new HookResult.Overloaded(RETRY_WHEN_OVERLOADED, "hooks.maxPending");
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
    private final List<Consumer<Instant>> groupListeners = new CopyOnWriteArrayList<>();
    private final SubmissionBatchWriter submissionBatchWriter;

    /**
     * @param pending shared with {@link RunRepository} and {@link HeartbeatRepository}
     * @param idempotencyTtl the time for which a key returns its first result
     * @param rule what else may refuse submissions
     * @param requestLog adds accepted requests to the request log, in the commit that accepts them
     * @param outbox takes accepted deliveries, in the same commit
     */
    public Intake(
            Store store,
            InstantSource clock,
            IdGenerator idGenerator,
            PendingActionCounter pending,
            PendingLimits limits,
            Duration idempotencyTtl,
            AcceptanceRule rule,
            BatchWrite<LoggedRequest, Boolean> requestLog,
            BatchWrite<OutboxEntry, Boolean> outbox) {
        this.store = store;
        this.clock = clock;
        this.idGenerator = idGenerator;
        this.pending = pending;
        this.maxPending = limits.total();
        this.submissionBatchWriter = new SubmissionBatchWriter(
                pending,
                /* sendersPending= */ new LimitedPendingCounter(
                        LimitedPendingCounter.Owner.SENDER,
                        limits.ofSenders(),
                        RETRY_WHEN_OVERLOADED,
                        System::nanoTime),
                /* mappingsPending= */ new LimitedPendingCounter(
                        LimitedPendingCounter.Owner.MAPPING,
                        limits.ofMappings(),
                        RETRY_WHEN_OVERLOADED,
                        System::nanoTime),
                maxPending,
                rule,
                /* keys= */ new IdempotencyKeyTable(idempotencyTtl),
                overloaded,
                requestLog,
                outbox,
                /* accepted= */ () -> listeners.forEach(Runnable::run),
                /* groupOpened= */ due -> groupListeners.forEach(listener -> listener.accept(due)));
    }

    /** Accepts all actions of {@code submission} or none; waits for one group commit at most. */
    public HookResult accept(Submission submission) {
        PreparedSubmission preparedSubmission = PreparedSubmission.of(submission, idGenerator, clock.millis());
        boolean full = pending.value() + preparedSubmission.size() > maxPending && !pending.isStale();
        if (full && !preparedSubmission.hasKey() && submission.coalescing() == null) {
            return overloaded;
        }
        try {
            return store.writeAndWait(submissionBatchWriter, preparedSubmission);
        } catch (UncertainCommitException e) {
            return new HookResult.Uncertain(RETRY_WHEN_UNAVAILABLE);
        } catch (StoreException e) {
            return new HookResult.Unavailable(RETRY_WHEN_UNAVAILABLE);
        }
    }

    /**
     * Accepts a run that has ended once more: the same turn, as policy has allowed it before, behind everything that
     * its session has queued. Waits for one group commit at most.
     *
     * @param attempt reruns of the run with the same one are accepted once; at most 100 characters
     */
    public OperatorResult rerun(RunId id, String attempt) {
        Optional<RerunSource> earlier;
        try {
            earlier = store.read(sql -> RerunSource.find(sql, id, attempt));
        } catch (StoreException e) {
            return AGAIN_UNAVAILABLE;
        }
        if (earlier.isEmpty()) {
            return new OperatorResult.NotFound();
        }
        RunState state = earlier.get().state();
        return state.ended()
                ? rerun(accept(earlier.get().asked()))
                : new OperatorResult.Conflict(
                        "The run is still " + state.wire() + ". It can run again after it has ended.");
    }

    private static OperatorResult rerun(HookResult acceptance) {
        if (acceptance instanceof HookResult.Accepted accepted
                && accepted.receipts().get(0) instanceof Receipt.Run run) {
            return new OperatorResult.Done(
                    accepted.replayed()
                            ? "The run was accepted again before; nothing was done."
                            : "The run is accepted again, as this new run.",
                    run.id());
        }
        if (acceptance instanceof HookResult.Overloaded full) {
            return new OperatorResult.Unavailable(
                    "Too many actions are pending (" + full.setting() + "). Try again later.");
        }
        if (acceptance instanceof HookResult.BudgetSpent spent) {
            return new OperatorResult.Unavailable("The budget " + spent.budget() + " is spent. Try again in "
                    + DurationFormatter.precise(spent.retryAfter()) + ".");
        }
        return acceptance instanceof HookResult.Uncertain
                ? new OperatorResult.Unavailable(
                        "The database did not confirm the new run. Check the runs before you try again.")
                : AGAIN_UNAVAILABLE;
    }

    /** The run called {@code id} with its deliveries. */
    public RunLookup run(RunId id) {
        try {
            return store.read(sql -> RunViewReader.find(sql, id))
                    .<RunLookup>map(RunLookup.Found::new)
                    .orElseGet(RunLookup.Unknown::new);
        } catch (StoreException e) {
            return new RunLookup.Unavailable();
        }
    }

    /**
     * The revisions of {@code runs}, by run: a text that changes whenever a run begins to wait, to run or to end. A run that
     * does not exist has none.
     *
     * @return empty if the database could not be queried
     */
    public Optional<Map<RunId, String>> revisions(Collection<RunId> runs) {
        try {
            return Optional.of(store.read(sql -> RunRevisionReader.find(sql, runs)));
        } catch (StoreException e) {
            return Optional.empty();
        }
    }

    /** The delivery called {@code id}, which has no agent. */
    public RunLookup delivery(String id) {
        try {
            return store.read(sql -> DeliveryViewReader.find(sql, id))
                    .<RunLookup>map(RunLookup.FoundDelivery::new)
                    .orElseGet(RunLookup.Unknown::new);
        } catch (StoreException e) {
            return new RunLookup.Unavailable();
        }
    }

    /**
     * The number of accepted actions that are not done, of all nodes on the database.
     *
     * @throws StoreException when nodes share the database and it does not answer
     */
    public long pending() throws StoreException {
        return pending.total(store);
    }

    /** The waiting time of the run that has waited longest for its turn; zero when none waits. */
    public Duration oldestWaiting() throws StoreException {
        return age(RunRepository::oldestQueued);
    }

    /** The waiting time of the event that has waited longest for a heartbeat; zero when none waits. */
    public Duration oldestWaitingEvent() throws StoreException {
        return age(EventRepository::oldestWaiting);
    }

    private Duration age(UnitOfWork<Optional<Instant>> oldest) throws StoreException {
        return store.read(oldest)
                .map(since -> Duration.between(since, clock.instant()))
                .filter(waited -> !waited.isNegative())
                .orElse(Duration.ZERO);
    }

    /**
     * Adds {@code listener}, to run after each commit with something new, on the commit thread. It must only hand the
     * signal on.
     */
    public void onAccepted(Runnable listener) {
        listeners.add(listener);
    }

    /**
     * Adds {@code listener}, to be called after each commit that opens groups of requests, on the commit thread, with the
     * time at which the first of them is due. It must only hand the signal on.
     */
    public void onGroupOpened(Consumer<Instant> listener) {
        groupListeners.add(listener);
    }
}
