package dev.postern.config.openclaw;

import dev.postern.config.ConfigurationNode;
import dev.postern.config.ConfigurationNode.Field;
import dev.postern.config.ConfigurationNode.Fields;
import dev.postern.config.ConfigurationNode.Form;
import dev.postern.config.ConfigurationNode.Items;
import dev.postern.config.ConfigurationNode.Scalar;
import dev.postern.config.ValueOrigin;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A builder of one section of Postern's settings, in the order in which they are put. */
final class SettingsBuilder {

    private final Map<String, Field> fields = new LinkedHashMap<>();
    private final ValueOrigin origin;

    /** @param origin the place of OpenClaw's section that this one is made of */
    SettingsBuilder(ValueOrigin origin) {
        this.origin = origin;
    }

    SettingsBuilder put(String name, ConfigurationNode value) {
        fields.put(name, new Field(value.origin(), value));
        return this;
    }

    SettingsBuilder put(String name, Optional<? extends ConfigurationNode> value) {
        value.ifPresent(node -> put(name, node));
        return this;
    }

    /** Puts {@code section} unless it is empty. */
    SettingsBuilder putSection(String name, Fields section) {
        return section.byName().isEmpty() ? this : put(name, section);
    }

    /** Puts {@code items} unless there are none. */
    SettingsBuilder putItems(String name, List<? extends ConfigurationNode> items) {
        return items.isEmpty()
                ? this
                : put(name, new Items(List.copyOf(items), items.get(0).origin()));
    }

    Fields build() {
        return new Fields(new LinkedHashMap<>(fields), origin);
    }

    static Scalar text(String text, ValueOrigin origin) {
        return new Scalar(text, Form.TEXT, origin);
    }

    static Scalar flag(boolean flag, ValueOrigin origin) {
        return new Scalar(Boolean.toString(flag), Form.FLAG, origin);
    }
}
