package dev.postern.config;

import dev.postern.config.ConfigurationNode.Fields;
import dev.postern.config.ConfigurationNode.Items;
import dev.postern.config.ConfigurationNode.Scalar;
import dev.postern.config.ConfigurationResult.Value;
import dev.postern.config.SettingDeclaration.Group;
import dev.postern.config.SettingDeclaration.Rows;
import dev.postern.config.SettingDeclaration.Setting;
import dev.postern.config.SettingDeclaration.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Tells a person what every setting is, and where that was read. What a secret is stays unsaid. */
final class EffectiveSettingsReport {

    /** Stands for a value that is not for everybody's eyes. */
    static final String WITHHELD = "set, not shown";

    private final List<Value> values = new ArrayList<>();

    private EffectiveSettingsReport() {}

    /** Every setting, in the order of their declaration; of the entries that an operator names, those that there are. */
    static List<Value> of(Fields root) {
        EffectiveSettingsReport effective = new EffectiveSettingsReport();
        effective.addAll("", DeclaredSettings.ROOT, root, true);
        return effective.values;
    }

    /**
     * @param all whether to say too what is neither given nor has a default
     */
    private void addAll(String path, Group group, Fields fields, boolean all) {
        for (SettingDeclaration settingDeclaration : group.members()) {
            String full = SettingNames.join(path, settingDeclaration.name());
            @Nullable ConfigurationNode node = fields.value(settingDeclaration.name());
            if (settingDeclaration instanceof Setting<?> setting) {
                add(full, setting, node, all);
            } else if (settingDeclaration instanceof Group inner) {
                add(full, inner, node, all);
            } else if (node != null && settingDeclaration instanceof Rows rows) {
                List<ConfigurationNode> items = ListTypes.items(node).orElse(List.of());
                for (int i = 0; i < items.size(); i++) {
                    addAll(full + "[" + i + "]", rows.row(), fields(items.get(i)), false);
                }
            } else if (node != null && settingDeclaration instanceof Table table) {
                fields(node).byName().forEach((id, field) -> {
                    Fields entry = fields(field.value());
                    addAll(SettingNames.join(full, id), kind(table, id, entry), entry, false);
                });
            }
        }
    }

    private void add(String path, Setting<?> setting, @Nullable ConfigurationNode node, boolean all) {
        if (node != null) {
            say(path, setting.kind().shown(node), node.origin());
        } else if (setting.spelled() != null) {
            say(path, setting.spelled().toString(), ValueOrigin.DEFAULT);
        } else if (all && !(setting.kind() instanceof ListTypes.Anything)) {
            say(path, "", ValueOrigin.DEFAULT);
        }
    }

    private void add(String path, Group group, @Nullable ConfigurationNode node, boolean all) {
        if (node != null || (all && appliesByItself(group))) {
            addAll(path, group, node == null ? Fields.empty(ValueOrigin.DEFAULT) : fields(node), all);
        } else if (all) {
            say(path, "", ValueOrigin.DEFAULT);
        }
    }

    /** False where the group's defaults mean nothing until something is written. */
    private static boolean appliesByItself(Group group) {
        return !group.equals(GmailFields.GMAIL) && group.settings().stream().noneMatch(Setting::needed);
    }

    private static Fields fields(ConfigurationNode node) {
        return ListTypes.fields(node).orElseGet(() -> Fields.empty(node.origin()));
    }

    private static Group kind(Table table, String id, Fields entry) {
        @Nullable ConfigurationNode named = entry.value(DeclaredSettings.KIND);
        return table.kind(named == null ? id : text(named))
                .orElseGet(() -> table.kinds().get(0));
    }

    private void say(String path, String value, ValueOrigin origin) {
        values.add(new Value(path, value, origin));
    }

    /** {@code node} as it was written, in one text. */
    static String text(ConfigurationNode node) {
        if (node instanceof Scalar scalar) {
            return scalar.text().strip();
        }
        if (node instanceof Items items) {
            return items.nodes().stream().map(EffectiveSettingsReport::text).collect(Collectors.joining(", "));
        }
        return node instanceof Fields fields
                ? fields.byName().entrySet().stream()
                        .map(entry ->
                                entry.getKey() + ": " + text(entry.getValue().value()))
                        .collect(Collectors.joining(", "))
                : "";
    }

    /** Where {@code node}, a secret or several, comes from, as far as that can be said: {@code ${file:secrets/name}}. */
    static String withheld(ConfigurationNode node) {
        if (node instanceof Scalar scalar) {
            String text = scalar.text().strip();
            return SecretReferences.isReference(text) ? text : WITHHELD;
        }
        if (node instanceof Items items) {
            return items.nodes().stream().map(EffectiveSettingsReport::withheld).collect(Collectors.joining("; "));
        }
        return node instanceof Fields fields
                ? fields.byName().entrySet().stream()
                        .map(entry -> entry.getKey() + ": "
                                + withheld(entry.getValue().value()))
                        .collect(Collectors.joining("; "))
                : WITHHELD;
    }
}
