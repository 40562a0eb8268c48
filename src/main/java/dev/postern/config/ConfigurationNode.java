package dev.postern.config;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A node of a configuration tree as it was written, in any of the file formats. Every node knows its origin. */
public sealed interface ConfigurationNode {

    ValueOrigin origin();

    /** The kind of the node in words for the operator, without the value itself. */
    String noun();

    /** The form in which a scalar was written. */
    enum Form {
        TEXT,
        NUMBER,
        FLAG,
        /** Text from outside a file; it may spell any type: {@code 5}, {@code true}, {@code a,b}, {@code ["a"]}. */
        LOOSE
    }

    /** A single value, with exactly the characters that were written. */
    record Scalar(String text, Form form, ValueOrigin origin) implements ConfigurationNode {

        @Override
        public String noun() {
            return switch (form) {
                case TEXT, LOOSE -> "a text";
                case NUMBER -> "a number";
                case FLAG -> "true or false";
            };
        }

        /** Omits the text, which may be a secret. */
        @Override
        public String toString() {
            return noun() + " at " + origin;
        }
    }

    /** A list. */
    record Items(List<ConfigurationNode> nodes, ValueOrigin origin) implements ConfigurationNode {

        public Items {
            nodes = List.copyOf(nodes);
        }

        @Override
        public String noun() {
            return "a list";
        }
    }

    /** A map in its written order. */
    record Fields(Map<String, Field> byName, ValueOrigin origin) implements ConfigurationNode {

        public static Fields empty(ValueOrigin origin) {
            return new Fields(Map.of(), origin);
        }

        /** The value of {@code name}; null if there is none, or nothing in it. */
        public @Nullable ConfigurationNode value(String name) {
            Field field = byName.get(name);
            return field == null || field.value() instanceof Nothing ? null : field.value();
        }

        /** A copy in which {@code name} has another value. */
        public Fields with(String name, ConfigurationNode value) {
            Map<String, Field> changed = new LinkedHashMap<>(byName);
            changed.put(name, new Field(value.origin(), value));
            return new Fields(changed, origin);
        }

        @Override
        public String noun() {
            return "a map";
        }
    }

    /** A null value, which counts as not given. */
    record Nothing(ValueOrigin origin) implements ConfigurationNode {

        @Override
        public String noun() {
            return "nothing";
        }
    }

    /** A field of a map: its value and the origin of its name. */
    record Field(ValueOrigin nameOrigin, ConfigurationNode value) {}
}
