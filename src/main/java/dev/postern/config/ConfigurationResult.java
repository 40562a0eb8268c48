package dev.postern.config;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The result of loading the configuration: settings that work, or every problem that prevents it. */
public sealed interface ConfigurationResult {

    /** The warnings for the operator, with either result. */
    List<ConfigurationWarning> warnings();

    /**
     * A result with settings that work.
     *
     * @param files the configuration files that were read, the main one first
     * @param setUp the files that the set-up of an empty home has just written; empty without a set-up
     * @param values the same settings as text, each with its origin, for the operator
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

        /** The full names of the settings that differ in {@code other}, including those of secrets. */
        public List<String> differences(Configured other) {
            return SettingsDifference.between(this, other);
        }

        /** The names of the files in one text; empty if there is no file. */
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
     * A result without usable settings.
     *
     * @param problems every problem that shows without compiling templates and scripts; never empty
     * @param readable the settings that could be read, with gaps or defaults in place of the others; they serve to find
     *     more problems, and not to run on
     */
    record Rejected(
            List<ConfigurationProblem> problems, List<ConfigurationWarning> warnings, Optional<Settings> readable)
            implements ConfigurationResult {

        public Rejected {
            problems = List.copyOf(problems);
            warnings = List.copyOf(warnings);
        }

        /** The channels by id whose credentials can tell the account that their settings lack. */
        public Map<String, Settings.Channel> withoutAccount() {
            Map<String, Settings.Channel> channels = new LinkedHashMap<>();
            readable.ifPresent(settings -> channels.putAll(settings.channels()));
            channels.values().removeIf(channel -> {
                String account = ChannelKind.of(channel).accountSetting();
                return account == null || channel.options().containsKey(account) || hasProblem(channel.id());
            });
            return channels;
        }

        private boolean hasProblem(String channel) {
            String name = SettingNames.join(ChannelFields.CHANNELS.name(), channel);
            return problems.stream().anyMatch(problem -> (problem.setting() + ".").startsWith(name + "."));
        }
    }

    /**
     * The effective value of one setting.
     *
     * @param setting the setting's full name, such as {@code hooks.path}
     * @param value the text as it was written, for a secret at most the reference to it; empty if there is no value
     * @param origin the place where it was read; {@code default} if it was not given
     */
    record Value(String setting, String value, ValueOrigin origin) {}

    /**
     * The set-up of a fresh home.
     *
     * @param file the configuration file
     * @param tokenFile the file with the new hook token, readable by its owner alone
     */
    record SetUp(Path file, Path tokenFile) {}
}
