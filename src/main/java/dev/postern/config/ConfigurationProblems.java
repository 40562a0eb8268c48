package dev.postern.config;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** A collector of problems and warnings, each once and in the order in which they were found. */
public final class ConfigurationProblems {

    private final Set<ConfigurationProblem> problems = new LinkedHashSet<>();
    private final Set<ConfigurationWarning> warnings = new LinkedHashSet<>();

    /**
     * Adds a problem.
     *
     * @param setting the setting's full name; empty for the whole configuration
     */
    public void add(String setting, ValueOrigin origin, String wrong, String instead) {
        String named = setting.isEmpty() ? ConfigurationFile.WHOLE : setting;
        problems.add(new ConfigurationProblem(named, origin, wrong, instead));
    }

    void warn(String setting, ValueOrigin origin, String text) {
        warnings.add(new ConfigurationWarning(setting, origin, text));
    }

    boolean isEmpty() {
        return problems.isEmpty();
    }

    /** The problems found so far. */
    public List<ConfigurationProblem> problems() {
        return List.copyOf(problems);
    }

    /** The warnings found so far. */
    public List<ConfigurationWarning> warnings() {
        return List.copyOf(warnings);
    }

    ConfigurationResult.Rejected rejected() {
        return new ConfigurationResult.Rejected(List.copyOf(problems), warnings(), Optional.empty());
    }

    /** As {@link #rejected()}, with the settings that could be read. */
    ConfigurationResult.Rejected rejected(Settings readable) {
        return new ConfigurationResult.Rejected(List.copyOf(problems), warnings(), Optional.of(readable));
    }
}
