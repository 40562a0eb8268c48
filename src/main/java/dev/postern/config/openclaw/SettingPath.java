package dev.postern.config.openclaw;

import dev.postern.config.ConfigurationNode;
import dev.postern.config.ConfigurationNode.Field;
import dev.postern.config.ConfigurationNode.Fields;
import dev.postern.config.ConfigurationNode.Items;
import dev.postern.config.ValueOrigin;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The place of a setting in a tree of settings.
 *
 * @param steps the names, and the places in lists counted from 0, from the outside in
 */
record SettingPath(List<String> steps) {

    private static final Pattern STEP = Pattern.compile("([^.\\[\\]]+)|\\[(\\d+)]");

    SettingPath {
        steps = List.copyOf(steps);
    }

    /** The place of {@code setting} in {@code tree}. An id may have dots, so that the tree's own names come first. */
    static SettingPath of(Fields tree, String setting) {
        List<String> steps = new ArrayList<>();
        @Nullable ConfigurationNode node = tree;
        String rest = setting;
        while (!rest.isEmpty()) {
            rest = rest.startsWith(".") ? rest.substring(1) : rest;
            String left = rest;
            Optional<String> known = node instanceof Fields fields
                    ? fields.byName().keySet().stream()
                            .filter(name ->
                                    left.equals(name) || left.startsWith(name + ".") || left.startsWith(name + "["))
                            .max((one, other) -> Integer.compare(one.length(), other.length()))
                    : Optional.empty();
            Matcher step = STEP.matcher(rest);
            if (known.isPresent()) {
                steps.add(known.get());
                rest = rest.substring(known.get().length());
            } else if (step.lookingAt()) {
                steps.add(step.group(1) == null ? step.group(2) : step.group(1));
                rest = rest.substring(step.end());
            } else {
                rest = "";
            }
            node = node == null ? null : child(node, steps.get(steps.size() - 1));
        }
        return new SettingPath(steps);
    }

    /** Whether this is {@code section}, or a place in it. */
    boolean isIn(SettingPath section) {
        return steps.size() >= section.steps.size()
                && steps.subList(0, section.steps.size()).equals(section.steps);
    }

    /** The step at {@code index}; empty if there are fewer. */
    String step(int index) {
        return index < steps.size() ? steps.get(index) : "";
    }

    /** The first {@code length} steps. */
    SettingPath first(int length) {
        return new SettingPath(steps.subList(0, Math.min(length, steps.size())));
    }

    /** This path with its last step replaced by {@code name}. */
    SettingPath sibling(String name) {
        List<String> changed = new ArrayList<>(steps.subList(0, steps.size() - 1));
        changed.add(name);
        return new SettingPath(changed);
    }

    /** The path of {@code name} in the section here. */
    SettingPath child(String name) {
        List<String> longer = new ArrayList<>(steps);
        longer.add(name);
        return new SettingPath(longer);
    }

    /** The node here; null if there is none. */
    @Nullable
    ConfigurationNode in(Fields tree) {
        @Nullable ConfigurationNode node = tree;
        for (String step : steps) {
            node = node == null ? null : child(node, step);
        }
        return node;
    }

    /** The origin of the deepest node there is on the way here. */
    ValueOrigin origin(Fields tree) {
        ConfigurationNode node = tree;
        for (String step : steps) {
            @Nullable ConfigurationNode next = child(node, step);
            if (next == null) {
                break;
            }
            node = next;
        }
        return node.origin();
    }

    private static @Nullable ConfigurationNode child(ConfigurationNode node, String step) {
        if (node instanceof Items items && step.matches("\\d{1,6}")) {
            int place = Integer.parseInt(step);
            return place < items.nodes().size() ? items.nodes().get(place) : null;
        }
        return node instanceof Fields fields ? fields.value(step) : null;
    }

    /** {@code tree} without what is here; the same tree if nothing is. A section that becomes empty goes as well. */
    Fields removedFrom(Fields tree) {
        return changed(tree, node -> null);
    }

    /** {@code tree} with {@code value} here; its section has to be there. */
    Fields putInto(Fields tree, ConfigurationNode value) {
        return changed(tree, node -> value);
    }

    private Fields changed(Fields tree, UnaryOperator<@Nullable ConfigurationNode> change) {
        return changed(tree, 0, change) instanceof Fields fields ? fields : Fields.empty(tree.origin());
    }

    private @Nullable ConfigurationNode changed(
            @Nullable ConfigurationNode node, int depth, UnaryOperator<@Nullable ConfigurationNode> change) {
        if (depth == steps.size()) {
            return change.apply(node);
        }
        String step = steps.get(depth);
        if (node instanceof Items items && child(items, step) != null) {
            List<ConfigurationNode> nodes = new ArrayList<>(items.nodes());
            int place = Integer.parseInt(step);
            @Nullable ConfigurationNode changed = changed(nodes.get(place), depth + 1, change);
            if (changed == null) {
                nodes.remove(place);
            } else {
                nodes.set(place, changed);
            }
            return nodes.isEmpty() ? null : new Items(nodes, items.origin());
        }
        if (!(node instanceof Fields fields)) {
            return node;
        }
        Map<String, Field> all = new LinkedHashMap<>(fields.byName());
        @Nullable ConfigurationNode changed = changed(fields.value(step), depth + 1, change);
        if (changed == null) {
            all.remove(step);
        } else {
            all.put(step, new Field(changed.origin(), changed));
        }
        return all.isEmpty() && depth > 0 ? null : new Fields(all, fields.origin());
    }
}
