package dev.postern.config;

import dev.postern.config.ConfigurationNode.Field;
import dev.postern.config.ConfigurationNode.Fields;
import dev.postern.config.ConfigurationNode.Items;
import dev.postern.config.ConfigurationNode.Scalar;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The section {@code hooks.gmail} of a {@link MailFile}. It also adds the preset that takes its mails.
 *
 * @param file the file that holds it, now or later
 * @param gmail the section and the origin of its name
 * @param remedy the advice to the operator if the main file has that section too
 */
record MailSection(Path file, Field gmail, String remedy) {

    static final String HOOKS = "hooks";
    static final String GMAIL = "gmail";
    private static final String PRESETS = PresetMappings.PRESETS.name();

    /** {@code main} with the section added; unchanged if it has the section itself, which is reported as a problem. */
    ConfigurationNode addTo(ConfigurationNode main, ConfigurationProblems problems) {
        if (!(main instanceof Fields root)) {
            return main;
        }
        @Nullable ConfigurationNode given = root.value(HOOKS);
        Fields hooks = given instanceof Fields fields ? fields : Fields.empty(ValueOrigin.DEFAULT);
        if (given != null && given != hooks) {
            return main; // which is reported as a problem elsewhere
        }
        @Nullable Field other = hooks.byName().get(GMAIL);
        if (other != null && !(other.value() instanceof ConfigurationNode.Nothing)) {
            problems.add(HOOKS + "." + GMAIL, gmail.nameOrigin(), "stands at " + lines(other) + " too", remedy);
            return main;
        }
        return root.with(HOOKS, hooks.with(PRESETS, presets(hooks)).with(GMAIL, gmail.value()));
    }

    /** The names of its settings. */
    List<String> names() {
        return gmail.value() instanceof Fields fields
                ? List.copyOf(fields.byName().keySet())
                : List.of();
    }

    private ConfigurationNode presets(Fields hooks) {
        @Nullable ConfigurationNode given = hooks.value(PRESETS);
        Scalar own = new Scalar(GMAIL, ConfigurationNode.Form.TEXT, gmail.nameOrigin());
        if (given == null) {
            return new Items(List.of(own), gmail.nameOrigin());
        }
        if (!(given instanceof Items items) || items.nodes().stream().anyMatch(MailSection::isOwn)) {
            return given;
        }
        List<ConfigurationNode> more = new ArrayList<>(items.nodes());
        more.add(own);
        return new Items(more, items.origin().and(gmail.nameOrigin()));
    }

    private static boolean isOwn(ConfigurationNode preset) {
        return preset instanceof Scalar scalar && scalar.text().equals(GMAIL);
    }

    /** The place of {@code section} in words; its last line is the one in which its last setting begins. */
    private static String lines(Field section) {
        ValueOrigin first = section.nameOrigin();
        int last = inner(section.value())
                .flatMap(field -> Stream.concat(Stream.of(field), inner(field.value())))
                .mapToInt(field -> Math.max(
                        field.nameOrigin().line(), field.value().origin().line()))
                .reduce(first.line(), Math::max);
        return first + (last > first.line() ? " (lines " + first.line() + " to " + last + ")" : "");
    }

    private static Stream<Field> inner(ConfigurationNode node) {
        return node instanceof Fields fields ? fields.byName().values().stream() : Stream.empty();
    }
}
