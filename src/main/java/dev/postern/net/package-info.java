/**
 * What rooms share that speak to services outside, or to the file system.
 *
 * <p>In: the executor that runs what comes in, the heads of answers, paths. Out: an HTTP client, pauses, files that not
 * everybody can open. Called by: agent, channel, config, store. Imports: nothing of ours.
 */
@NullMarked
package dev.postern.net;

import org.jspecify.annotations.NullMarked;
