package dev.postern.config;

import dev.postern.config.Configuration.Value;
import dev.postern.config.Member.Group;
import dev.postern.config.Member.Rows;
import dev.postern.config.Member.Setting;
import dev.postern.config.Member.Table;
import dev.postern.config.Node.Fields;
import dev.postern.config.Node.Items;
import dev.postern.config.Node.Scalar;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Tells a person what every setting is, and where that was read. What a secret is stays unsaid. */
final class Effective {

    /** Stands for a value that is not for everybody's eyes. */
    static final String WITHHELD = "set, not shown";

    private final List<Value> values = new ArrayList<>();

    private Effective() {}

    /** Every setting, in the order of their declaration; of the entries that an operator names, those that there are. */
    static List<Value> of(Fields root) {
        Effective effective = new Effective();
        effective.addAll("", Declared.ROOT, root, true);
        return effective.values;
    }

    /**
     * @param all whether to say too what is neither given nor has a default
     */
    private void addAll(String path, Group group, Fields fields, boolean all) {
        for (Member member : group.members()) {
            String full = Names.join(path, member.name());
            @Nullable Node node = fields.value(member.name());
            if (member instanceof Setting<?> setting) {
                add(full, setting, node, all);
            } else if (member instanceof Group inner) {
                add(full, inner, node, all);
            } else if (node != null && member instanceof Rows rows) {
                List<Node> items = ListKinds.items(node).orElse(List.of());
                for (int i = 0; i < items.size(); i++) {
                    addAll(full + "[" + i + "]", rows.row(), fields(items.get(i)), false);
                }
            } else if (node != null && member instanceof Table table) {
                fields(node).byName().forEach((id, field) -> {
                    Fields entry = fields(field.value());
                    addAll(Names.join(full, id), kind(table, id, entry), entry, false);
                });
            }
        }
    }

    private void add(String path, Setting<?> setting, @Nullable Node node, boolean all) {
        if (node != null) {
            say(path, setting.kind().shown(node), node.origin());
        } else if (setting.spelled() != null) {
            say(path, setting.spelled().toString(), Origin.DEFAULT);
        } else if (all && !(setting.kind() instanceof ListKinds.Anything)) {
            say(path, "", Origin.DEFAULT);
        }
    }

    private void add(String path, Group group, @Nullable Node node, boolean all) {
        if (node != null || (all && appliesByItself(group))) {
            addAll(path, group, node == null ? Fields.empty(Origin.DEFAULT) : fields(node), all);
        } else if (all) {
            say(path, "", Origin.DEFAULT);
        }
    }

    /** False where the group's defaults mean nothing until something is written. */
    private static boolean appliesByItself(Group group) {
        return !group.equals(GmailFields.GMAIL) && group.settings().stream().noneMatch(Setting::needed);
    }

    private static Fields fields(Node node) {
        return ListKinds.fields(node).orElseGet(() -> Fields.empty(node.origin()));
    }

    private static Group kind(Table table, String id, Fields entry) {
        @Nullable Node named = entry.value(Declared.KIND);
        return table.kind(named == null ? id : text(named))
                .orElseGet(() -> table.kinds().get(0));
    }

    private void say(String path, String value, Origin origin) {
        values.add(new Value(path, value, origin));
    }

    /** {@code node} as it was written, in one text. */
    static String text(Node node) {
        if (node instanceof Scalar scalar) {
            return scalar.text().strip();
        }
        if (node instanceof Items items) {
            return items.nodes().stream().map(Effective::text).collect(Collectors.joining(", "));
        }
        return node instanceof Fields fields
                ? fields.byName().entrySet().stream()
                        .map(entry ->
                                entry.getKey() + ": " + text(entry.getValue().value()))
                        .collect(Collectors.joining(", "))
                : "";
    }

    /** Where {@code node}, a secret or several, comes from, as far as that can be said: {@code ${file:secrets/name}}. */
    static String withheld(Node node) {
        if (node instanceof Scalar scalar) {
            String text = scalar.text().strip();
            return References.isReference(text) ? text : WITHHELD;
        }
        if (node instanceof Items items) {
            return items.nodes().stream().map(Effective::withheld).collect(Collectors.joining("; "));
        }
        return node instanceof Fields fields
                ? fields.byName().entrySet().stream()
                        .map(entry -> entry.getKey() + ": "
                                + withheld(entry.getValue().value()))
                        .collect(Collectors.joining("; "))
                : WITHHELD;
    }
}
