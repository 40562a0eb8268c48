package dev.postern.config.openclaw;

import dev.postern.config.ConfigurationNode;
import dev.postern.config.ConfigurationNode.Field;
import dev.postern.config.ConfigurationNode.Fields;
import dev.postern.config.ConfigurationNode.Form;
import dev.postern.config.ConfigurationNode.Items;
import dev.postern.config.ConfigurationNode.Scalar;
import dev.postern.config.ValueOrigin;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A section of OpenClaw's configuration that is being read. It knows which of its settings have been read. */
final class OpenClawSection {

    private final ImportContext context;
    private final String path;
    private final Fields fields;
    private final Map<String, OpenClawSection> inherited = new HashMap<>();
    private final Set<String> read = new HashSet<>();
    private boolean failed;

    /** @param path the section's full name; empty for the whole configuration */
    OpenClawSection(ImportContext context, String path, Fields fields) {
        this.context = context;
        this.path = path;
        this.fields = fields;
    }

    ValueOrigin origin() {
        return fields.origin();
    }

    String path() {
        return path;
    }

    /** Gives this section the settings {@code names} of {@code outer} where it has none of its own. */
    void inherit(OpenClawSection outer, Set<String> names) {
        names.stream().filter(name -> !contains(name)).forEach(name -> inherited.put(name, outer));
    }

    /** The full name of the setting {@code name} in this section, or where it is inherited from. */
    String path(String name) {
        @Nullable OpenClawSection outer = inherited.get(name);
        if (outer != null) {
            return outer.path(name);
        }
        return path.isEmpty() ? name : path + "." + name;
    }

    /** The place of the setting's name; that of the section if it has no such setting. */
    ValueOrigin origin(String name) {
        @Nullable Field field = fields.byName().get(name);
        return field == null ? fields.origin() : field.nameOrigin();
    }

    /** Whether this section has a setting {@code name} of its own. */
    boolean contains(String name) {
        return fields.value(name) != null;
    }

    /** Whether a setting could not be read. */
    boolean failed() {
        return failed;
    }

    /** Reads a setting of any form; null if it is absent. */
    @Nullable
    ConfigurationNode node(String name) {
        read.add(name);
        @Nullable OpenClawSection outer = inherited.get(name);
        return outer == null ? fields.value(name) : outer.node(name);
    }

    /** Reads a text or a number, with environment variables filled in; empty if it is absent or blank. */
    Optional<Scalar> text(String name) {
        @Nullable ConfigurationNode node = node(name);
        if (node == null) {
            return Optional.empty();
        }
        if (!(node instanceof Scalar scalar) || scalar.form() == Form.FLAG) {
            return mismatch(name, node, "a text");
        }
        return plain(context, path(name), scalar).or(() -> {
            failed |= !scalar.text().isBlank();
            return Optional.empty();
        });
    }

    /** {@code scalar} with environment variables filled in; empty if it is blank, or a variable is not set, which is noted. */
    static Optional<Scalar> plain(ImportContext context, String path, Scalar scalar) {
        if (scalar.text().isBlank()) {
            return Optional.empty();
        }
        Optional<String> resolved = context.environment().resolved(scalar.text());
        if (resolved.isEmpty()) {
            context.notes()
                    .notTaken(
                            scalar.origin(),
                            path,
                            "it refers to an environment variable that is not set here",
                            "set the variable and import again");
        } else if (EnvironmentText.hasReference(scalar.text())) {
            context.notes()
                    .differs(scalar.origin(), path, "the environment variable's present value is written in its place");
        }
        return resolved.filter(text -> !text.isBlank()).map(text -> new Scalar(text, scalar.form(), scalar.origin()));
    }

    /** Reads true or false. */
    Optional<Scalar> flag(String name) {
        return scalar(name, Form.FLAG, "true or false");
    }

    /** Reads a number. */
    Optional<Scalar> number(String name) {
        return scalar(name, Form.NUMBER, "a number");
    }

    private Optional<Scalar> scalar(String name, Form form, String expected) {
        @Nullable ConfigurationNode node = node(name);
        if (node == null) {
            return Optional.empty();
        }
        return node instanceof Scalar scalar && scalar.form() == form
                ? Optional.of(scalar)
                : mismatch(name, node, expected);
    }

    /** Reads a section; empty if it is absent. */
    Optional<OpenClawSection> section(String name) {
        @Nullable ConfigurationNode node = node(name);
        if (node == null) {
            return Optional.empty();
        }
        return node instanceof Fields inner
                ? Optional.of(new OpenClawSection(context, path(name), inner))
                : mismatch(name, node, "a map");
    }

    /** {@code early} as the defaults of a section of agents, whose names in notes are those of {@code early}. */
    OpenClawSection asDefaults(OpenClawSection early) {
        Fields agents = Fields.empty(early.fields.origin()).with("defaults", early.fields);
        return new OpenClawSection(context, "agents", agents);
    }

    /** Reads a list; empty if it is absent. */
    Optional<Items> items(String name) {
        @Nullable ConfigurationNode node = node(name);
        if (node == null) {
            return Optional.empty();
        }
        return node instanceof Items items ? Optional.of(items) : mismatch(name, node, "a list");
    }

    /** Reads a list of texts without the blank ones; empty if it is absent. */
    Optional<List<Scalar>> texts(String name) {
        return items(name).map(items -> {
            List<Scalar> texts = new ArrayList<>();
            for (ConfigurationNode node : items.nodes()) {
                if (node instanceof Scalar scalar && scalar.form() != Form.FLAG) {
                    Optional<Scalar> plain = plain(context, path(name), scalar);
                    plain.ifPresent(texts::add);
                    failed |= plain.isEmpty() && !scalar.text().isBlank();
                } else {
                    mismatch(name, node, "a text");
                }
            }
            return texts;
        });
    }

    /** Whether {@code name} says something that {@link #texts} should give: it is there, and is no list of blank texts alone. */
    boolean hasTexts(String name) {
        @Nullable ConfigurationNode node = node(name);
        return node instanceof Items items
                ? items.nodes().stream()
                        .anyMatch(each ->
                                !(each instanceof Scalar scalar && scalar.text().isBlank()))
                : node != null;
    }

    /** The sections in a map whose names are the operator's choice, by name. */
    Map<String, OpenClawSection> entries() {
        Map<String, OpenClawSection> entries = new LinkedHashMap<>();
        fields.byName().keySet().forEach(name -> section(name).ifPresent(inner -> entries.put(name, inner)));
        return entries;
    }

    private <T> Optional<T> mismatch(String name, ConfigurationNode node, String expected) {
        failed = true;
        context.notes().notTaken(node.origin(), path(name), "it is " + node.noun(), "write " + expected);
        return Optional.empty();
    }

    /** Notes that {@code name} is not taken, if it is there. */
    void skip(String name, String because) {
        if (node(name) != null) {
            context.notes().notTaken(origin(name), path(name), because);
        }
    }

    /**
     * Notes all settings that have not been read.
     *
     * @param reasons why those of these names are not taken
     * @param otherwise why all others are not taken
     * @return whether there were any
     */
    boolean skipRest(Map<String, String> reasons, String otherwise) {
        List<String> rest = fields.byName().keySet().stream()
                .filter(name -> contains(name) && !read.contains(name))
                .toList();
        rest.forEach(name -> skip(name, reasons.getOrDefault(name, otherwise)));
        return !rest.isEmpty();
    }
}
