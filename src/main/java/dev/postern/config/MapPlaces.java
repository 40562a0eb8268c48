package dev.postern.config;

import dev.postern.config.MapText.NoPlaceException;
import java.util.ArrayList;
import java.util.List;
import org.yaml.snakeyaml.DumperOptions.FlowStyle;
import org.yaml.snakeyaml.nodes.CollectionNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;

/**
 * Where the nodes of a YAML text stand in it, as indexes of its characters.
 *
 * @param text what the nodes were read from
 */
record MapPlaces(String text) {

    /** Whether nothing but white space is before {@code place} on its line. */
    boolean isFirstOnItsLine(int place) {
        return text.substring(text.lastIndexOf('\n', place - 1) + 1, place).isBlank();
    }

    /** Where {@code node} begins. */
    int start(Node node) {
        return place(node.getStartMark().getIndex());
    }

    /** Where an entry ends; one whose value is an alias, with its line. */
    int end(NodeTuple tuple) throws NoPlaceException {
        int key = end(tuple.getKeyNode(), 0);
        return isAlias(tuple) ? lineEnd(key) : end(tuple.getValueNode(), key);
    }

    /**
     * Where what was written of {@code node} ends; a block's own mark is where the next thing begins.
     *
     * @param least where it can't end before; it is an alias where it seems to
     */
    int end(Node node, int least) throws NoPlaceException {
        int end;
        if (node instanceof CollectionNode<?> collection
                && collection.getFlowStyle() != FlowStyle.FLOW
                && !collection.getValue().isEmpty()) {
            List<Object> inner = new ArrayList<>(collection.getValue());
            Object last = inner.get(inner.size() - 1);
            end = last instanceof NodeTuple tuple ? end(tuple) : end((Node) last, start(node));
        } else {
            end = place(node.getEndMark().getIndex());
        }
        while (end > 0 && end > start(node) && Character.isWhitespace(text.charAt(end - 1))) {
            end--;
        }
        if (end < least) {
            throw new NoPlaceException();
        }
        return end;
    }

    /** SnakeYAML counts code points. */
    private int place(int codePoints) {
        return text.offsetByCodePoints(0, codePoints);
    }

    /** Where the line of {@code place} ends, before what ends it. */
    int lineEnd(int place) {
        int newline = text.indexOf('\n', place);
        if (newline < 0) {
            return text.length();
        }
        return newline > place && text.charAt(newline - 1) == '\r' ? newline - 1 : newline;
    }

    /** Whether the value is an alias: it has the place of what it stands for, so that there is no saying where it is itself. */
    boolean isAlias(NodeTuple tuple) throws NoPlaceException {
        return start(tuple.getValueNode()) < end(tuple.getKeyNode(), 0);
    }
}
