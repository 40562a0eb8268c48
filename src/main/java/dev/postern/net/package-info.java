/**
 * What the rooms that speak to services outside share.
 *
 * <p>In: the executor that runs what comes in, and the heads of answers. Out: an HTTP client, and pauses. Called by: agent,
 * channel. Imports: nothing of ours.
 */
@NullMarked
package dev.postern.net;

import org.jspecify.annotations.NullMarked;
