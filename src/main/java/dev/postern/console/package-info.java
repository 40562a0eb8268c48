/**
 * The operator's page: what arrived and what became of it.
 *
 * <p>In: an operator's request. Out: pages. Called by: the container, wired by app. Imports: model, access,
 * acceptance, agent, channel, ingress, dispatch, store.
 */
@NullMarked
package dev.postern.console;

import org.jspecify.annotations.NullMarked;
