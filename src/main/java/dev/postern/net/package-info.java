/**
 * What rooms share that speak to services outside, or to the file system.
 *
 * <p>In: the executor that runs what comes in, requests, the heads of answers, paths. Out: an HTTP client, bounded bodies,
 * access tokens, pauses, files that not everybody can open. Called by: agent, channel, config, heartbeat, mail, store.
 * Imports: model.
 */
@NullMarked
package dev.postern.net;

import org.jspecify.annotations.NullMarked;
