/**
 * Durable, bounded acceptance of allowed actions, once per idempotency key.
 *
 * <p>In: allowed actions. Out: ids of committed rows; and, for dispatch, the only SQL on the intake tables. Called by:
 * ingress, heartbeat, dispatch. Imports: model, store.
 */
@NullMarked
package dev.postern.acceptance;

import org.jspecify.annotations.NullMarked;
