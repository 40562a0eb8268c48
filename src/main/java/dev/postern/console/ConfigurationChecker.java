package dev.postern.console;

import dev.postern.config.ConfigurationResult;
import java.util.List;

/**
 * A checker that reads the configuration again, as the next start would, and changes nothing. It has to be called by a thread
 * that serves a request.
 */
public interface ConfigurationChecker {

    /** The configuration as it is now. */
    ConfigurationResult now();

    /**
     * The configuration that the next start would read with {@code text} in the main file. A reference to a secret is resolved
     * only if the present configuration has it.
     *
     * @param text YAML or JSON
     */
    ConfigurationResult with(String text);

    /** The findings in {@code configuration}, its templates, scripts and samples included; may take seconds. */
    Findings findings(ConfigurationResult configuration);

    /**
     * The problems and warnings of a configuration, a line each, without secrets.
     *
     * @param problems the reasons why Postern can't start on it
     * @param warnings lines that its operator should know
     */
    record Findings(List<String> problems, List<String> warnings) {

        public Findings {
            problems = List.copyOf(problems);
            warnings = List.copyOf(warnings);
        }
    }
}
