package dev.postern.dispatch;

import dev.postern.acceptance.EventRepository;
import dev.postern.acceptance.RunEndWaiters;
import dev.postern.acceptance.RunRepository;
import dev.postern.agent.BackendRegistry;
import dev.postern.channel.ChannelRegistry;
import dev.postern.channel.Outbox;
import dev.postern.store.Store;
import java.util.concurrent.Executor;

/**
 * The other rooms, as far as dispatch goes into them.
 *
 * @param delivering lends the threads that deliveries are sent on, {@link Outbox#AT_ONCE} for each channel and one more
 * @param watch told of each run that ends
 */
public record DispatcherDependencies(
        Store store,
        RunRepository runs,
        EventRepository events,
        BackendRegistry backends,
        ChannelRegistry channels,
        Executor delivering,
        RunEndWaiters watch) {}
