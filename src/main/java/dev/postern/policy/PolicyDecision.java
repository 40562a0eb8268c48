package dev.postern.policy;

import dev.postern.model.AllowedAction;
import dev.postern.model.Rejection;

/**
 * A decision of the policy on one action: allowed with all defaults filled in, or denied with the rule that it breaks.
 */
public sealed interface PolicyDecision {

    /**
     * The action may be accepted.
     *
     * @param action the action with all defaults filled in
     */
    record Allowed(AllowedAction action) implements PolicyDecision {}

    /**
     * The action may not be accepted.
     *
     * @param rejection the rule that it breaks
     */
    record Denied(Rejection rejection) implements PolicyDecision {}
}
