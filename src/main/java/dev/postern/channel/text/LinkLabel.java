package dev.postern.channel.text;

import org.commonmark.node.Code;
import org.commonmark.node.Node;
import org.commonmark.node.Text;

/** The text by which a link or an image is shown. */
final class LinkLabel {

    private LinkLabel() {}

    /** The label of {@code link} without its styles; line breaks are spaces. */
    static String of(Node link) {
        StringBuilder label = new StringBuilder();
        add(link, label);
        return label.toString();
    }

    /** Walks the tree by recursion, which is at most {@link MarkdownParser#DEEPEST} deep. */
    private static void add(Node parent, StringBuilder label) {
        for (Node node = parent.getFirstChild(); node != null; node = node.getNext()) {
            if (node instanceof Text text) {
                label.append(text.getLiteral());
            } else if (node instanceof Code code) {
                label.append(code.getLiteral());
            } else if (node.getFirstChild() == null) {
                label.append(' ');
            } else {
                add(node, label);
            }
        }
    }
}
