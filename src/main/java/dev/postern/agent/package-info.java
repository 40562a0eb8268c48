/**
 * Agent turns: session transcript, boundary, backend.
 *
 * <p>In: a session and a message. Out: a reply, or the reason why there is none. Called by: heartbeat, dispatch. Imports:
 * model, store.
 */
@NullMarked
package dev.postern.agent;

import org.jspecify.annotations.NullMarked;
