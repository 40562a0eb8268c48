/**
 * Takes one turn: session transcript, boundary, backend.
 *
 * <p>In: a session and a message. Out: a reply, or why there is none. Called by: heartbeat, dispatch. Imports:
 * model, store.
 */
@NullMarked
package dev.postern.agent;

import org.jspecify.annotations.NullMarked;
