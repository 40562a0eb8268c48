/**
 * The policy for actions: checks each action as asked and fills in what it left open (agent, session key, model,
 * bounds).
 *
 * <p>In: a {@code HookAction}. Out: an {@code AllowedAction}, or which rule it broke. Called by: ingress. Imports:
 * model.
 */
@NullMarked
package dev.postern.policy;

import org.jspecify.annotations.NullMarked;
