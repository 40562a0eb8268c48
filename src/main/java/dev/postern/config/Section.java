package dev.postern.config;

import dev.postern.config.Kind.Bad;
import dev.postern.config.Kind.Good;
import dev.postern.config.Kind.Parsed;
import dev.postern.config.Member.Group;
import dev.postern.config.Member.Rows;
import dev.postern.config.Member.Setting;
import dev.postern.config.Member.Table;
import dev.postern.config.Node.Fields;
import dev.postern.config.Node.Items;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A map of the configuration, read against the group that declares it. Unknown names and needed settings that are
 * missing become problems when it is made, bad values when they are asked for; who asks goes on with the default.
 */
final class Section {

    /** The spelling of ids that operators choose. */
    static final Pattern ID = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");

    private final Reading reading;
    private final String path;
    private final Group group;
    private final Fields fields;
    private final boolean isMap;

    /** The section of {@code node} at {@code path}; a null node is an empty map. */
    Section(Reading reading, String path, Group group, @Nullable Node node) {
        this.reading = reading;
        this.path = path;
        this.group = group;
        this.fields = fieldsOf(reading, path, node);
        this.isMap = node == null
                || node instanceof Node.Nothing
                || ListKinds.fields(node).isPresent();
        fields.byName().forEach((name, field) -> {
            if (group.member(name).isEmpty()) {
                reportUnknown(name, field.nameOrigin());
            }
        });
        for (Setting<?> setting : group.settings()) {
            if (isMap && setting.needed() && fields.value(setting.name()) == null) {
                problem(setting, "is missing", "write " + setting.kind().expected());
            }
        }
    }

    private static Fields fieldsOf(Reading reading, String path, @Nullable Node node) {
        if (node == null || node instanceof Node.Nothing) {
            return Fields.empty(node == null ? Origin.DEFAULT : node.origin());
        }
        Optional<Fields> fields = ListKinds.fields(node);
        if (fields.isEmpty()) {
            String setting = path.isEmpty() ? "configuration" : path;
            reading.problems().add(setting, node.origin(), "is " + node.noun(), "write a map of name: value");
        }
        return fields.orElseGet(() -> Fields.empty(node.origin()));
    }

    private void reportUnknown(String name, Origin origin) {
        String full = Names.join(path, name);
        List<String> kinds = Declared.kindsWith(name, group);
        if (!kinds.isEmpty()) {
            String only = "is no setting of kind " + group.name() + ", only of " + String.join(", ", kinds);
            reading.problems().add(full, origin, only, "remove it, or write another kind");
            return;
        }
        List<String> known = new ArrayList<>(Declared.paths("", Declared.ROOT));
        known.addAll(Declared.paths(path, group));
        known.removeIf(each -> each.contains("[]") || each.contains("<id>"));
        String instead = Names.nearest(full, known)
                .map(near -> "did you mean " + near + "?")
                .orElse("remove it");
        reading.problems().add(full, origin, "is no setting of Postern", instead);
    }

    /** False where something else stands than a map, which is a problem already. */
    boolean isMap() {
        return isMap;
    }

    Reading reading() {
        return reading;
    }

    Group group() {
        return group;
    }

    /** The value that is given and good. */
    <T> Optional<T> given(Setting<T> setting) {
        Node node = fields.value(setting.name());
        if (node == null) {
            return Optional.empty();
        }
        Parsed<T> parsed = setting.kind().parse(node, reading.references());
        if (parsed instanceof Good<T> good) {
            return Optional.of(good.value());
        }
        Bad<T> bad = (Bad<T>) parsed;
        reading.problems().add(path(setting), node.origin(), bad.wrong(), bad.instead());
        return Optional.empty();
    }

    /** The value that is given and good, else the default that the setting is declared with. */
    <T> T get(Setting<T> setting) {
        return find(setting).orElseThrow();
    }

    /** As {@link #get}, for a setting that may have no default. */
    <T> Optional<T> find(Setting<T> setting) {
        return given(setting).or(() -> setting.byDefault(reading.references()));
    }

    /** True when something was written for {@code member}, good or bad. */
    boolean gives(Member member) {
        return fields.value(member.name()) != null;
    }

    /** True when nothing at all stands in it. */
    boolean isEmpty() {
        return fields.byName().isEmpty();
    }

    Section section(Group inner) {
        return new Section(reading, path(inner), inner, fields.value(inner.name()));
    }

    /** The entries of {@code table} by id, in their order. Those whose id or kind is bad become problems instead. */
    Map<String, Section> entries(Table table) {
        Map<String, Section> entries = new LinkedHashMap<>();
        fieldsOf(reading, path(table), fields.value(table.name())).byName().forEach((id, field) -> {
            String entryPath = Names.join(path(table), id);
            if (!ID.matcher(id).matches()) {
                reading.problems()
                        .add(
                                entryPath,
                                field.nameOrigin(),
                                "is no id",
                                "write 1 to 64 of A-Z a-z 0-9 . _ -, a letter or digit first");
                return;
            }
            groupOf(table, id, field, entryPath)
                    .ifPresent(kind -> entries.put(id, new Section(reading, entryPath, kind, field.value())));
        });
        return entries;
    }

    private Optional<Group> groupOf(Table table, String id, Node.Field field, String entryPath) {
        if (!table.hasKinds()) {
            return Optional.of(table.kinds().get(0));
        }
        Node named = field.value() instanceof Fields entry ? entry.value(Declared.KIND) : null;
        if (named == null) {
            Optional<Group> kind = table.kind(id);
            if (kind.isEmpty()) {
                reading.problems()
                        .add(
                                Names.join(entryPath, Declared.KIND),
                                field.nameOrigin(),
                                "is missing, and the id is no kind either",
                                "write one of " + String.join(", ", table.kindNames()));
            }
            return kind;
        }
        Parsed<String> parsed = new ScalarKinds.Choice(table.kindNames()).parse(named, reading.references());
        if (parsed instanceof Good<String> good
                && table.reserved().contains(id)
                && !good.value().equals(id)) {
            parsed = new Bad<>("is [" + good.value() + "] for the id " + id, "choose another id for this kind");
        }
        if (parsed instanceof Bad<String> bad) {
            reading.problems().add(Names.join(entryPath, Declared.KIND), named.origin(), bad.wrong(), bad.instead());
            return Optional.empty();
        }
        return table.kind(((Good<String>) parsed).value());
    }

    /** The ids that stand in {@code table}, good or bad. */
    List<String> ids(Table table) {
        return fields.value(table.name()) instanceof Fields entries
                ? List.copyOf(entries.byName().keySet())
                : List.of();
    }

    List<Section> rows(Rows rows) {
        Node node = fields.value(rows.name());
        if (node == null) {
            return List.of();
        }
        Optional<List<Node>> items =
                node instanceof Items || node.noun().equals("a text") ? ListKinds.items(node) : Optional.empty();
        if (items.isEmpty()) {
            reading.problems().add(path(rows), node.origin(), "is " + node.noun(), "write a list");
        }
        List<Section> sections = new ArrayList<>();
        for (Node item : items.orElse(List.of())) {
            sections.add(new Section(reading, path(rows) + "[" + sections.size() + "]", rows.row(), item));
        }
        return sections;
    }

    /** Where {@code member} was read from: its value, else this section. */
    Origin origin(Member member) {
        Node node = fields.value(member.name());
        return node == null ? fields.origin() : node.origin();
    }

    /** Where this section was read from. */
    Origin origin() {
        return fields.origin();
    }

    /** The setting and where it stands, for messages. */
    String where(Member member) {
        return path(member) + " [" + origin(member) + "]";
    }

    String path(Member member) {
        return Names.join(path, member.name());
    }

    void problem(Member member, String wrong, String instead) {
        reading.problems().add(path(member), origin(member), wrong, instead);
    }

    void warn(Member member, String text) {
        reading.problems().warn(path(member), origin(member), text);
    }
}
