/**
 * The operator's page: what arrived and what became of it.
 *
 * <p>In: an operator's request. Out: pages. Called by: the container, wired by app. Imports: model, ingress,
 * dispatch.
 */
@NullMarked
package dev.postern.console;

import org.jspecify.annotations.NullMarked;
