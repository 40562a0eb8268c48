/**
 * The execution of committed runs: claimed, run in session order, finished, summarised, delivered.
 *
 * <p>In: the database. Out: ended runs; no other package changes a run's state. Called by: console, app. Imports:
 * model, acceptance, agent, heartbeat, channel, store.
 */
@NullMarked
package dev.postern.dispatch;

import org.jspecify.annotations.NullMarked;
