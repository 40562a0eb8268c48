package dev.postern.console;

import dev.postern.config.ConfigurationResult.Configured;
import java.time.Instant;

/**
 * The Postern that runs, as it was started.
 *
 * @param version Postern's version
 * @param configured the configuration that it runs on
 * @param checking reads the configuration again
 */
public record RunningInstance(
        String version, Configured configured, ConfigurationChecker checking, Instant startedAt) {}
