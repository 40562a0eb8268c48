package dev.postern.config.openclaw;

import dev.postern.config.ConfigurationFile;
import dev.postern.config.ConfigurationNode;
import dev.postern.config.ConfigurationNode.Field;
import dev.postern.config.ConfigurationNode.Fields;
import dev.postern.config.ConfigurationNode.Items;
import dev.postern.config.ConfigurationNode.Scalar;
import dev.postern.config.ConfigurationProblems;
import dev.postern.config.ValueOrigin;
import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A reader of OpenClaw's configuration file with the files that it includes. {@code $include} names one file, or several of
 * which a later one wins; the settings beside it win over all of them. Included files are in the directory of the main file.
 */
final class OpenClawFile {

    private static final String INCLUDE = "$include";
    private static final int MAX_DEPTH = 10;
    private static final int MAX_FILES = 200;

    private final Path file;
    private final ConfigurationProblems problems;
    private final Deque<Path> open = new ArrayDeque<>();
    private int count;

    OpenClawFile(Path file, ConfigurationProblems problems) {
        this.file = file.normalize();
        this.problems = problems;
    }

    /** The whole configuration; empty if it can't be read, which is reported as a problem. */
    Optional<Fields> read() {
        Optional<ConfigurationNode> root = read(file);
        if (root.isPresent() && !(root.get() instanceof Fields)) {
            problem(root.get().origin(), "is " + root.get().noun(), "name a file with a map of settings");
        }
        if (root.isEmpty() && problems.problems().isEmpty()) {
            problem(ValueOrigin.file(file, 1, 1), "is empty", "name OpenClaw's openclaw.json");
        }
        return root.filter(Fields.class::isInstance).map(Fields.class::cast);
    }

    private void problem(ValueOrigin origin, String wrong, String instead) {
        problems.add(ConfigurationFile.WHOLE, origin, wrong, instead);
    }

    private Optional<ConfigurationNode> read(Path included) {
        open.push(included);
        Optional<ConfigurationNode> tree =
                ConfigurationFile.readJson(included, problems).map(node -> resolved(node, included));
        open.pop();
        return tree;
    }

    private ConfigurationNode resolved(ConfigurationNode node, Path from) {
        if (node instanceof Items items) {
            return new Items(
                    items.nodes().stream().map(each -> resolved(each, from)).toList(), items.origin());
        }
        if (!(node instanceof Fields fields)) {
            return node;
        }
        Map<String, Field> own = new LinkedHashMap<>();
        fields.byName().forEach((name, field) -> {
            if (!name.equals(INCLUDE)) {
                own.put(name, new Field(field.nameOrigin(), resolved(field.value(), from)));
            }
        });
        ConfigurationNode rest = new Fields(own, fields.origin());
        @Nullable Field include = fields.byName().get(INCLUDE);
        if (include == null) {
            return rest;
        }
        @Nullable ConfigurationNode included = included(include.value(), from);
        return included == null ? rest : own.isEmpty() ? included : merged(included, rest);
    }

    private @Nullable ConfigurationNode included(ConfigurationNode names, Path from) {
        List<ConfigurationNode> all = names instanceof Items items ? items.nodes() : List.of(names);
        List<ConfigurationNode> trees = new ArrayList<>();
        for (ConfigurationNode name : all) {
            if (name instanceof Scalar scalar) {
                path(scalar, from).flatMap(this::read).ifPresent(trees::add);
            } else {
                problem(name.origin(), "includes " + name.noun(), "name a file");
            }
        }
        return trees.stream().reduce(OpenClawFile::merged).orElse(null);
    }

    private Optional<Path> path(Scalar name, Path from) {
        try {
            Path root = file.toAbsolutePath().resolveSibling("").toRealPath();
            Path included = from.resolveSibling(name.text()).normalize();
            if (!included.toRealPath().startsWith(root)) {
                problem(name.origin(), "includes a file outside " + root, "move it there");
            } else if (open.contains(included)) {
                problem(name.origin(), "includes a file that includes this one", "remove one of the two");
            } else if (open.size() > MAX_DEPTH || ++count > MAX_FILES) {
                problem(
                        name.origin(),
                        "includes more files than " + MAX_FILES + ", or deeper than " + MAX_DEPTH,
                        "merge some");
            } else {
                return Optional.of(included);
            }
        } catch (IOException | InvalidPathException e) {
            problem(name.origin(), "includes a file that does not exist", "put it there, or remove the line");
        }
        return Optional.empty();
    }

    /** The settings of both, of which {@code later} wins; lists go one after the other, as in OpenClaw. */
    private static ConfigurationNode merged(ConfigurationNode earlier, ConfigurationNode later) {
        if (earlier instanceof Items first && later instanceof Items second) {
            List<ConfigurationNode> nodes = new ArrayList<>(first.nodes());
            nodes.addAll(second.nodes());
            return new Items(nodes, first.origin());
        }
        if (!(earlier instanceof Fields first) || !(later instanceof Fields second)) {
            return later;
        }
        Map<String, Field> all = new LinkedHashMap<>(first.byName());
        second.byName()
                .forEach((name, field) -> all.merge(
                        name, field, (old, now) -> new Field(now.nameOrigin(), merged(old.value(), now.value()))));
        return new Fields(all, first.origin());
    }
}
