/**
 * Turns a payload into actions: the two fixed hooks here, any other by the operator's mappings and then the presets'.
 *
 * <p>In: a {@code HookRequest} and its payload. Out: actions, no such hook, or the field at fault. Called by: ingress. Imports: model.
 */
@NullMarked
package dev.postern.mapping;

import org.jspecify.annotations.NullMarked;
