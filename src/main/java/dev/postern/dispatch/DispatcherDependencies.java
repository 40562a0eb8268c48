package dev.postern.dispatch;

import dev.postern.acceptance.EventRepository;
import dev.postern.acceptance.PendingActionCounter;
import dev.postern.acceptance.RunEndWaiters;
import dev.postern.acceptance.RunRepository;
import dev.postern.agent.BackendRegistry;
import dev.postern.budget.BudgetRegistry;
import dev.postern.budget.SpendingRecorder;
import dev.postern.channel.ChannelRegistry;
import dev.postern.channel.EventReporter;
import dev.postern.channel.Outbox;
import dev.postern.store.ExpiredRows;
import dev.postern.store.Store;
import java.util.concurrent.Executor;

/**
 * The dependencies of the dispatcher on other packages.
 *
 * @param delivering the threads for deliveries: {@link Outbox#AT_ONCE} for each channel and one more
 * @param watch signalled for each run that ends
 * @param spending the recorder of what turns have spent
 * @param budgets the budgets, which let turns begin or wait
 * @param pending the counter of pending actions, shared with {@link RunRepository}
 * @param eventReporter reports what happens to the channels that subscribe to it
 * @param expiredRows the rows to delete in addition to those of the dispatcher's own tables
 * @param version Postern's version, which other nodes see
 */
public record DispatcherDependencies(
        Store store,
        RunRepository runs,
        EventRepository events,
        BackendRegistry backends,
        ChannelRegistry channels,
        Executor delivering,
        RunEndWaiters watch,
        SpendingRecorder spending,
        BudgetRegistry budgets,
        PendingActionCounter pending,
        EventReporter eventReporter,
        ExpiredRows expiredRows,
        String version) {}
