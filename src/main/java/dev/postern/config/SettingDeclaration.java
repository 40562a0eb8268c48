package dev.postern.config;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The declaration of a setting, or of a group of settings. The declarations below {@link DeclaredSettings#ROOT} are the
 * only ones: validation, suggestions, the sample and the schema follow from them.
 */
sealed interface SettingDeclaration {

    String name();

    /** The description for the operator, in one line. */
    String description();

    /**
     * The declaration of one setting.
     *
     * @param type the type of its value
     * @param defaultText the default as a file would spell it (Boolean, Integer or String); null for none
     * @param needed whether its section requires it
     */
    record Setting<T>(String name, ValueType<T> type, @Nullable Object defaultText, boolean needed, String description)
            implements SettingDeclaration {

        static <T> Setting<T> optional(String name, ValueType<T> valueType, String description) {
            return new Setting<>(name, valueType, null, false, description);
        }

        static <T> Setting<T> needed(String name, ValueType<T> valueType, String description) {
            return new Setting<>(name, valueType, null, true, description);
        }

        static <T> Setting<T> of(String name, ValueType<T> valueType, Object spelled, String description) {
            return new Setting<>(name, valueType, spelled, false, description);
        }

        /** The default value; empty if there is none. */
        Optional<T> byDefault(SecretReferences references) {
            if (defaultText == null) {
                return Optional.empty();
            }
            ConfigurationNode node = new ConfigurationNode.Scalar(
                    defaultText.toString(), ConfigurationNode.Form.LOOSE, ValueOrigin.DEFAULT);
            if (type.parse(node, references) instanceof ValueType.Valid<T> valid) {
                return Optional.of(valid.value());
            }
            throw new IllegalStateException("the default of [" + name + "] is not one of its values");
        }
    }

    /** The declaration of a map with fixed names. */
    record Group(String name, String description, List<SettingDeclaration> members) implements SettingDeclaration {

        public Group {
            members = List.copyOf(members);
        }

        static Group of(String name, String description, SettingDeclaration... members) {
            return new Group(name, description, List.of(members));
        }

        Optional<SettingDeclaration> member(String wanted) {
            return members.stream().filter(each -> each.name().equals(wanted)).findFirst();
        }

        List<Setting<?>> settings() {
            return members.stream()
                    .filter(Setting.class::isInstance)
                    .<Setting<?>>map(each -> (Setting<?>) each)
                    .toList();
        }
    }

    /**
     * The declaration of a map with names that the operator chooses.
     *
     * @param kinds the kinds of entries; if there are several, an entry names its kind, or has the kind's name as its
     *     id
     * @param reserved the names of kinds that no entry of another kind may have as its id
     */
    record Table(String name, String description, List<Group> kinds, List<String> reserved)
            implements SettingDeclaration {

        public Table {
            kinds = List.copyOf(kinds);
            reserved = List.copyOf(reserved);
        }

        boolean hasKinds() {
            return kinds.size() > 1;
        }

        Optional<Group> kind(String wanted) {
            return kinds.stream().filter(each -> each.name().equals(wanted)).findFirst();
        }

        List<String> kindNames() {
            return kinds.stream().map(Group::name).toList();
        }
    }

    /** The declaration of a list of maps that all have the same fixed names. */
    record Rows(String name, String description, Group row) implements SettingDeclaration {}
}
