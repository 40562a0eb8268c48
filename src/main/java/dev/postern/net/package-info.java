/**
 * What the rooms that speak to services outside share.
 *
 * <p>In: the executor that runs what comes in. Out: an HTTP client. Called by: agent, channel. Imports: nothing of ours.
 */
@NullMarked
package dev.postern.net;

import org.jspecify.annotations.NullMarked;
