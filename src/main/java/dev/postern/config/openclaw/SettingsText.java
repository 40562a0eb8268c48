package dev.postern.config.openclaw;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import dev.postern.config.ConfigurationNode;
import dev.postern.config.ConfigurationNode.Fields;
import dev.postern.config.ConfigurationNode.Form;
import dev.postern.config.ConfigurationNode.Items;
import dev.postern.config.ConfigurationNode.Scalar;
import dev.postern.config.ValueOrigin;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The YAML of settings.
 *
 * @param lines the lines, without line ends
 * @param origins the origin of each line
 */
record SettingsText(List<String> lines, List<ValueOrigin> origins) {

    /** A text that YAML takes for a text without quotes. */
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z][A-Za-z0-9_./-]*|\\$\\{(env|file):[A-Za-z0-9_./-]+}");

    /** The words that YAML takes for something else. */
    private static final Pattern WORD = Pattern.compile("(?i)true|false|yes|no|on|off|null|y|n");

    /** Lines of a text that can stand below each other as they are. */
    private static final Pattern BLOCK = Pattern.compile(
            "\\S[^\\p{Cntrl}\\uFEFF\\u0085\\u2028\\u2029]*(\n[^\\p{Cntrl}\\uFEFF\\u0085\\u2028\\u2029]*)+");

    private static final int WIDTH = 100;

    SettingsText {
        lines = List.copyOf(lines);
        origins = List.copyOf(origins);
    }

    /** @param head the comment lines before the settings */
    static SettingsText of(Fields settings, List<String> head) {
        List<String> lines = new ArrayList<>(head);
        List<ValueOrigin> origins = new ArrayList<>();
        head.forEach(line -> origins.add(settings.origin()));
        SettingsText text = new SettingsText(List.of(), List.of());
        settings.byName().forEach((name, field) -> {
            text.add("", settings.origin(), lines, origins);
            text.write("", key(name), field.value(), lines, origins);
        });
        return new SettingsText(lines, origins);
    }

    String text() {
        return String.join("\n", lines) + "\n";
    }

    /** The origin of a line, counted from 1. */
    ValueOrigin origin(int line) {
        return origins.get(Math.min(Math.max(line, 1), origins.size()) - 1);
    }

    private void add(String line, ValueOrigin origin, List<String> lines, List<ValueOrigin> origins) {
        lines.add(line);
        origins.add(origin);
    }

    /** @param before what stands before the value on its line, such as {@code path:} */
    private void write(
            String indent, String before, ConfigurationNode node, List<String> lines, List<ValueOrigin> origins) {
        String flow = flow(node);
        if (node instanceof Scalar scalar && BLOCK.matcher(scalar.text()).matches()) {
            add(indent + before + " |-", node.origin(), lines, origins);
            scalar.text()
                    .lines()
                    .forEach(line -> add(line.isEmpty() ? "" : indent + "  " + line, node.origin(), lines, origins));
        } else if (isShort(node) && indent.length() + before.length() + flow.length() < WIDTH) {
            add(indent + before + " " + flow, node.origin(), lines, origins);
        } else if (node instanceof Fields fields) {
            add(indent + before, node.origin(), lines, origins);
            fields.byName().forEach((name, field) -> write(indent + "  ", key(name), field.value(), lines, origins));
        } else if (node instanceof Items items) {
            add(indent + before, node.origin(), lines, origins);
            items.nodes().forEach(item -> writeItem(indent + "  ", item, lines, origins));
        } else {
            add(indent + before + " " + flow, node.origin(), lines, origins);
        }
    }

    /** Writes an item with a dash before its first line. */
    private void writeItem(String indent, ConfigurationNode item, List<String> lines, List<ValueOrigin> origins) {
        int first = lines.size();
        if (item instanceof Fields fields && !fields.byName().isEmpty()) {
            fields.byName().forEach((name, field) -> write(indent + "  ", key(name), field.value(), lines, origins));
            lines.set(first, indent + "- " + lines.get(first).substring(indent.length() + 2));
        } else {
            add(indent + "- " + flow(item), item.origin(), lines, origins);
        }
    }

    /** Whether {@code node} reads well on one line: a scalar, or a few of them. */
    private static boolean isShort(ConfigurationNode node) {
        if (node instanceof Items items) {
            return items.nodes().stream().allMatch(Scalar.class::isInstance);
        }
        return node instanceof Fields fields
                ? fields.byName().size() < 3
                        && fields.byName().values().stream().allMatch(field -> field.value() instanceof Scalar)
                : node instanceof Scalar;
    }

    private static String flow(ConfigurationNode node) {
        if (node instanceof Items items) {
            return items.nodes().stream().map(SettingsText::flow).collect(Collectors.joining(", ", "[", "]"));
        }
        if (node instanceof Fields fields) {
            return fields.byName().entrySet().stream()
                    .map(entry ->
                            key(entry.getKey()) + " " + flow(entry.getValue().value()))
                    .collect(Collectors.joining(", ", "{", "}"));
        }
        if (!(node instanceof Scalar scalar)) {
            return "";
        }
        return scalar.form() == Form.TEXT ? spelled(scalar.text()) : scalar.text();
    }

    private static String key(String name) {
        return (PLAIN.matcher(name).matches() && !WORD.matcher(name).matches() ? name : quoted(name)) + ":";
    }

    private static String spelled(String text) {
        boolean plain = PLAIN.matcher(text).matches() && !WORD.matcher(text).matches() && !text.startsWith("$");
        return plain ? text : quoted(text);
    }

    private static String quoted(String text) {
        return '"' + new String(JsonStringEncoder.getInstance().quoteAsString(text)) + '"';
    }
}
