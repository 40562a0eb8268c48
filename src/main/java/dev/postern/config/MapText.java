package dev.postern.config;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.DumperOptions.FlowStyle;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.composer.Composer;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;
import org.yaml.snakeyaml.parser.ParserImpl;
import org.yaml.snakeyaml.reader.StreamReader;
import org.yaml.snakeyaml.resolver.Resolver;

/**
 * The text of a configuration file while single settings in it are changed and everything else, comments and order
 * included, stays as it was written. JSON is YAML here, whose braces and quotes it keeps. It knows where things stand and
 * not what they mean: whoever changes a file reads the new text and compares.
 */
final class MapText {

    /** The text is written in a way that has no place for a change. */
    static final class NoPlaceException extends Exception {

        private static final long serialVersionUID = 1L;

        NoPlaceException() {
            super("written in a way that only a person can change");
        }
    }

    /** Where {@code node}, the value of {@code key}, begins and ends; it has been written out and is no alias. */
    private record Entry(Node key, Node value) {

        boolean isNothing() {
            return value.getTag().equals(Tag.NULL)
                    || (value instanceof MappingNode map && map.getValue().isEmpty());
        }
    }

    private final Words words;
    private String text;
    private MapPlaces places;

    /** @param json true where names and texts have to be in quotes */
    MapText(String text, boolean json) {
        this.text = text;
        this.places = new MapPlaces(text);
        this.words = new Words(json, text.contains("\r\n") ? "\r\n" : "\n");
    }

    /** The text as it is by now. */
    String text() {
        return text;
    }

    /** Has {@code path} say {@code value}, whether it is there or not. */
    void put(List<String> path, String value) throws NoPlaceException {
        place(path, words.scalar(value));
    }

    /** Adds {@code word} to the list at {@code path}, unless it is there. */
    void add(List<String> path, String word) throws NoPlaceException {
        Optional<Entry> entry = find(path);
        if (entry.isEmpty() || entry.get().isNothing()) {
            place(path, "[" + words.scalar(word) + "]");
            return;
        }
        if (!(entry.get().value() instanceof SequenceNode list)) {
            throw new NoPlaceException();
        }
        if (list.getValue().stream()
                .anyMatch(item ->
                        item instanceof ScalarNode each && each.getValue().equals(word))) {
            return;
        }
        if (list.getValue().isEmpty()) {
            insert(inside(list, '['), words.scalar(word));
            return;
        }
        int end = places.end(list.getValue().get(list.getValue().size() - 1), places.start(list));
        if (list.getFlowStyle() == FlowStyle.FLOW) {
            insert(end, ", " + words.scalar(word));
        } else {
            insert(places.lineEnd(end), words.line(list.getStartMark().getColumn(), "- " + words.scalar(word)));
        }
    }

    /** Takes {@code path} away, with what is below it and its line; comments above it stay. */
    void remove(List<String> path) throws NoPlaceException {
        @Nullable Node above = path.size() == 1 ? root().orElse(null) : value(path.subList(0, path.size() - 1));
        if (!(above instanceof MappingNode map)) {
            return;
        }
        Optional<Entry> entry = entry(map, path.get(path.size() - 1));
        if (entry.isEmpty()) {
            return;
        }
        int from = places.start(entry.get().key());
        int to = end(entry.get());
        if (map.getFlowStyle() == FlowStyle.FLOW) {
            removeFromFlow(map, entry.get());
            return;
        }
        int line = text.lastIndexOf('\n', from - 1) + 1;
        if (!text.substring(line, from).isBlank()) {
            throw new NoPlaceException();
        }
        int next = places.lineEnd(to);
        replace(line, next < text.length() ? text.indexOf('\n', next) + 1 : next, "");
    }

    private void removeFromFlow(MappingNode map, Entry entry) throws NoPlaceException {
        List<NodeTuple> tuples = map.getValue();
        int place = 0;
        while (!tuples.get(place).getKeyNode().equals(entry.key())) {
            place++;
        }
        if (place > 0) {
            replace(places.end(tuples.get(place - 1)), end(entry), "");
        } else {
            boolean last = tuples.size() == 1;
            replace(
                    places.start(entry.key()),
                    last ? end(entry) : places.start(tuples.get(1).getKeyNode()),
                    "");
        }
    }

    private void place(List<String> path, String rendered) throws NoPlaceException {
        Optional<Node> root = root();
        if (root.isEmpty()) {
            String before = text.isEmpty() || text.endsWith("\n") ? "" : words.newline();
            insert(text.length(), before + words.block(path, 0, rendered) + words.newline());
            return;
        }
        Node node = root.get();
        for (int depth = 0; ; depth++) {
            if (!(node instanceof MappingNode map)) {
                throw new NoPlaceException();
            }
            List<String> rest = path.subList(depth, path.size());
            Optional<Entry> entry = entry(map, path.get(depth));
            if (entry.isEmpty()) {
                insertInto(map, rest, rendered);
                return;
            }
            List<String> below = rest.subList(1, rest.size());
            if (below.isEmpty()) {
                replaceValue(entry.get(), rendered);
                return;
            }
            if (entry.get().isNothing()) {
                fill(map, entry.get(), below, rendered);
                return;
            }
            node = entry.get().value();
        }
    }

    private void insertInto(MappingNode map, List<String> rest, String rendered) throws NoPlaceException {
        List<NodeTuple> tuples = map.getValue();
        boolean flow = map.getFlowStyle() == FlowStyle.FLOW;
        if (tuples.isEmpty()) {
            insert(inside(map, '{'), words.flow(rest, rendered));
            return;
        }
        NodeTuple last = tuples.get(tuples.size() - 1);
        int column = last.getKeyNode().getStartMark().getColumn();
        if (!flow) {
            insert(places.lineEnd(places.end(last)), words.newline() + words.block(rest, column, rendered));
            return;
        }
        boolean ownLine = places.isFirstOnItsLine(places.start(last.getKeyNode()));
        String inner = words.flow(rest, rendered);
        insert(places.end(last), "," + (ownLine ? words.line(column, inner) : " " + inner));
    }

    private void replaceValue(Entry entry, String rendered) throws NoPlaceException {
        int from = places.start(entry.value());
        boolean glued = from > 0 && text.charAt(from - 1) == ':';
        replace(from, end(entry), (glued ? " " : "") + rendered);
    }

    /** Right behind the bracket that opens {@code empty}. */
    private int inside(Node empty, char bracket) throws NoPlaceException {
        int start = places.start(empty);
        if (text.charAt(start) != bracket) {
            throw new NoPlaceException();
        }
        return start + 1;
    }

    /** Puts something below a name that stands there with nothing. */
    private void fill(MappingNode map, Entry entry, List<String> below, String rendered) throws NoPlaceException {
        int from = places.end(entry.key(), 0);
        int to = end(entry);
        if (map.getFlowStyle() == FlowStyle.FLOW) {
            replace(from, to, ": {" + words.flow(below, rendered) + "}");
            return;
        }
        int column = entry.key().getStartMark().getColumn() + Words.INDENT;
        insert(places.lineEnd(to), words.newline() + words.block(below, column, rendered));
        replace(from, to, ":");
    }

    private @Nullable Node value(List<String> path) throws NoPlaceException {
        return find(path).map(Entry::value).orElse(null);
    }

    private Optional<Entry> find(List<String> path) throws NoPlaceException {
        @Nullable Node node = root().orElse(null);
        Optional<Entry> entry = Optional.empty();
        for (String name : path) {
            if (!(node instanceof MappingNode map)) {
                return Optional.empty();
            }
            entry = entry(map, name);
            node = entry.map(Entry::value).orElse(null);
        }
        return entry;
    }

    private Optional<Entry> entry(MappingNode map, String name) throws NoPlaceException {
        for (NodeTuple tuple : map.getValue()) {
            if (tuple.getKeyNode() instanceof ScalarNode key && key.getValue().equals(name)) {
                return Optional.of(entryOf(tuple));
            }
        }
        return Optional.empty();
    }

    /** What {@code tuple} says, where it is written out. */
    private Entry entryOf(NodeTuple tuple) throws NoPlaceException {
        if (places.isAlias(tuple)) {
            throw new NoPlaceException();
        }
        return new Entry(tuple.getKeyNode(), tuple.getValueNode());
    }

    private Optional<Node> root() throws NoPlaceException {
        LoaderOptions limits = new LoaderOptions();
        limits.setMergeOnCompose(false);
        try {
            // A tab is white space in JSON, and none in YAML.
            StreamReader characters = new StreamReader(words.json() ? text.replace('\t', ' ') : text);
            Composer composer = new Composer(new ParserImpl(characters, limits), new Resolver(), limits);
            return Optional.ofNullable(composer.getSingleNode());
        } catch (YAMLException unreadable) {
            throw new NoPlaceException();
        }
    }

    private int end(Entry entry) throws NoPlaceException {
        return places.end(entry.value(), places.end(entry.key(), 0));
    }

    private void insert(int place, String inserted) {
        replace(place, place, inserted);
    }

    private void replace(int from, int to, String by) {
        text = text.substring(0, from) + by + text.substring(to);
        places = new MapPlaces(text);
    }
}
