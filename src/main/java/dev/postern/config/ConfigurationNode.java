package dev.postern.config;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A configuration as it was written, whatever the format: every value knows where it stands. */
sealed interface ConfigurationNode {

    ValueOrigin origin();

    /** What is here, for a person, without the value itself. */
    String noun();

    /** What a scalar was written as. */
    enum Form {
        TEXT,
        NUMBER,
        FLAG,
        /** Text from outside a file, which may spell any type: {@code 5}, {@code true}, {@code a,b}, {@code ["a"]}. */
        LOOSE
    }

    /** One value, by the very characters it was written with. */
    record Scalar(String text, Form form, ValueOrigin origin) implements ConfigurationNode {

        @Override
        public String noun() {
            return switch (form) {
                case TEXT, LOOSE -> "a text";
                case NUMBER -> "a number";
                case FLAG -> "true or false";
            };
        }

        /** Leaves the text out: it may be a secret. */
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

    /** A map, in its written order. */
    record Fields(Map<String, Field> byName, ValueOrigin origin) implements ConfigurationNode {

        static Fields empty(ValueOrigin origin) {
            return new Fields(Map.of(), origin);
        }

        @Nullable
        ConfigurationNode value(String name) {
            Field field = byName.get(name);
            return field == null || field.value() instanceof Nothing ? null : field.value();
        }

        /** A copy in which {@code name} has another value. */
        Fields with(String name, ConfigurationNode value) {
            Map<String, Field> changed = new LinkedHashMap<>(byName);
            changed.put(name, new Field(value.origin(), value));
            return new Fields(changed, origin);
        }

        @Override
        public String noun() {
            return "a map";
        }
    }

    /** A null, which counts as not given. */
    record Nothing(ValueOrigin origin) implements ConfigurationNode {

        @Override
        public String noun() {
            return "nothing";
        }
    }

    /** A value and where its name stands. */
    record Field(ValueOrigin nameOrigin, ConfigurationNode value) {}
}
