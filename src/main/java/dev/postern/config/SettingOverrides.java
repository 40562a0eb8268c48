package dev.postern.config;

import dev.postern.config.ConfigurationNode.Fields;
import dev.postern.config.ConfigurationNode.Form;
import dev.postern.config.ConfigurationNode.Scalar;
import dev.postern.config.SettingDeclaration.Group;
import dev.postern.config.SettingDeclaration.Table;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The overrides of single settings from outside the configuration file: JNDI first, then system properties, then
 * environment variables. Ids that an operator chooses have to be in the file.
 */
final class SettingOverrides {

    private static final String PROPERTY_PREFIX = "postern.";

    private final ProcessEnvironment environment;
    private final ConfigurationProblems problems;
    private final Map<String, String> pathsByVariable = new HashMap<>();
    private final Set<String> paths = new HashSet<>();

    SettingOverrides(ProcessEnvironment environment, ConfigurationProblems problems) {
        this.environment = environment;
        this.problems = problems;
    }

    /** {@code file} with every override applied. */
    Fields applyTo(Fields file) {
        return applyTo("", DeclaredSettings.ROOT, file);
    }

    /** The full names of all settings that were looked up. */
    Set<String> paths() {
        return paths;
    }

    private Fields applyTo(String path, Group group, Fields fields) {
        Fields merged = fields;
        for (SettingDeclaration settingDeclaration : group.members()) {
            String full = SettingNames.join(path, settingDeclaration.name());
            ConfigurationNode below = fields.value(settingDeclaration.name());
            if (settingDeclaration instanceof Group inner) {
                if (below == null || below instanceof Fields) {
                    Fields before = below instanceof Fields given ? given : Fields.empty(ValueOrigin.DEFAULT);
                    Fields after = applyTo(full, inner, before);
                    merged = after.byName().isEmpty() ? merged : merged.with(settingDeclaration.name(), after);
                }
            } else if (settingDeclaration instanceof Table table) {
                if (below instanceof Fields entries) {
                    merged = merged.with(settingDeclaration.name(), applyTo(full, table, entries));
                }
            } else {
                Optional<ConfigurationNode> value = find(full);
                merged = value.isPresent() ? merged.with(settingDeclaration.name(), value.get()) : merged;
            }
        }
        return merged;
    }

    private Fields applyTo(String path, Table table, Fields entries) {
        Fields merged = entries;
        for (String id : entries.byName().keySet()) {
            ConfigurationNode below = entries.value(id);
            if (!SectionReader.ID.matcher(id).matches() || (below != null && !(below instanceof Fields))) {
                continue; // reading the section reports the problem
            }
            ValueOrigin named = entries.byName().get(id).nameOrigin();
            Fields before = below instanceof Fields given ? given : Fields.empty(named);
            merged = merged.with(id, applyTo(SettingNames.join(path, id), entryOf(table), before));
        }
        return merged;
    }

    /** The settings of an entry of any kind, since the kind itself may come from outside too. */
    private static Group entryOf(Table table) {
        Map<String, SettingDeclaration> members = new LinkedHashMap<>();
        table.kinds().forEach(kind -> kind.members()
                .forEach(settingDeclaration -> members.putIfAbsent(settingDeclaration.name(), settingDeclaration)));
        return new Group("", "", List.copyOf(members.values()));
    }

    private Optional<ConfigurationNode> find(String path) {
        String variable = SettingNames.variable(path);
        paths.add(path);
        String other = pathsByVariable.put(variable, path);
        String text = environment.variables().get(variable);
        if (other != null && !other.equals(path) && text != null) {
            problems.add(
                    path, ValueOrigin.variable(variable), "is the name of " + other + " too", "rename one of the ids");
        }
        return jndi(path).or(() -> property(path)).or(() -> variable(path, variable, text));
    }

    private Optional<ConfigurationNode> jndi(String path) {
        String name = path.replace('.', '/');
        Optional<JndiLookup.Entry> entry = environment.jndi().find(name);
        if (entry.isEmpty()) {
            return Optional.empty();
        }
        ValueOrigin origin = ValueOrigin.jndi(entry.get().name());
        if (entry.get() instanceof JndiLookup.Unresolved unresolved) {
            problems.add(path, origin, unresolved.wrong(), unresolved.instead());
            return Optional.empty();
        }
        Object found = ((JndiLookup.Bound) entry.get()).value();
        if (found instanceof String || found instanceof Number || found instanceof Boolean) {
            return Optional.of(new Scalar(found.toString(), Form.LOOSE, origin));
        }
        problems.add(path, origin, "is a " + found.getClass().getName(), "bind a java.lang.String there");
        return Optional.empty();
    }

    private Optional<ConfigurationNode> property(String path) {
        String name = PROPERTY_PREFIX + path;
        return Optional.ofNullable(environment.systemProperties().get(name))
                .map(text -> new Scalar(text, Form.LOOSE, ValueOrigin.systemProperty(name)));
    }

    private Optional<ConfigurationNode> variable(String path, String name, @Nullable String text) {
        if (text == null) {
            return Optional.empty();
        }
        if (text.isBlank()) {
            problems.warn(path, ValueOrigin.variable(name), "is empty and passed over; unset it, or give it a value");
            return Optional.empty();
        }
        return Optional.of(new Scalar(text, Form.LOOSE, ValueOrigin.variable(name)));
    }
}
