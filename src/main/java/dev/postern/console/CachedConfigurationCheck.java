package dev.postern.console;

import dev.postern.config.ConfigurationProblem;
import dev.postern.config.ConfigurationResult;
import dev.postern.config.ConfigurationResult.Configured;
import dev.postern.config.ConfigurationResult.Rejected;
import dev.postern.console.ConfigurationChecker.Findings;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * A check of the configuration as the next start would read it. However many requests ask for it, one of them at a time runs
 * the check.
 */
final class CachedConfigurationCheck {

    private static final Duration FRESH = Duration.ofSeconds(2);

    private final Configured running;
    private final CachedValue<Next> next;
    private final CachedValue<Checked> checked;

    /**
     * @param running the configuration that this Postern was started with
     * @param clock tells the time of a check
     * @param nanos as {@link System#nanoTime}
     */
    CachedConfigurationCheck(
            Configured running, ConfigurationChecker configurationChecker, InstantSource clock, LongSupplier nanos) {
        this.running = running;
        this.next = new CachedValue<>(() -> next(configurationChecker.now()), FRESH, nanos);
        this.checked = new CachedValue<>(() -> checked(configurationChecker, clock.instant()), FRESH, nanos);
    }

    /**
     * The configuration that the next start would find.
     *
     * @param problems the reasons why the start would fail, as far as they show without compiling templates and scripts
     * @param changed the settings whose values would be different
     */
    record Next(List<String> problems, List<String> changed) {}

    /**
     * A check with templates and scripts.
     *
     * @param at the time at which it began
     * @param findings all problems and warnings of the configuration that {@code next} is about
     */
    record Checked(Instant at, Next next, Findings findings) {}

    /** The configuration as it was at most two seconds ago. */
    Next next() {
        return next.get();
    }

    /** A check that begins after this call; may take seconds. */
    Checked checked() {
        return checked.getNew();
    }

    private Checked checked(ConfigurationChecker configurationChecker, Instant at) {
        ConfigurationResult now = configurationChecker.now();
        return new Checked(at, next(now), configurationChecker.findings(now));
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
