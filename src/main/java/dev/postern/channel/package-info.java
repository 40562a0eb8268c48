/**
 * Delivers replies to recipients: splits, sends and retries them, and resolves the recipient {@code last}.
 *
 * <p>In: a text and a recipient. Out: a delivery's outcome. Called by: dispatch. Imports: model, store.
 */
@NullMarked
package dev.postern.channel;

import org.jspecify.annotations.NullMarked;
