package dev.postern.config;

import dev.postern.config.ConfigurationNode.Fields;
import dev.postern.config.ConfigurationNode.Items;
import dev.postern.config.SettingDeclaration.Group;
import dev.postern.config.SettingDeclaration.Rows;
import dev.postern.config.SettingDeclaration.Setting;
import dev.postern.config.SettingDeclaration.Table;
import dev.postern.config.ValueType.Invalid;
import dev.postern.config.ValueType.InvalidEntries;
import dev.postern.config.ValueType.Parsed;
import dev.postern.config.ValueType.Valid;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A reader of one map of the configuration, by the group that declares it. The constructor reports unknown names and
 * missing required settings as problems. Bad values are reported when they are read; the caller then goes on without
 * them or with the default.
 */
final class SectionReader {

    /** The pattern of ids that operators choose. */
    static final Pattern ID = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");

    /** The names under which a newcomer looks for the server's address. */
    private static final Set<String> OF_SERVER = Set.of("port", "bind", "host", "address");

    private final ReadContext readContext;
    private final String path;
    private final Group group;
    private final Fields fields;
    private final boolean isMap;

    /** Creates a reader of {@code node} at {@code path}; a null node is an empty map. */
    SectionReader(ReadContext readContext, String path, Group group, @Nullable ConfigurationNode node) {
        this.readContext = readContext;
        this.path = path;
        this.group = group;
        this.fields = fieldsOf(readContext, path, node);
        this.isMap = node == null
                || node instanceof ConfigurationNode.Nothing
                || ListTypes.fields(node).isPresent();
        fields.byName().forEach((name, field) -> {
            if (group.member(name).isEmpty()) {
                reportUnknown(name, field.nameOrigin());
            }
        });
        for (Setting<?> setting : group.settings()) {
            if (isMap && setting.needed() && fields.value(setting.name()) == null) {
                problem(setting, "is missing", "write " + setting.type().expected());
            }
        }
    }

    private static Fields fieldsOf(ReadContext readContext, String path, @Nullable ConfigurationNode node) {
        if (node == null || node instanceof ConfigurationNode.Nothing) {
            return Fields.empty(node == null ? ValueOrigin.DEFAULT : node.origin());
        }
        Optional<Fields> fields = ListTypes.fields(node);
        if (fields.isEmpty()) {
            String setting = path.isEmpty() ? "configuration" : path;
            readContext
                    .problems()
                    .add(setting, node.origin(), "is " + ListTypes.noun(node), "write a map of name: value");
        }
        return fields.orElseGet(() -> Fields.empty(node.origin()));
    }

    private void reportUnknown(String name, ValueOrigin origin) {
        String full = SettingNames.join(path, name);
        List<String> kinds = DeclaredSettings.kindsWith(name, group);
        if (!kinds.isEmpty()) {
            String only = "is no setting of kind " + group.name() + ", only of " + String.join(", ", kinds);
            readContext.problems().add(full, origin, only, "remove it, or write another kind");
            return;
        }
        if (OF_SERVER.contains(name) && (path.isEmpty() || path.equals("hooks") || path.equals("server"))) {
            readContext
                    .problems()
                    .add(
                            full,
                            origin,
                            "is no setting of Postern, which does not choose where its server listens",
                            "start java -jar with --port or --bind; any other server has a setting of its own");
            return;
        }
        if (isPathBelow(name)) {
            String[] names = name.split("[.]");
            readContext
                    .problems()
                    .add(
                            full,
                            origin,
                            "is one name with a dot",
                            "write it nested: " + String.join(": {", names) + ": …" + "}".repeat(names.length - 1));
            return;
        }
        String instead =
                meant(name, full).map(near -> "did you mean " + near + "?").orElse("remove it");
        readContext.problems().add(full, origin, "is no setting of Postern", instead);
    }

    /**
     * The full name of the setting that was meant: a near name in this section, else the same name elsewhere. What an entry of
     * a table or list lacks is looked for inside the entry alone, since the settings around it are for all entries.
     */
    private Optional<String> meant(String name, String full) {
        List<String> members =
                group.members().stream().map(SettingDeclaration::name).toList();
        List<String> known = new ArrayList<>(DeclaredSettings.paths(path, group));
        List<String> all = DeclaredSettings.paths("", DeclaredSettings.ROOT);
        if (all.contains(path)) {
            known.addAll(all);
        }
        known.removeIf(each -> each.contains("[]") || each.contains("<id>"));
        return SettingNames.nearestMember(name, members)
                .map(near -> SettingNames.join(path, near))
                .or(() -> SettingNames.nearestWithSameWord(full, known));
    }

    /** Whether {@code name} is the path of a setting below this section, or begins with a table of it. */
    private boolean isPathBelow(String name) {
        int dot = name.indexOf('.');
        return dot > 0
                && (DeclaredSettings.paths("", group).contains(name)
                        || group.member(name.substring(0, dot)).orElse(null) instanceof Table);
    }

    /** Whether the section is a map or missing; anything else is already reported as a problem. */
    boolean isMap() {
        return isMap;
    }

    ReadContext reading() {
        return readContext;
    }

    Group group() {
        return group;
    }

    /** The given value, if it is valid; a bad one is reported as a problem. */
    <T> Optional<T> given(Setting<T> setting) {
        ConfigurationNode node = fields.value(setting.name());
        if (node == null) {
            return Optional.empty();
        }
        Parsed<T> parsed = setting.type().parse(node, readContext.references());
        if (parsed instanceof Valid<T> valid) {
            return Optional.of(valid.value());
        }
        if (parsed instanceof InvalidEntries<T> invalid) {
            invalid.entries()
                    .forEach(entry ->
                            readContext.problems().add(path(setting), entry.origin(), entry.wrong(), entry.instead()));
        } else if (parsed instanceof Invalid<T> invalid) {
            readContext.problems().add(path(setting), node.origin(), invalid.wrong(), invalid.instead());
        }
        return Optional.empty();
    }

    /** The given value, if it is valid, else the declared default. */
    <T> T get(Setting<T> setting) {
        return find(setting).orElseThrow();
    }

    /** As {@link #get}, for a setting that may have no default. */
    <T> Optional<T> find(Setting<T> setting) {
        return given(setting).or(() -> setting.byDefault(readContext.references()));
    }

    /** Whether a value is given for {@code settingDeclaration}, valid or not. */
    boolean contains(SettingDeclaration settingDeclaration) {
        return fields.value(settingDeclaration.name()) != null;
    }

    /** Whether the section holds nothing at all. */
    boolean isEmpty() {
        return fields.byName().isEmpty();
    }

    SectionReader section(Group inner) {
        return new SectionReader(readContext, path(inner), inner, fields.value(inner.name()));
    }

    /**
     * The entries of {@code table} by id, in their order. Those with a bad id or kind are reported as problems instead.
     */
    Map<String, SectionReader> entries(Table table) {
        Map<String, SectionReader> entries = new LinkedHashMap<>();
        fieldsOf(readContext, path(table), fields.value(table.name())).byName().forEach((id, field) -> {
            String entryPath = SettingNames.join(path(table), id);
            if (!ID.matcher(id).matches()) {
                readContext
                        .problems()
                        .add(
                                entryPath,
                                field.nameOrigin(),
                                "is no id",
                                "write 1 to 64 of A-Z a-z 0-9 . _ -, a letter or digit first");
                return;
            }
            groupOf(table, id, field, entryPath)
                    .ifPresent(kind -> entries.put(id, new SectionReader(readContext, entryPath, kind, field.value())));
        });
        return entries;
    }

    private Optional<Group> groupOf(Table table, String id, ConfigurationNode.Field field, String entryPath) {
        if (!table.hasKinds()) {
            return Optional.of(table.kinds().get(0));
        }
        ConfigurationNode named = field.value() instanceof Fields entry ? entry.value(DeclaredSettings.KIND) : null;
        if (named == null) {
            Optional<Group> kind = table.kind(id);
            if (kind.isEmpty()) {
                readContext
                        .problems()
                        .add(
                                SettingNames.join(entryPath, DeclaredSettings.KIND),
                                field.nameOrigin(),
                                "is missing, and the id is no kind either",
                                "write one of " + String.join(", ", table.kindNames()));
            }
            return kind;
        }
        Parsed<String> parsed = new ScalarTypes.Choice(table.kindNames()).parse(named, readContext.references());
        if (parsed instanceof Valid<String> valid
                && table.reserved().contains(id)
                && !valid.value().equals(id)) {
            parsed = new Invalid<>("is [" + valid.value() + "] for the id " + id, "choose another id for this kind");
        }
        if (parsed instanceof Invalid<String> invalid) {
            readContext
                    .problems()
                    .add(
                            SettingNames.join(entryPath, DeclaredSettings.KIND),
                            named.origin(),
                            invalid.wrong(),
                            invalid.instead());
            return Optional.empty();
        }
        return table.kind(((Valid<String>) parsed).value());
    }

    /** The ids in {@code table}, valid or not. */
    List<String> ids(Table table) {
        return fields.value(table.name()) instanceof Fields entries
                ? List.copyOf(entries.byName().keySet())
                : List.of();
    }

    List<SectionReader> rows(Rows rows) {
        ConfigurationNode node = fields.value(rows.name());
        if (node == null) {
            return List.of();
        }
        Optional<List<ConfigurationNode>> items =
                node instanceof Items || node.noun().equals("a text") ? ListTypes.items(node) : Optional.empty();
        if (items.isEmpty()) {
            readContext.problems().add(path(rows), node.origin(), "is " + ListTypes.noun(node), "write a list");
        }
        List<SectionReader> sections = new ArrayList<>();
        for (ConfigurationNode item : items.orElse(List.of())) {
            sections.add(new SectionReader(readContext, path(rows) + "[" + sections.size() + "]", rows.row(), item));
        }
        return sections;
    }

    /** The origin of {@code settingDeclaration}: that of its value, else that of this section. */
    ValueOrigin origin(SettingDeclaration settingDeclaration) {
        ConfigurationNode node = fields.value(settingDeclaration.name());
        return node == null ? fields.origin() : node.origin();
    }

    /** The origin of this section. */
    ValueOrigin origin() {
        return fields.origin();
    }

    /** The setting's full name and its origin, for messages. */
    String where(SettingDeclaration settingDeclaration) {
        return path(settingDeclaration) + " [" + origin(settingDeclaration) + "]";
    }

    String path(SettingDeclaration settingDeclaration) {
        return SettingNames.join(path, settingDeclaration.name());
    }

    void problem(SettingDeclaration settingDeclaration, String wrong, String instead) {
        readContext.problems().add(path(settingDeclaration), origin(settingDeclaration), wrong, instead);
    }

    /** Warns of {@code setting} at its name, if nothing is written behind it. */
    void warnOfEmpty(Setting<?> setting, String text) {
        ConfigurationNode.Field field = fields.byName().get(setting.name());
        if (field != null && field.value() instanceof ConfigurationNode.Nothing) {
            readContext.problems().warn(path(setting), field.nameOrigin(), text);
        }
    }

    void warn(SettingDeclaration settingDeclaration, String text) {
        readContext.problems().warn(path(settingDeclaration), origin(settingDeclaration), text);
    }
}
