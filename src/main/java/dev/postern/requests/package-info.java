/**
 * The durable log of admitted requests.
 *
 * <p>In: admitted requests with their responses. Out: rows of the table {@code request}, and its queries for the operator.
 * Called by: acceptance through the store, console, app. Imports: model, store.
 */
@NullMarked
package dev.postern.requests;

import org.jspecify.annotations.NullMarked;
