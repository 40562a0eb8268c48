/**
 * The operators' console, which shows requests, runs, sessions and deliveries. {@link dev.postern.console.ConsoleRootResource}
 * lists its addresses.
 *
 * <p>In: a user's request. Out: pages, and the same as JSON. Called by: Jersey, wired by app. Imports: model, access,
 * acceptance, agent, channel, ingress, dispatch, store.
 */
@NullMarked
package dev.postern.console;

import org.jspecify.annotations.NullMarked;
