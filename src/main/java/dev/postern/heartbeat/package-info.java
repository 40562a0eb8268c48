/**
 * The prompt and the schedule of heartbeats, which handle the waiting events of a main session in one turn.
 *
 * <p>In: a heartbeat. Out: events removed when the turn succeeded. Called by: dispatch. Imports: model, acceptance,
 * agent.
 */
@NullMarked
package dev.postern.heartbeat;

import org.jspecify.annotations.NullMarked;
