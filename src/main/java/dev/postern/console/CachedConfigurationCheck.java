package dev.postern.console;

import dev.postern.config.ConfigurationProblem;
import dev.postern.config.ConfigurationResult;
import dev.postern.config.ConfigurationResult.Configured;
import dev.postern.config.ConfigurationResult.Rejected;
import dev.postern.console.ConfigurationChecker.Findings;
import java.time.Duration;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * A check of the configuration as the next start would read it, whose result is kept for some seconds. However many requests
 * ask for it, one of them at a time runs the check.
 */
final class CachedConfigurationCheck {

    private final Configured running;
    private final CachedValue<Next> next;
    private final CachedValue<Findings> findings;

    /**
     * @param running the configuration that this Postern was started with
     * @param nanos as {@link System#nanoTime}
     */
    CachedConfigurationCheck(Configured running, ConfigurationChecker configurationChecker, LongSupplier nanos) {
        this.running = running;
        this.next = new CachedValue<>(() -> next(configurationChecker.now()), Duration.ofSeconds(2), nanos);
        this.findings = new CachedValue<>(
                () -> configurationChecker.findings(configurationChecker.now()), Duration.ofSeconds(10), nanos);
    }

    /**
     * The configuration that the next start would find.
     *
     * @param problems the reasons why the start would fail, as far as they show without compiling templates and scripts
     * @param changed the settings whose values would be different
     */
    record Next(List<String> problems, List<String> changed) {}

    Next next() {
        return next.get();
    }

    /** All problems and warnings of the configuration as it is now; may take seconds. */
    Findings findings() {
        return findings.get();
    }

    private Next next(ConfigurationResult now) {
        return now instanceof Rejected rejected
                ? new Next(
                        rejected.problems().stream()
                                .map(ConfigurationProblem::toString)
                                .toList(),
                        List.of())
                : new Next(List.of(), running.differences((Configured) now));
    }
}
