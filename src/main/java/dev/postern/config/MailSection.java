package dev.postern.config;

import dev.postern.config.ConfigurationNode.Field;
import dev.postern.config.ConfigurationNode.Fields;
import dev.postern.config.ConfigurationNode.Items;
import dev.postern.config.ConfigurationNode.Scalar;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The content of a {@link MailFile}: {@code hooks.gmail}, and perhaps what answers its mails. It also adds the preset that
 * takes the mails.
 *
 * @param file the file that holds it, now or later
 * @param fields the fields by the paths in {@link #SETTINGS}; one of them is {@link #MAILBOX}
 * @param remedy the advice to the operator if the main file has one of them too
 */
record MailSection(Path file, Map<String, Field> fields, String remedy) {

    static final String MAILBOX = "hooks.gmail";

    /** The settings that the file may hold. */
    static final List<String> SETTINGS = List.of(MAILBOX, "hooks.presetReplyTo.gmail", "channels.mail");

    private static final String HOOKS = "hooks";
    private static final String GMAIL = "gmail";
    private static final String PRESETS = PresetMappings.PRESETS.name();

    MailSection {
        fields = Collections.unmodifiableMap(new LinkedHashMap<>(fields));
    }

    /** {@code main} with the fields added, except those that it has itself, which are reported as problems. */
    ConfigurationNode addTo(ConfigurationNode main, ConfigurationProblems problems) {
        if (!(main instanceof Fields root)) {
            return main;
        }
        Fields merged = root;
        for (Map.Entry<String, Field> entry : fields.entrySet()) {
            List<String> names = List.of(entry.getKey().split("\\."));
            merged = added(merged, names, entry.getKey(), entry.getValue(), problems);
        }
        return merged.value(HOOKS) instanceof Fields hooks
                ? merged.with(HOOKS, hooks.with(PRESETS, presets(hooks)))
                : merged;
    }

    /** {@code parent} with {@code field} at the path {@code names} below it. */
    private Fields added(
            Fields parent, List<String> names, String setting, Field field, ConfigurationProblems problems) {
        String name = names.get(0);
        @Nullable Field given = parent.byName().get(name);
        boolean present = given != null && !(given.value() instanceof ConfigurationNode.Nothing);
        if (names.size() == 1) {
            if (given != null && present) {
                problems.add(setting, field.nameOrigin(), "stands at " + lines(given) + " too", remedy);
                return parent;
            }
            return parent.with(name, field.value());
        }
        if (given != null && present && !(given.value() instanceof Fields)) {
            return parent; // which is reported as a problem elsewhere
        }
        Fields inner = given != null && given.value() instanceof Fields map ? map : Fields.empty(field.nameOrigin());
        return parent.with(name, added(inner, names.subList(1, names.size()), setting, field, problems));
    }

    /** The settings in it: those of the mailbox by their names below it, any other by its path. */
    List<String> names() {
        return fields.entrySet().stream()
                .flatMap(entry -> entry.getKey().equals(MAILBOX)
                        ? inner(entry.getValue().value()).keySet().stream()
                        : Stream.of(entry.getKey()))
                .toList();
    }

    private ConfigurationNode presets(Fields hooks) {
        @Nullable ConfigurationNode given = hooks.value(PRESETS);
        ValueOrigin origin = Objects.requireNonNull(fields.get(MAILBOX)).nameOrigin();
        Scalar own = new Scalar(GMAIL, ConfigurationNode.Form.TEXT, origin);
        if (given == null) {
            return new Items(List.of(own), origin);
        }
        if (!(given instanceof Items items) || items.nodes().stream().anyMatch(MailSection::isOwn)) {
            return given;
        }
        List<ConfigurationNode> more = new ArrayList<>(items.nodes());
        more.add(own);
        return new Items(more, items.origin().and(origin));
    }

    private static boolean isOwn(ConfigurationNode preset) {
        return preset instanceof Scalar scalar && scalar.text().equals(GMAIL);
    }

    /** The place of {@code section} in words; its last line is the one in which its last setting begins. */
    private static String lines(Field section) {
        ValueOrigin first = section.nameOrigin();
        int last = inner(section.value()).values().stream()
                .flatMap(field -> Stream.concat(Stream.of(field), inner(field.value()).values().stream()))
                .mapToInt(field -> Math.max(
                        field.nameOrigin().line(), field.value().origin().line()))
                .reduce(first.line(), Math::max);
        return first + (last > first.line() ? " (lines " + first.line() + " to " + last + ")" : "");
    }

    private static Map<String, Field> inner(ConfigurationNode node) {
        return node instanceof Fields map ? map.byName() : Map.of();
    }
}
