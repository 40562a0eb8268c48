package dev.postern.config;

import dev.postern.config.SettingDeclaration.Group;
import dev.postern.config.SettingDeclaration.Setting;
import dev.postern.config.SettingDeclaration.Table;
import dev.postern.model.NearestName;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * The environment variables and system properties that are named like settings but are none. A name below a section of
 * Postern, or a typo away from a known name, was meant for Postern. It is a problem, because ignoring it could allow
 * what it forbids. Any other name belongs to another program and is only a warning.
 */
final class UnknownOverrides {

    /** The variables that Kubernetes sets for a service called postern or postern-something, as {@code name=value}. */
    private static final Pattern SERVICE_LINK = Pattern.compile(
            "POSTERN(_[A-Z0-9_]+)?_(SERVICE_HOST|SERVICE_PORT(_[A-Z0-9_]+)?|PORT_[0-9]+_[A-Z]+(_(PROTO|PORT|ADDR))?)=.*"
                    + "|POSTERN(_[A-Z0-9_]+)?_PORT=[a-z]+://.*",
            Pattern.DOTALL);

    /** The length from which a typo may have two letters; in a shorter name two letters make another word. */
    private static final int LONG = 6;

    private static final String ENTRY_HINT =
            " An id below providers, mcp, channels, senders or budgets has to stand in the file.";

    private final ConfigurationProblems problems;
    private final Set<String> known;

    /** Creates a check against the {@code paths} of all settings that were looked up. */
    UnknownOverrides(Collection<String> paths, ConfigurationProblems problems) {
        this.problems = problems;
        this.known = new TreeSet<>(paths);
        known.add("home");
    }

    /**
     * Checks the variables and properties of {@code environment}.
     *
     * @param referred the variables that the configuration refers to by {@code ${env:NAME}}
     */
    void check(ProcessEnvironment environment, Set<String> referred) {
        Map<String, String> variables = new TreeMap<>(environment.variables());
        variables.keySet().removeAll(referred);
        variables
                .entrySet()
                .removeIf(variable -> variable.getValue().isBlank()
                        || SERVICE_LINK
                                .matcher(variable.getKey() + "=" + variable.getValue())
                                .matches());
        variables.keySet().forEach(name -> check(name, OverrideSource.VARIABLE));
        new TreeSet<>(environment.systemProperties().keySet()).forEach(name -> check(name, OverrideSource.PROPERTY));
    }

    /**
     * Warns of the names that {@code jndi} has below a section and that are no settings. They are no problems, since a server
     * may bind names for all its applications.
     */
    void check(JndiLookup jndi) {
        Set<String> sections = new TreeSet<>();
        DeclaredSettings.ROOT.members().stream()
                .filter(UnknownOverrides::isSection)
                .map(SettingDeclaration::name)
                .forEach(sections::add);
        known.forEach(path -> {
            for (int dot = path.lastIndexOf('.'); dot > 0; dot = path.lastIndexOf('.', dot - 1)) {
                sections.add(path.substring(0, dot));
            }
        });
        for (String section : sections) {
            jndi.below(section.replace('.', '/')).forEach((name, fullName) -> {
                String path = SettingNames.join(section, name);
                if (!known.contains(path) && !sections.contains(path)) {
                    problems.warn(
                            path,
                            ValueOrigin.jndi(fullName),
                            "is no setting of Postern and is passed over." + hint(section, name));
                }
            });
        }
    }

    private String hint(String section, String name) {
        if (DeclaredSettings.ROOT.member(section).orElse(null) instanceof Table) {
            return ENTRY_HINT;
        }
        List<String> near = known.stream()
                .filter(path -> path.startsWith(section + "."))
                .map(path -> path.substring(section.length() + 1))
                .toList();
        return NearestName.of(name, near)
                .map(found -> " Did you mean " + SettingNames.join(section, found) + "?")
                .orElse("");
    }

    private void check(String name, OverrideSource overrideSource) {
        List<String> names = known.stream().map(overrideSource::spelled).toList();
        if (!name.startsWith(overrideSource.prefix) || names.contains(name)) {
            return;
        }
        if (isOfAnEntry(name, overrideSource)) {
            warn(name, overrideSource, ENTRY_HINT);
        } else if (isBelowASection(name, overrideSource) || isTypo(name, overrideSource, names)) {
            String hint = NearestName.of(name, names)
                    .map(near -> "did you mean " + near + "?")
                    .orElse("unset it");
            problems.add(name, overrideSource.origin(name), "is no setting of Postern", hint);
        } else {
            String end = name.substring(overrideSource.prefix.length() - 1);
            warn(
                    name,
                    overrideSource,
                    known.stream()
                            // The ends of deeper names are too common.
                            .filter(path -> path.indexOf('.') == path.lastIndexOf('.'))
                            .map(overrideSource::spelled)
                            .filter(each -> each.endsWith(end))
                            .findFirst()
                            .map(near -> " Did you mean " + near + "?")
                            .orElse(""));
        }
    }

    private void warn(String name, OverrideSource overrideSource, String hint) {
        problems.warn(name, overrideSource.origin(name), "is no setting of Postern and is passed over." + hint);
    }

    /**
     * Whether {@code name} is a setting of an entry that this file lacks. The file of another deployment in the server
     * may have that entry.
     */
    private static boolean isOfAnEntry(String name, OverrideSource overrideSource) {
        return DeclaredSettings.ROOT.members().stream()
                .filter(Table.class::isInstance)
                .map(Table.class::cast)
                .filter(table -> name.startsWith(overrideSource.spelled(table.name() + ".")))
                .flatMap(table -> table.kinds().stream())
                .flatMap(kind -> kind.settings().stream())
                .map(Setting::name)
                .anyMatch(setting ->
                        name.endsWith(overrideSource.spelled("." + setting).substring(overrideSource.prefix.length())));
    }

    private static boolean isBelowASection(String name, OverrideSource overrideSource) {
        return DeclaredSettings.ROOT.members().stream()
                .filter(UnknownOverrides::isSection)
                .anyMatch(section -> name.equals(overrideSource.spelled(section.name()))
                        || name.startsWith(overrideSource.spelled(section.name() + ".")));
    }

    private static boolean isSection(SettingDeclaration settingDeclaration) {
        return settingDeclaration instanceof Group || settingDeclaration instanceof Table;
    }

    private static boolean isTypo(String name, OverrideSource overrideSource, List<String> names) {
        int most = name.length() - overrideSource.prefix.length() < LONG ? 1 : 2;
        return names.stream().anyMatch(known -> NearestName.distance(name, known) <= most);
    }

    /** A source of settings that is the same for the whole process. */
    private enum OverrideSource {
        VARIABLE("POSTERN_"),
        PROPERTY("postern.");

        private final String prefix;

        OverrideSource(String prefix) {
            this.prefix = prefix;
        }

        String spelled(String path) {
            return this == VARIABLE ? SettingNames.variable(path) : prefix + path;
        }

        ValueOrigin origin(String name) {
            return this == VARIABLE ? ValueOrigin.variable(name) : ValueOrigin.systemProperty(name);
        }
    }
}
