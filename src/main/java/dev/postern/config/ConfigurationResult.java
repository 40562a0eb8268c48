package dev.postern.config;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** What came of looking for the configuration: settings that work, or every reason why they don't. */
public sealed interface ConfigurationResult {

    /** What an operator should know, whichever the outcome is. */
    List<ConfigurationWarning> warnings();

    /**
     * Settings that work.
     *
     * @param files the configuration files that were read, the main one first
     * @param setUp what was made, when the home was empty and has just been set up
     * @param values the same as {@code settings}, each with where it was read, for a person
     */
    record Configured(
            Settings settings,
            HomeDirectory home,
            List<Path> files,
            Optional<SetUp> setUp,
            List<Value> values,
            List<ConfigurationWarning> warnings)
            implements ConfigurationResult {

        public Configured {
            files = List.copyOf(files);
            values = List.copyOf(values);
            warnings = List.copyOf(warnings);
        }

        /** The full names of the settings that are different in {@code other}, those of secrets too. */
        public List<String> differences(Configured other) {
            return SettingsDifference.between(this, other);
        }

        /** The names of the files; empty where there is none. */
        public Optional<String> fileNames() {
            return files.stream().map(Path::toString).reduce((one, other) -> one + " and " + other);
        }

        /** The effective configuration in one line without secrets, as far as it is known before a start. */
        public String summary() {
            return SettingsSummary.of(this);
        }

        /** The effective configuration in one line without secrets, for the log of a start that uses {@code database}. */
        public String summary(String database) {
            return SettingsSummary.of(this, database);
        }
    }

    /**
     * Settings that can't work.
     *
     * @param problems all that show without looking into templates and scripts; never empty
     * @param readable what could be read of {@code hooks} all the same, to look into its mappings' templates and scripts,
     *     and not to run on
     */
    record Refused(
            List<ConfigurationProblem> problems, List<ConfigurationWarning> warnings, Optional<HookSettings> readable)
            implements ConfigurationResult {

        public Refused {
            problems = List.copyOf(problems);
            warnings = List.copyOf(warnings);
        }
    }

    /**
     * One setting as it is in effect.
     *
     * @param setting the full name, such as {@code hooks.path}
     * @param value as it was written; of a secret, at most the reference by which it was given; empty where there is none
     * @param origin where it was read; {@code default} where nobody gave it
     */
    record Value(String setting, String value, ValueOrigin origin) {}

    /**
     * What a fresh home was given.
     *
     * @param file the configuration file
     * @param tokenFile holds the new hook token, readable by its owner alone
     */
    record SetUp(Path file, Path tokenFile) {}
}
