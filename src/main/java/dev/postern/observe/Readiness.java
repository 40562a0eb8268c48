package dev.postern.observe;

import java.util.List;

/**
 * The readiness of Postern to accept requests, with the results of all checks.
 *
 * @param ready whether no component is down
 * @param findings the result of each component, in the order of registration
 */
public record Readiness(boolean ready, List<Finding> findings) {

    /** The result of one component's check. */
    public record Finding(String part, HealthCheck check) {}

    static Readiness of(List<Finding> findings) {
        boolean ready = findings.stream().noneMatch(finding -> finding.check() instanceof HealthCheck.Down);
        return new Readiness(ready, List.copyOf(findings));
    }
}
