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

/** A report of every setting with its effective value and its origin, for the operator. Secret values are left out. */
final class EffectiveSettingsReport {

    /** The text in place of a value that is not shown. */
    static final String WITHHELD = "set, not shown";

    private final List<Value> values = new ArrayList<>();

    private EffectiveSettingsReport() {}

    /** Every setting, in the order of declaration. Of tables and lists, only the entries that exist are included. */
    static List<Value> of(Fields root) {
        EffectiveSettingsReport effective = new EffectiveSettingsReport();
        effective.addAll("", DeclaredSettings.ROOT, root, true);
        return effective.values;
    }

    /**
     * Adds the settings of {@code group}.
     *
     * @param all whether to include settings that are neither given nor have a default
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
            addValue(path, setting.type().shown(node), node.origin());
        } else if (setting.defaultText() != null) {
            addValue(path, setting.defaultText().toString(), ValueOrigin.DEFAULT);
        } else if (all && !(setting.type() instanceof ListTypes.Anything)) {
            addValue(path, "", ValueOrigin.DEFAULT);
        }
    }

    private void add(String path, Group group, @Nullable ConfigurationNode node, boolean all) {
        if (node != null || (all && appliesByItself(group))) {
            addAll(path, group, node == null ? Fields.empty(ValueOrigin.DEFAULT) : fields(node), all);
        } else if (all) {
            addValue(path, "", ValueOrigin.DEFAULT);
        }
    }

    /** Whether the group's defaults apply before any of its settings is given. */
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

    private void addValue(String path, String value, ValueOrigin origin) {
        values.add(new Value(path, value, origin));
    }

    /** The values of {@code node} as they were written, in one text. */
    static String text(ConfigurationNode node) {
        if (node instanceof Scalar scalar) {
            return scalar.text().strip();
        }
        if (node instanceof Items items) {
            return items.nodes().isEmpty()
                    ? "[]"
                    : items.nodes().stream().map(EffectiveSettingsReport::text).collect(Collectors.joining(", "));
        }
        return node instanceof Fields fields
                ? fields.byName().entrySet().stream()
                        .map(entry ->
                                entry.getKey() + ": " + text(entry.getValue().value()))
                        .collect(Collectors.joining(", "))
                : "";
    }

    /**
     * The references of {@code node}, one secret or several, such as {@code ${file:secrets/name}}; {@link #WITHHELD} in
     * place of a literal secret.
     */
    static String maskedText(ConfigurationNode node) {
        if (node instanceof Scalar scalar) {
            String text = scalar.text().strip();
            return SecretReferences.isReference(text) ? text : WITHHELD;
        }
        if (node instanceof Items items) {
            return items.nodes().stream()
                    .map(EffectiveSettingsReport::maskedText)
                    .collect(Collectors.joining("; "));
        }
        return node instanceof Fields fields
                ? fields.byName().entrySet().stream()
                        .map(entry -> entry.getKey() + ": "
                                + maskedText(entry.getValue().value()))
                        .collect(Collectors.joining("; "))
                : WITHHELD;
    }
}
