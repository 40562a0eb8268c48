/**
 * The tokens and the cost of turns, by hook, sender, agent, provider, model and time.
 *
 * <p>In: what each turn has used, in the transaction that completes it. Out: rows of the table {@code spending}, their sums for
 * the operator, and counters. Called by: dispatch, app, console. Imports: model, store.
 */
@NullMarked
package dev.postern.budget;

import org.jspecify.annotations.NullMarked;
