package dev.postern.ingress;

import dev.postern.mapping.HookRegistry.Considered;
import dev.postern.mapping.MappingResult;
import dev.postern.policy.PolicyDecision;
import java.time.Duration;
import java.util.List;

/**
 * An explanation of what a payload leads to, without anything being done.
 *
 * @param considered the mappings considered, in order; the last one took the payload unless it has an obstacle too
 * @param missing the positions of its templates without a value, one line each
 * @param mapped the result of the mapping
 * @param isUnattributed whether the event carries the mark of a delivery that can't be looked up
 * @param decisions the policy's decisions on the actions, in order
 * @param took the time from the first byte to the last policy decision
 */
public record Explanation(
        List<Considered> considered,
        List<String> missing,
        MappingResult mapped,
        boolean isUnattributed,
        List<Decided> decisions,
        Duration took) {

    public Explanation {
        considered = List.copyOf(considered);
        missing = List.copyOf(missing);
        decisions = List.copyOf(decisions);
    }

    /**
     * The policy's decision on an action.
     *
     * @param fallbacks the models that are asked next while that of the turn is down
     * @param budgets the ids of the budgets that the turn counts against
     */
    public record Decided(PolicyDecision decision, List<String> fallbacks, List<String> budgets) {

        public Decided {
            fallbacks = List.copyOf(fallbacks);
            budgets = List.copyOf(budgets);
        }
    }
}
