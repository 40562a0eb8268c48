/**
 * Makes an allowed action a promise: durable, once per idempotency key, bounded.
 *
 * <p>In: allowed actions. Out: ids of committed rows; and, for dispatch, the intake tables' only SQL. Called by:
 * ingress, heartbeat, dispatch. Imports: model, store.
 */
@NullMarked
package dev.postern.acceptance;

import org.jspecify.annotations.NullMarked;
