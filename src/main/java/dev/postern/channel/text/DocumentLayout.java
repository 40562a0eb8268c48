package dev.postern.channel.text;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.commonmark.ext.gfm.tables.TableBlock;
import org.commonmark.node.BlockQuote;
import org.commonmark.node.FencedCodeBlock;
import org.commonmark.node.Heading;
import org.commonmark.node.HtmlBlock;
import org.commonmark.node.IndentedCodeBlock;
import org.commonmark.node.LinkReferenceDefinition;
import org.commonmark.node.ListBlock;
import org.commonmark.node.ListItem;
import org.commonmark.node.Node;
import org.commonmark.node.OrderedList;
import org.commonmark.node.Paragraph;
import org.commonmark.node.Text;
import org.commonmark.node.ThematicBreak;

/**
 * The layout of a document as blocks. A list or a quote is one block; code is always a block of its own, even within them.
 * The tree is walked by recursion, and is at most {@link MarkdownParser#DEEPEST} deep.
 */
final class DocumentLayout {

    /** Limit of the indentation in characters: otherwise a single deep line would widen all lines that follow it. */
    private static final int DEEPEST_INDENT = 24;

    private final MarkupDialect dialect;
    private final InlineWriter inlineWriter;
    private final int limit;
    private final List<TextBlock> blocks = new ArrayList<>();
    private BlockBuilder blockBuilder = new BlockBuilder();
    private TextBlock.Kind kind = TextBlock.Kind.TEXT;
    private String indent = "";
    private int containers;
    private boolean afterMarker;

    private DocumentLayout(MarkupDialect dialect, InlineWriter inlineWriter, int limit) {
        this.dialect = dialect;
        this.inlineWriter = inlineWriter;
        this.limit = limit;
    }

    /** The blocks of {@code document}, such that {@code dialect} can write them in parts of {@code limit} UTF-16 units. */
    static List<TextBlock> of(Node document, MarkupDialect dialect, InlineWriter inlineWriter, int limit) {
        DocumentLayout layout = new DocumentLayout(dialect, inlineWriter, limit);
        layout.children(document);
        layout.flush();
        return layout.blocks;
    }

    private void children(Node parent) {
        for (Node node = parent.getFirstChild(); node != null; node = node.getNext()) {
            node(node);
        }
    }

    private void node(Node node) {
        if (node instanceof Paragraph) {
            begin("\n\n");
            inlineWriter.write(node, place(), 0);
        } else if (node instanceof Heading heading) {
            heading(heading);
        } else if (node instanceof FencedCodeBlock code) {
            code(TextBlock.Kind.FENCED_CODE, language(code.getInfo()), code.getLiteral());
        } else if (node instanceof IndentedCodeBlock code) {
            code(TextBlock.Kind.CODE, "", code.getLiteral());
        } else if (node instanceof HtmlBlock html) {
            begin("\n\n");
            lines(html.getLiteral());
        } else if (node instanceof BlockQuote) {
            quote(node);
        } else if (node instanceof ListBlock list) {
            list(list);
        } else if (node instanceof ThematicBreak) {
            begin("\n\n");
            blockBuilder.literal(dialect.rule());
        } else if (node instanceof TableBlock table) {
            table(table);
        } else if (!(node instanceof LinkReferenceDefinition)) {
            children(node);
        }
    }

    private void heading(Heading heading) {
        begin("\n\n");
        String marker = containers == 0 ? dialect.heading(heading.getLevel()) : "";
        blockBuilder.literal(marker);
        inlineWriter.write(heading, place(), marker.isEmpty() ? TextStyle.BOLD.bit() : 0);
    }

    private static String language(String info) {
        String first = info.strip().split("[\\s,{]", 2)[0];
        return first.matches("[A-Za-z0-9+#._-]{1,20}") ? first : "";
    }

    private void code(TextBlock.Kind codeKind, String language, String literal) {
        String code = literal.endsWith("\n") ? literal.substring(0, literal.length() - 1) : literal;
        if (!dialect.fences()) {
            begin("\n\n");
            lines(code);
            return;
        }
        flush();
        BlockBuilder own = new BlockBuilder();
        own.text(code, 0, null);
        blocks.add(own.block(codeKind, language));
    }

    private void lines(String text) {
        boolean begun = false;
        for (String line : text.strip().split("\n", -1)) {
            blockBuilder.literal(begun ? place().lineBreak() : "");
            blockBuilder.text(line, 0, null);
            begun = true;
        }
    }

    /** Adds a quote: a block of its own at the top level, or prefixed lines within a list or another quote. */
    private void quote(Node quote) {
        String outer = indent;
        if (containers == 0) {
            flush();
            kind = TextBlock.Kind.QUOTE;
        } else {
            if (afterMarker) {
                blockBuilder.literal("> ");
            }
            indent = deeper("> ");
        }
        containers++;
        children(quote);
        containers--;
        indent = outer;
        if (containers == 0) {
            flush();
            kind = TextBlock.Kind.TEXT;
        }
    }

    private void list(ListBlock list) {
        long number = list instanceof OrderedList ordered && ordered.getMarkerStartNumber() != null
                ? ordered.getMarkerStartNumber()
                : 1;
        boolean first = true;
        for (Node item = list.getFirstChild(); item != null; item = item.getNext()) {
            begin(first && !isInItem(list) ? "\n\n" : "\n");
            String marker = list instanceof OrderedList ? number++ + ". " : dialect.bullet();
            item(item, marker);
            first = false;
        }
        if (containers == 0) {
            flush();
        }
    }

    private static boolean isInItem(ListBlock list) {
        return list.getParent() instanceof ListItem;
    }

    private void item(Node item, String marker) {
        String outer = indent;
        blockBuilder.literal(marker);
        indent = deeper(" ".repeat(dialect.indentsByMarker() ? marker.length() : 2));
        containers++;
        afterMarker = true;
        TaskListItem.of(item).ifPresent(task -> blockBuilder.literal(dialect.box(task.isDone())));
        children(item);
        afterMarker = false;
        containers--;
        indent = outer;
    }

    private String deeper(String step) {
        return indent.length() + step.length() > DEEPEST_INDENT ? indent : indent + step;
    }

    private void table(TableBlock table) {
        TableText text = new TableText(table, dialect, inlineWriter, limit / 2);
        if (text.isAligned()) {
            code(TextBlock.Kind.CODE, "", text.aligned());
            return;
        }
        begin("\n\n");
        text.write(place());
    }

    /** Begins a paragraph or an item: behind its marker, else on a new line after {@code gap}. */
    private void begin(String gap) {
        if (afterMarker) {
            afterMarker = false;
            return;
        }
        if (containers == 0 && !blockBuilder.isEmpty() && !gap.equals("\n")) {
            flush();
        }
        blockBuilder.literal(blockBuilder.isEmpty() ? indent.stripLeading() : gap + indent);
    }

    private InlineWriter.Target place() {
        return new InlineWriter.Target(blockBuilder, dialect.lineBreak() + indent);
    }

    private void flush() {
        TextBlock block = blockBuilder.block(kind, "");
        if (block.length() > 0) {
            blocks.add(block);
        }
        blockBuilder = new BlockBuilder();
    }

    /** The checkbox of a list item (GitHub Flavored Markdown, "Task list items (extension)"). */
    private record TaskListItem(boolean isDone) {

        private static final Pattern BOX = Pattern.compile("\\[([ xX])]\\s+(?=\\S)");

        /** Removes the checkbox with which {@code item} begins, and returns it. */
        static Optional<TaskListItem> of(Node item) {
            if (!(item.getFirstChild() instanceof Paragraph paragraph)
                    || !(paragraph.getFirstChild() instanceof Text text)) {
                return Optional.empty();
            }
            Matcher box = BOX.matcher(text.getLiteral());
            if (!box.lookingAt()) {
                return Optional.empty();
            }
            text.setLiteral(text.getLiteral().substring(box.end()));
            return Optional.of(
                    new TaskListItem(box.group(1).toLowerCase(Locale.ROOT).equals("x")));
        }
    }
}
