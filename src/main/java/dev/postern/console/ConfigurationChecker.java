package dev.postern.console;

import dev.postern.config.ConfigurationResult;
import java.util.List;

/** Looks at the configuration again, as the next start would, and changes nothing. To be asked by a thread that serves a request. */
public interface ConfigurationChecker {

    /** What is configured now. */
    ConfigurationResult now();

    /** All that is to be said of {@code configuration}, its templates, scripts and samples included; may take seconds. */
    Findings findings(ConfigurationResult configuration);

    /**
     * What is to be said of a configuration, a line each, without secrets.
     *
     * @param problems why it can't be run on
     * @param warnings what its operator should know
     */
    record Findings(List<String> problems, List<String> warnings) {

        public Findings {
            problems = List.copyOf(problems);
            warnings = List.copyOf(warnings);
        }
    }
}
