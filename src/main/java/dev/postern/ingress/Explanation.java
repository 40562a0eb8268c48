package dev.postern.ingress;

import dev.postern.mapping.HookRegistry.Considered;
import dev.postern.mapping.MappingResult;
import dev.postern.policy.PolicyDecision;
import java.time.Duration;
import java.util.List;

/**
 * What would become of a payload, without any of it being done.
 *
 * @param considered the mappings that were looked at, in order; the last one took the payload unless it has an obstacle
 *     too
 * @param mapped what the payload asks for
 * @param judgements what policy says of each action, in order
 * @param took from the first byte to policy's last word
 */
public record Explanation(
        List<Considered> considered, MappingResult mapped, List<PolicyDecision> judgements, Duration took) {

    public Explanation {
        considered = List.copyOf(considered);
        judgements = List.copyOf(judgements);
    }
}
