package dev.postern.dispatch;

import dev.postern.acceptance.Events;
import dev.postern.acceptance.RunWatch;
import dev.postern.acceptance.Runs;
import dev.postern.agent.Backends;
import dev.postern.channel.Channels;
import dev.postern.channel.Outbox;
import dev.postern.store.Store;
import java.util.concurrent.Executor;

/**
 * The other rooms, as far as dispatch goes into them.
 *
 * @param delivering lends the threads that deliveries are sent on, {@link Outbox#AT_ONCE} for each channel and one more
 * @param watch told of each run that ends
 */
public record Rooms(
        Store store,
        Runs runs,
        Events events,
        Backends backends,
        Channels channels,
        Executor delivering,
        RunWatch watch) {}
