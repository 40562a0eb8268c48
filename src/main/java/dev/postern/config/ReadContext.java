package dev.postern.config;

import java.nio.file.Path;
import java.time.ZoneId;
import java.util.Map;
import java.util.function.Supplier;

/**
 * The context in which every section is read.
 *
 * @param home the directory that relative paths are resolved against, absolute
 * @param userHome the directory that {@code ~} stands for
 * @param zone the time zone of settings that name none
 * @param variables the environment variables of the process
 * @param references the resolver of secret references
 * @param problems the collector of problems and warnings
 */
record ReadContext(
        Path home,
        String userHome,
        Supplier<ZoneId> zone,
        Map<String, String> variables,
        SecretReferences references,
        ConfigurationProblems problems) {}
