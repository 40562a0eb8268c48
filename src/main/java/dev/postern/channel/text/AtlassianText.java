package dev.postern.channel.text;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.commonmark.node.Code;
import org.commonmark.node.HardLineBreak;
import org.commonmark.node.HtmlInline;
import org.commonmark.node.Image;
import org.commonmark.node.Link;
import org.commonmark.node.Node;
import org.commonmark.node.SoftLineBreak;
import org.commonmark.node.Text;
import org.jspecify.annotations.Nullable;

/** A writer of the text of a paragraph in Atlassian's document format: pieces with marks, and line breaks. */
final class AtlassianText {

    private final AddressBudget addresses;

    AtlassianText(AddressBudget addresses) {
        this.addresses = addresses;
    }

    /**
     * Writes the children of {@code parent} to {@code content}.
     *
     * @param textStyle style of the whole text; {@link TextStyle#LINK}, which needs an address, for none
     */
    void write(Node parent, ArrayNode content, TextStyle textStyle) {
        children(parent, content, textStyle == TextStyle.LINK ? 0 : textStyle.bit(), null);
    }

    /** Writes {@code text} without marks. */
    void plain(String text, ArrayNode content) {
        text(text, content, 0, null);
    }

    private void children(Node parent, ArrayNode content, int marks, @Nullable String address) {
        for (Node node = parent.getFirstChild(); node != null; node = node.getNext()) {
            node(node, content, marks, address);
        }
    }

    private void node(Node node, ArrayNode content, int marks, @Nullable String address) {
        if (node instanceof Text text) {
            text(text.getLiteral(), content, marks, address);
        } else if (node instanceof Code code) {
            text(code.getLiteral(), content, TextStyle.CODE.bit(), address);
        } else if (node instanceof SoftLineBreak || node instanceof HardLineBreak) {
            lineBreak(content);
        } else if (node instanceof HtmlInline html) {
            html(html.getLiteral(), content, marks, address);
        } else if (node instanceof Link link) {
            link(node, link.getDestination(), content, marks, address);
        } else if (node instanceof Image image) {
            link(node, image.getDestination(), content, marks, address);
        } else {
            children(node, content, marks | InlineWriter.bitOf(node), address);
        }
    }

    private void html(String tag, ArrayNode content, int marks, @Nullable String address) {
        if (InlineWriter.isLineBreak(tag)) {
            lineBreak(content);
        } else {
            text(tag, content, marks, address);
        }
    }

    private void link(Node node, String destination, ArrayNode content, int marks, @Nullable String around) {
        if (around != null || !addresses.holds(destination)) {
            children(node, content, marks, around);
            return;
        }
        linked(node, destination, content, marks);
        NestedImages.addresses(node, destination).stream()
                .filter(addresses::take)
                .forEach(image -> behind(image, content, marks));
    }

    private void linked(Node node, String destination, ArrayNode content, int marks) {
        LinkAddress found = LinkAddress.of(destination);
        if (found == null) {
            children(node, content, marks, null);
            if (!destination.isBlank() && addresses.take(destination)) {
                text(" (" + destination + ")", content, marks, null);
            }
        } else if (node.getFirstChild() == null) {
            text(found.shown(), content, marks, found.url());
        } else {
            children(node, content, marks, found.url());
            if (found.isDisguisedBy(LinkLabel.of(node))) {
                behind(destination, content, marks);
            }
        }
    }

    /** Writes an address in brackets behind the text that it belongs to. */
    private void behind(String destination, ArrayNode content, int marks) {
        LinkAddress found = LinkAddress.of(destination);
        text(" (", content, marks, null);
        text(found == null ? destination : found.shown(), content, marks, found == null ? null : found.url());
        text(")", content, marks, null);
    }

    private static void lineBreak(ArrayNode content) {
        content.addObject().put("type", "hardBreak");
    }

    /** Writes text with its marks: each piece of a link has the address, as long as the budget holds it. */
    private void text(String written, ArrayNode content, int marks, @Nullable String address) {
        String text = CharacterClasses.withoutOverrides(written);
        if (text.isEmpty()) {
            return;
        }
        StringBuilder valid = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            char before = i == 0 ? 0 : text.charAt(i - 1);
            char after = i + 1 == text.length() ? 0 : text.charAt(i + 1);
            valid.append(CharacterClasses.validOrReplacement(before, text.charAt(i), after));
        }
        ObjectNode added = content.addObject().put("type", "text").put("text", valid.toString());
        @Nullable String link = address != null && addresses.take(address) ? address : null;
        if (marks != 0 || link != null) {
            marks(added.putArray("marks"), marks, link);
        }
    }

    private static void marks(ArrayNode added, int marks, @Nullable String address) {
        mark(added, TextStyle.BOLD, "strong", marks);
        mark(added, TextStyle.ITALIC, "em", marks);
        mark(added, TextStyle.STRIKE, "strike", marks);
        mark(added, TextStyle.CODE, "code", marks);
        if (address != null) {
            added.addObject().put("type", "link").putObject("attrs").put("href", address);
        }
    }

    private static void mark(ArrayNode added, TextStyle textStyle, String type, int marks) {
        if (textStyle.in(marks)) {
            added.addObject().put("type", type);
        }
    }
}
