package dev.postern.console;

import dev.postern.config.ConfigurationResult.Configured;
import java.time.Instant;

/**
 * The Postern that runs, as it was started.
 *
 * @param version ours
 * @param configured what it runs on
 * @param checking looks at the configuration again
 */
public record RunningInstance(
        String version, Configured configured, ConfigurationChecker checking, Instant startedAt) {}
