/**
 * Takes the waiting events of a main session into one turn, on schedule or at once.
 *
 * <p>In: a beat. Out: events removed when the turn succeeded. Called by: dispatch. Imports: model, acceptance, agent.
 */
@NullMarked
package dev.postern.heartbeat;

import org.jspecify.annotations.NullMarked;
