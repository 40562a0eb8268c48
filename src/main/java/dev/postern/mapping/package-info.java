/**
 * Turns a payload into actions. Two fixed hooks are built in; all others use the operator's mappings, then the presets.
 *
 * <p>In: a {@code HookRequest} and its payload. Out: actions, no such hook, or the field with an error. Called by: ingress.
 * Imports: model.
 */
@NullMarked
package dev.postern.mapping;

import org.jspecify.annotations.NullMarked;
