package dev.postern.console;

import dev.postern.config.ConfigurationProblem;
import dev.postern.config.ConfigurationResult;
import dev.postern.config.ConfigurationResult.Configured;
import dev.postern.config.ConfigurationResult.Refused;
import dev.postern.console.ConfigurationChecker.Findings;
import java.time.Duration;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * What the next start would make of the configuration. However many ask, and however often, it is looked at every few seconds
 * at most, by one of them.
 */
final class CachedConfigurationCheck {

    private final Configured running;
    private final CachedValue<Next> next;
    private final CachedValue<Findings> findings;

    /**
     * @param running what this Postern was started with
     * @param nanos as {@link System#nanoTime}
     */
    CachedConfigurationCheck(Configured running, ConfigurationChecker configurationChecker, LongSupplier nanos) {
        this.running = running;
        this.next = new CachedValue<>(() -> next(configurationChecker.now()), Duration.ofSeconds(2), nanos);
        this.findings = new CachedValue<>(
                () -> configurationChecker.findings(configurationChecker.now()), Duration.ofSeconds(10), nanos);
    }

    /**
     * What the next start would find.
     *
     * @param problems why it would be refused, as far as that shows without looking into templates and scripts
     * @param changed the settings that would be others
     */
    record Next(List<String> problems, List<String> changed) {}

    Next next() {
        return next.get();
    }

    /** Everything that is to be said of the configuration as it is now; may take seconds. */
    Findings findings() {
        return findings.get();
    }

    private Next next(ConfigurationResult now) {
        return now instanceof Refused refused
                ? new Next(
                        refused.problems().stream()
                                .map(ConfigurationProblem::toString)
                                .toList(),
                        List.of())
                : new Next(List.of(), running.differences((Configured) now));
    }
}
