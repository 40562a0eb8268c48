package dev.postern.config.openclaw;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import dev.postern.config.ConfigurationNode;
import dev.postern.config.ConfigurationNode.Fields;
import dev.postern.config.ConfigurationNode.Form;
import dev.postern.config.ConfigurationNode.Items;
import dev.postern.config.ConfigurationNode.Scalar;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** A writer of settings in YAML, as a person would write them. */
final class SettingsWriter {

    /** A text that YAML takes for a text without quotes. */
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z][A-Za-z0-9_./-]*");

    /** The words that YAML takes for something else. */
    private static final Pattern WORD = Pattern.compile("(?i)true|false|yes|no|on|off|null|y|n");

    /** Several lines that can stand below each other as they are. */
    private static final Pattern BLOCK = Pattern.compile(
            "\\S[^\\p{Cntrl}\\uFEFF\\u0085\\u2028\\u2029]*+(?:\n[^\\p{Cntrl}\\uFEFF\\u0085\\u2028\\u2029]*+)++");

    private static final int WIDTH = 100;

    private final List<String> lines = new ArrayList<>();

    private SettingsWriter() {}

    /** @param head the comment lines before the settings */
    static String text(Fields settings, List<String> head) {
        SettingsWriter writer = new SettingsWriter();
        writer.lines.addAll(head);
        settings.byName().forEach((name, field) -> {
            writer.lines.add("");
            writer.write("", key(name), field.value());
        });
        return String.join("\n", writer.lines) + "\n";
    }

    /** @param before what stands before the value on its line, such as {@code path:} */
    private void write(String indent, String before, ConfigurationNode node) {
        String flow = flow(node);
        if (node instanceof Scalar scalar && BLOCK.matcher(scalar.text()).matches()) {
            lines.add(indent + before + " |-");
            scalar.text().lines().forEach(line -> lines.add(line.isEmpty() ? "" : indent + "  " + line));
        } else if (isShort(node) && indent.length() + before.length() + flow.length() < WIDTH) {
            lines.add(indent + before + " " + flow);
        } else if (node instanceof Fields fields) {
            lines.add(indent + before);
            fields.byName().forEach((name, field) -> write(indent + "  ", key(name), field.value()));
        } else if (node instanceof Items items) {
            lines.add(indent + before);
            items.nodes().forEach(item -> writeItem(indent + "  ", item));
        } else {
            lines.add(indent + before + " " + flow);
        }
    }

    /** Writes an item with a dash before its first line. */
    private void writeItem(String indent, ConfigurationNode item) {
        int first = lines.size();
        if (item instanceof Fields fields && !fields.byName().isEmpty()) {
            fields.byName().forEach((name, field) -> write(indent + "  ", key(name), field.value()));
            lines.set(first, indent + "- " + lines.get(first).substring(indent.length() + 2));
        } else {
            lines.add(indent + "- " + flow(item));
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
            return items.nodes().stream().map(SettingsWriter::flow).collect(Collectors.joining(", ", "[", "]"));
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
        return spelled(name) + ":";
    }

    private static String spelled(String text) {
        return PLAIN.matcher(text).matches() && !WORD.matcher(text).matches() ? text : quoted(text);
    }

    /** YAML reads JSON's escapes, and takes some more characters for the ends of lines. */
    private static String quoted(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        for (char c : JsonStringEncoder.getInstance().quoteAsString(text)) {
            boolean asIs = c < 0x7f || (c > 0x9f && c != '\u2028' && c != '\u2029' && c != '\ufeff');
            quoted.append(asIs ? Character.toString(c) : "\\u%04x".formatted((int) c));
        }
        return quoted.append('"').toString();
    }
}
