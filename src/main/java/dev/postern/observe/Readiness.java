package dev.postern.observe;

import java.util.List;

/**
 * Whether Postern can take requests, and if not, why.
 *
 * @param ready whether no part is down
 * @param findings every part that was looked at, in the order of registration
 */
public record Readiness(boolean ready, List<Finding> findings) {

    /** What was found of one part. */
    public record Finding(String part, HealthCheck check) {}

    static Readiness of(List<Finding> findings) {
        boolean ready = findings.stream().noneMatch(finding -> finding.check() instanceof HealthCheck.Down);
        return new Readiness(ready, List.copyOf(findings));
    }
}
