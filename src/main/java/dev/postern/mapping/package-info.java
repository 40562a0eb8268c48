/**
 * Turns any payload into actions, by the operator's mappings and then the presets'.
 *
 * <p>In: payload and headers. Out: a list of actions, nothing to do, no match, or a located fault. Called by:
 * ingress. Imports: model.
 */
@NullMarked
package dev.postern.mapping;

import org.jspecify.annotations.NullMarked;
