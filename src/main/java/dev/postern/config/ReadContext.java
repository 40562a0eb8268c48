package dev.postern.config;

import java.nio.file.Path;
import java.time.ZoneId;
import java.util.Map;
import java.util.function.Supplier;

/**
 * What reading any section takes.
 *
 * @param home what relative paths stand against, absolute
 * @param userHome what {@code ~} stands for
 * @param zone the time zone of whoever doesn't name one
 * @param variables the environment variables of the process
 */
record ReadContext(
        Path home,
        String userHome,
        Supplier<ZoneId> zone,
        Map<String, String> variables,
        SecretReferences references,
        ConfigurationProblems problems) {}
