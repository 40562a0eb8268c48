package dev.postern.policy;

import dev.postern.model.AllowedAction;
import dev.postern.model.Rejection;

/** What policy says of an action: let through with every choice made, or which rule it broke. */
public sealed interface PolicyDecision {

    /** The action may be accepted as it stands here. */
    record Allowed(AllowedAction action) implements PolicyDecision {}

    /** The action may not be accepted. */
    record Denied(Rejection rejection) implements PolicyDecision {}
}
