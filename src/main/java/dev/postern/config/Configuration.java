package dev.postern.config;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** What came of looking for the configuration: settings that work, or every reason why they don't. */
public sealed interface Configuration {

    /** What an operator should know, whichever the outcome is. */
    List<Warning> warnings();

    /**
     * Settings that work.
     *
     * @param file the configuration file that was read; empty where there is none
     * @param setUp what was made, when the home was empty and has just been set up
     */
    record Configured(Settings settings, Home home, Optional<Path> file, Optional<SetUp> setUp, List<Warning> warnings)
            implements Configuration {

        public Configured {
            warnings = List.copyOf(warnings);
        }

        /** The effective configuration in one line without secrets, for the log. */
        public String summary() {
            return Summary.of(this);
        }
    }

    /**
     * Settings that can't work.
     *
     * @param problems all that show without looking into templates and scripts; never empty
     * @param readable what could be read of {@code hooks} all the same, to look into its mappings' templates and scripts,
     *     and not to run on
     */
    record Refused(List<Problem> problems, List<Warning> warnings, Optional<Hooks> readable) implements Configuration {

        public Refused {
            problems = List.copyOf(problems);
            warnings = List.copyOf(warnings);
        }
    }

    /**
     * What a fresh home was given.
     *
     * @param file the configuration file
     * @param tokenFile holds the new hook token, readable by its owner alone
     */
    record SetUp(Path file, Path tokenFile) {}
}
