package dev.postern.config;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What was found wrong or remarkable so far, each thing once and in the order of finding. */
final class Problems {

    private final Set<Problem> problems = new LinkedHashSet<>();
    private final Set<Warning> warnings = new LinkedHashSet<>();

    void add(String setting, Origin origin, String wrong, String instead) {
        problems.add(new Problem(setting, origin, wrong, instead));
    }

    void warn(String setting, Origin origin, String text) {
        warnings.add(new Warning(setting, origin, text));
    }

    boolean isEmpty() {
        return problems.isEmpty();
    }

    List<Warning> warnings() {
        return List.copyOf(warnings);
    }

    Configuration.Refused refused() {
        return new Configuration.Refused(List.copyOf(problems), warnings(), Optional.empty());
    }

    /** As {@link #refused()}, with what could be read of {@code hooks} all the same. */
    Configuration.Refused refused(Hooks readable) {
        return new Configuration.Refused(List.copyOf(problems), warnings(), Optional.of(readable));
    }
}
