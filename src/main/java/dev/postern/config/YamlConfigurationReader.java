package dev.postern.config;

import dev.postern.config.ConfigurationNode.Field;
import dev.postern.config.ConfigurationNode.Fields;
import dev.postern.config.ConfigurationNode.Form;
import dev.postern.config.ConfigurationNode.Items;
import dev.postern.config.ConfigurationNode.Nothing;
import dev.postern.config.ConfigurationNode.Scalar;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.DumperOptions.ScalarStyle;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.composer.Composer;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.events.Event;
import org.yaml.snakeyaml.events.ScalarEvent;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;
import org.yaml.snakeyaml.parser.ParserImpl;
import org.yaml.snakeyaml.reader.StreamReader;
import org.yaml.snakeyaml.resolver.Resolver;

/**
 * A reader of YAML with anchors, aliases and merge keys.
 *
 * <p>It reads SnakeYAML's nodes rather than Jackson's tokens, which give an alias as its bare name and a merge key
 * ({@code <<}) as a field; the presets use both. An aliased value is converted once and shared, so that aliases of
 * aliases don't multiply.
 */
final class YamlConfigurationReader {

    /** The messages of SnakeYAML that don't quote the text, which may be a secret. */
    private static final Set<String> SAFE_MESSAGES = Set.of(
            "mapping values are not allowed here",
            "sequence entries are not allowed here",
            "mapping keys are not allowed here",
            "could not find expected ':'",
            "found duplicate key",
            "but found another document",
            "found unexpected end of stream");

    private final JsonConfigurationReader.Locator locator;
    private final ConfigurationProblems problems;
    private final IdentityHashMap<org.yaml.snakeyaml.nodes.Node, ConfigurationNode> converted = new IdentityHashMap<>();

    /** The nodes whose conversion has begun. */
    private final Set<org.yaml.snakeyaml.nodes.Node> open = Collections.newSetFromMap(new IdentityHashMap<>());

    YamlConfigurationReader(JsonConfigurationReader.Locator locator, ConfigurationProblems problems) {
        this.locator = locator;
        this.problems = problems;
    }

    /** The tree of {@code text}; empty if the text is empty or malformed. Malformed text is reported as a problem. */
    Optional<ConfigurationNode> read(String text) {
        LoaderOptions limits = new LoaderOptions();
        limits.setMergeOnCompose(false);
        QuoteParser parser = new QuoteParser(new StreamReader(text), limits);
        try {
            Composer composer = new Composer(parser, new Resolver(), limits);
            org.yaml.snakeyaml.nodes.Node root = composer.getSingleNode();
            return root == null ? Optional.empty() : Optional.of(convert(root, ""));
        } catch (MarkedYAMLException malformed) {
            Mark quote = openQuote(malformed, parser.quoted);
            if (quote != null) {
                problems.add(
                        "configuration",
                        at(quote),
                        "is no valid YAML: the quote that begins here may not be closed",
                        "write the closing quote where the text ends, or else correct the syntax at "
                                + at(malformed.getProblemMark()));
                return Optional.empty();
            }
            String fault = malformed.getProblem();
            String detail = fault != null && SAFE_MESSAGES.contains(fault) ? ": " + fault : "";
            problems.add(
                    "configuration",
                    at(malformed.getProblemMark()),
                    "is no valid YAML here" + detail,
                    remedy(text, malformed.getProblemMark(), String.valueOf(fault)));
            return Optional.empty();
        } catch (YAMLException refused) {
            problems.add(
                    "configuration",
                    locator.at(1, 1),
                    "is YAML that can't be read safely",
                    "use fewer aliases, less nesting and no control characters");
            return Optional.empty();
        }
    }

    /**
     * The beginning of a quote that may be what is wrong: it never ends, or it ends on a later line, behind which the text breaks
     * off. Then the quote that ends it was meant to begin another text.
     *
     * @param last the last quoted text that was read
     */
    private static @Nullable Mark openQuote(MarkedYAMLException malformed, @Nullable ScalarEvent last) {
        if ("while scanning a quoted scalar".equals(malformed.getContext())) {
            return malformed.getContextMark();
        }
        Mark mark = malformed.getProblemMark();
        return last != null
                        && mark != null
                        && last.getStartMark().getLine() < last.getEndMark().getLine()
                        && last.getEndMark().getLine() == mark.getLine()
                ? last.getStartMark()
                : null;
    }

    /** What to write in place of a text that breaks off at {@code mark}. */
    private static String remedy(String text, @Nullable Mark mark, String fault) {
        String line = mark == null
                ? ""
                : text.lines().skip(mark.getLine()).findFirst().orElse("");
        int column = mark == null ? 0 : Math.min(mark.getColumn(), line.length());
        if (line.substring(0, column).isBlank() && line.stripTrailing().startsWith("\t", column)) {
            return "indent with spaces: YAML takes no tab";
        }
        if (line.startsWith("{", column) && column > 0 && line.charAt(column - 1) == '$') {
            return "write quotes around ${…} within braces, as in {token: \"${env:NAME}\"}";
        }
        if (fault.startsWith("expected ','")) {
            return "write a comma before this, or the brace or bracket that closes what is open";
        }
        return "correct the syntax at or just before this place; mind the indentation";
    }

    private ValueOrigin at(@Nullable Mark mark) {
        return mark == null ? locator.at(1, 1) : locator.at(mark.getLine() + 1, mark.getColumn() + 1);
    }

    private ConfigurationNode convert(org.yaml.snakeyaml.nodes.Node node, String path) {
        ConfigurationNode known = converted.get(node);
        if (known != null) {
            return known;
        }
        ValueOrigin origin = at(node.getStartMark());
        if (!open.add(node)) {
            problems.add(path, origin, "holds itself, by an alias of its own anchor", "write the value out");
            return new Nothing(origin);
        }
        if (!node.getTag().startsWith(Tag.PREFIX)) {
            problems.add(path, origin, "has a tag of its own", "write the plain value, without !");
        }
        ConfigurationNode result =
                switch (node.getNodeId()) {
                    case mapping -> fields((MappingNode) node, path, origin);
                    case sequence -> items((SequenceNode) node, path, origin);
                    case scalar -> scalar((ScalarNode) node, origin);
                    case anchor -> throw new IllegalStateException("the composer resolves anchors");
                };
        converted.put(node, result);
        return result;
    }

    private static ConfigurationNode scalar(ScalarNode node, ValueOrigin origin) {
        Tag tag = node.getTag();
        if (tag.equals(Tag.NULL)) {
            return new Nothing(origin);
        }
        Form form = tag.equals(Tag.BOOL)
                ? Form.FLAG
                : tag.equals(Tag.INT) || tag.equals(Tag.FLOAT) ? Form.NUMBER : Form.TEXT;
        return new Scalar(node.getValue(), form, origin);
    }

    private Items items(SequenceNode node, String path, ValueOrigin origin) {
        List<ConfigurationNode> nodes = new ArrayList<>();
        for (org.yaml.snakeyaml.nodes.Node inner : node.getValue()) {
            nodes.add(convert(inner, path + "[" + nodes.size() + "]"));
        }
        return new Items(nodes, origin);
    }

    private Fields fields(MappingNode node, String path, ValueOrigin origin) {
        Map<String, Field> byName = new LinkedHashMap<>();
        List<Fields> merged = new ArrayList<>();
        for (NodeTuple tuple : node.getValue()) {
            ValueOrigin nameOrigin = at(tuple.getKeyNode().getStartMark());
            if (!(tuple.getKeyNode() instanceof ScalarNode key)) {
                problems.add(path, nameOrigin, "has a name that is no text", "write plain names");
            } else if (key.getTag().equals(Tag.MERGE)) {
                merge(convert(tuple.getValueNode(), path), path, merged);
            } else {
                String inner = SettingNames.join(path, key.getValue());
                Field earlier = byName.put(key.getValue(), new Field(nameOrigin, convert(tuple.getValueNode(), inner)));
                if (earlier != null) {
                    problems.add(
                            inner,
                            nameOrigin,
                            "is written twice, first at " + earlier.nameOrigin(),
                            "keep one of them");
                }
            }
        }
        merged.forEach(fields -> fields.byName().forEach(byName::putIfAbsent));
        return new Fields(byName, origin);
    }

    private void merge(ConfigurationNode value, String path, List<Fields> merged) {
        if (value instanceof Fields fields) {
            merged.add(fields);
        } else if (value instanceof Items items) {
            items.nodes().forEach(each -> merge(each, path, merged));
        } else {
            problems.add(path, value.origin(), "merges " + value.noun() + " with <<", "merge a map, by its alias");
        }
    }

    /** A parser that keeps the last quoted text, for what is said of a fault behind it. */
    private static final class QuoteParser extends ParserImpl {

        private static final Set<ScalarStyle> QUOTES = EnumSet.of(ScalarStyle.SINGLE_QUOTED, ScalarStyle.DOUBLE_QUOTED);

        private @Nullable ScalarEvent quoted;

        QuoteParser(StreamReader reader, LoaderOptions limits) {
            super(reader, limits);
        }

        @Override
        public Event getEvent() {
            Event event = super.getEvent();
            if (event instanceof ScalarEvent scalar && QUOTES.contains(scalar.getScalarStyle())) {
                quoted = scalar;
            }
            return event;
        }
    }
}
