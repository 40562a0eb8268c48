package dev.postern.channel.text;

import java.util.ArrayList;
import java.util.List;
import org.commonmark.node.Image;
import org.commonmark.node.Node;

/** The images within a link or an image. A link can't hold another one, so their addresses are written behind it. */
final class NestedImages {

    private NestedImages() {}

    /** The addresses of the images within {@code link}, in order, without its own address {@code destination}. */
    static List<String> addresses(Node link, String destination) {
        List<String> addresses = new ArrayList<>();
        add(link, destination, addresses);
        return addresses;
    }

    /** Walks the tree by recursion, which is at most {@link MarkdownParser#DEEPEST} deep. */
    private static void add(Node parent, String destination, List<String> addresses) {
        for (Node node = parent.getFirstChild(); node != null; node = node.getNext()) {
            if (node instanceof Image image
                    && !image.getDestination().isBlank()
                    && !image.getDestination().equals(destination)) {
                addresses.add(image.getDestination());
            }
            add(node, destination, addresses);
        }
    }
}
