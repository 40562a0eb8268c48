package dev.postern.dispatch;

import dev.postern.acceptance.Events;
import dev.postern.acceptance.RunWatch;
import dev.postern.acceptance.Runs;
import dev.postern.agent.Backends;
import dev.postern.channel.Channels;
import dev.postern.store.Store;

/**
 * The other rooms, as far as dispatch goes into them.
 *
 * @param watch told of each run that ends
 */
public record Rooms(Store store, Runs runs, Events events, Backends backends, Channels channels, RunWatch watch) {}
