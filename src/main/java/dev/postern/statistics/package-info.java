/**
 * The counts of responses and of ended runs by period, so that no page has to count the request log.
 *
 * <p>In: the entries of the request log and the ends of runs. Out: rows of the table {@code period_count}, and their sums for
 * the operator. Called by: app, console. Imports: model, store.
 */
@NullMarked
package dev.postern.statistics;

import org.jspecify.annotations.NullMarked;
