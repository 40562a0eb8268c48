package dev.postern.channel.text;

import java.util.regex.Pattern;
import org.commonmark.ext.gfm.strikethrough.Strikethrough;
import org.commonmark.node.Code;
import org.commonmark.node.Emphasis;
import org.commonmark.node.HardLineBreak;
import org.commonmark.node.HtmlInline;
import org.commonmark.node.Image;
import org.commonmark.node.Node;
import org.commonmark.node.SoftLineBreak;
import org.commonmark.node.StrongEmphasis;
import org.commonmark.node.Text;
import org.jspecify.annotations.Nullable;

/** A writer that adds the inline content of a paragraph to a block. */
final class InlineWriter {

    /** Number of UTF-16 units reserved for other markup around a link. */
    private static final int BESIDE_LINK = 60;

    private static final Pattern LINE_BREAK = Pattern.compile("< *b *r */? *>", Pattern.CASE_INSENSITIVE);

    private final MarkupDialect dialect;
    private final int limit;
    private final AddressBudget addresses;

    /**
     * @param limit limit of a part in characters; an address whose markup takes too much of it is written out
     */
    InlineWriter(MarkupDialect dialect, int limit, AddressBudget addresses) {
        this.dialect = dialect;
        this.limit = limit;
        this.addresses = addresses;
    }

    /** A block to write to, and the text that begins a new line in it. */
    record Target(BlockBuilder builder, String lineBreak) {

        /** The same block with line breaks written as spaces. */
        Target inOneLine() {
            return new Target(builder, " ");
        }
    }

    /** A writer of the same content without markup and without links behind labels. */
    InlineWriter plain() {
        return new InlineWriter(new PlainDialect(), 0, addresses.copy());
    }

    /** Writes the children of {@code parent} with the style bits {@code marks}. */
    void write(Node parent, Target target, int marks) {
        children(parent, target, marks, null);
    }

    private void children(Node parent, Target target, int marks, @Nullable Link link) {
        for (Node node = parent.getFirstChild(); node != null; node = node.getNext()) {
            node(node, target, marks, link);
        }
    }

    private void node(Node node, Target target, int marks, @Nullable Link link) {
        if (node instanceof Text text) {
            text(text.getLiteral(), target, marks, link);
        } else if (node instanceof Code code) {
            text(code.getLiteral(), target, dialect.code(marks, link != null), link);
        } else if (node instanceof SoftLineBreak || node instanceof HardLineBreak) {
            lineBreak(target, marks, link);
        } else if (node instanceof HtmlInline html) {
            html(html.getLiteral(), target, marks, link);
        } else if (node instanceof org.commonmark.node.Link toOther) {
            link(node, toOther.getDestination(), target, marks, link);
        } else if (node instanceof Image image) {
            link(node, image.getDestination(), target, marks, link);
        } else {
            children(node, target, marks | bitOf(node), link);
        }
    }

    /** The style of a node's text; 0 if it has none of its own. */
    static int bitOf(Node node) {
        if (node instanceof StrongEmphasis) {
            return TextStyle.BOLD.bit();
        }
        if (node instanceof Emphasis) {
            return TextStyle.ITALIC.bit();
        }
        return node instanceof Strikethrough ? TextStyle.STRIKE.bit() : 0;
    }

    /** Whether {@code tag} is HTML's {@code <br>}. */
    static boolean isLineBreak(String tag) {
        return LINE_BREAK.matcher(tag).matches();
    }

    /** Writes a line break for {@code <br>}, which models use within tables, or else the tag as text. */
    private static void html(String tag, Target target, int marks, @Nullable Link link) {
        if (isLineBreak(tag)) {
            lineBreak(target, marks, link);
        } else {
            text(tag, target, marks, link);
        }
    }

    /** Writes a line break; within a label a space, because each line of a label would be a link of its own. */
    private static void lineBreak(Target target, int marks, @Nullable Link link) {
        if (link == null) {
            target.builder().literal(target.lineBreak());
        } else {
            text(" ", target, marks, link);
        }
    }

    /**
     * Writes text on one line: a line end within it comes from a character reference and is no line break.
     */
    private static void text(String text, Target target, int marks, @Nullable Link link) {
        target.builder().text(CharacterClasses.withoutOverrides(text.replace('\n', ' ')), marks, link);
    }

    private void link(Node node, String destination, Target target, int marks, @Nullable Link around) {
        if (around != null || !addresses.take(destination)) {
            children(node, target, marks, around);
            return;
        }
        linked(node, destination, target, marks);
        NestedImages.addresses(node, destination).stream()
                .filter(addresses::take)
                .forEach(image -> behind(image, target, marks));
    }

    private void linked(Node node, String destination, Target target, int marks) {
        String label = label(node);
        LinkAddress address = LinkAddress.of(destination);
        if (address == null) {
            children(node, target, marks, null);
            if (!destination.isBlank() && !destination.equals(label)) {
                text(label.isBlank() ? destination : " (" + destination + ")", target, marks, null);
            }
        } else if (label.isBlank() || label.equals(destination) || label.equals(address.shown())) {
            shown(address, target, marks);
        } else if (!address.isDisguisedBy(label)
                && dialect.links(address, label)
                && leavesRoom(dialect.link(address.url()), label)) {
            children(node, target, marks, Link.behind(address.url()));
        } else {
            children(node, target, marks, null);
            behind(destination, target, marks);
        }
    }

    /** Whether the markup of a link leaves its label enough of a part: it is repeated in each part that has some of it. */
    private boolean leavesRoom(Delimiters markup, String label) {
        int length = markup.length();
        return length <= limit - BESIDE_LINK && length + Math.min(length, label.length()) <= limit;
    }

    /** Writes an address in brackets behind the text that it belongs to. */
    private void behind(String destination, Target target, int marks) {
        LinkAddress address = LinkAddress.of(destination);
        if (address == null) {
            text(" (" + destination + ")", target, marks, null);
            return;
        }
        target.builder().text(" (", marks, null);
        shown(address, target, marks);
        target.builder().text(")", marks, null);
    }

    private void shown(LinkAddress address, Target target, int marks) {
        Link link = address.url().length() <= limit - BESIDE_LINK ? Link.shown(address.url()) : null;
        // Without a scheme a product doesn't read it as an address, but as text, of which each character counts.
        int literal = address.isWeb() ? TextStyle.LITERAL : 0;
        target.builder().text(address.shown(), marks | literal, link);
    }

    private String label(Node node) {
        BlockBuilder label = new BlockBuilder();
        children(node, new Target(label, " "), 0, Link.shown(""));
        return label.text();
    }
}
