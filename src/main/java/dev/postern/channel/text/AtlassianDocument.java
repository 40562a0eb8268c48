package dev.postern.channel.text;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.commonmark.ext.gfm.tables.TableBlock;
import org.commonmark.ext.gfm.tables.TableCell;
import org.commonmark.ext.gfm.tables.TableRow;
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
import org.commonmark.node.ThematicBreak;

/**
 * A document of Atlassian's products, made of Markdown. It mentions nobody, because a mention would be a node of its own.
 * HTML stays text, and an image becomes a link. The tree is walked by recursion, and is at most
 * {@link MarkdownParser#DEEPEST} deep.
 *
 * @see <a href="https://developer.atlassian.com/cloud/jira/platform/apis/document/structure/">Atlassian Document Format</a>
 */
public final class AtlassianDocument {

    private static final int LONGEST_LANGUAGE = 20;

    /** The blocks that may contain others, each of which allows other kinds of them. */
    private enum Place {
        DOCUMENT,
        QUOTE,
        ITEM
    }

    private final AtlassianText text;

    private AtlassianDocument(AtlassianText text) {
        this.text = text;
    }

    /** The document of {@code markdown}, whose content is never empty. */
    public static ObjectNode of(String markdown) {
        ObjectNode document = node("doc").put("version", 1);
        ArrayNode content = document.putArray("content");
        AtlassianDocument layout = new AtlassianDocument(new AtlassianText(AddressBudget.of(markdown)));
        if (MarkdownParser.isParsable(markdown)) {
            layout.blocks(MarkdownParser.parse(markdown), content, Place.DOCUMENT);
        }
        if (content.isEmpty()) {
            layout.lines(markdown, content);
        }
        return document;
    }

    private static ObjectNode node(String type) {
        return JsonNodeFactory.instance.objectNode().put("type", type);
    }

    /** Adds a node of {@code type} to {@code content} and returns its own content. */
    private static ArrayNode add(ArrayNode content, String type) {
        ObjectNode added = node(type);
        content.add(added);
        return added.putArray("content");
    }

    private void blocks(Node parent, ArrayNode content, Place place) {
        for (Node node = parent.getFirstChild(); node != null; node = node.getNext()) {
            block(node, content, place);
        }
    }

    private void block(Node node, ArrayNode content, Place place) {
        if (node instanceof Paragraph) {
            text.write(node, add(content, "paragraph"), TextStyle.LINK);
        } else if (node instanceof Heading heading) {
            heading(heading, content, place);
        } else if (node instanceof FencedCodeBlock code) {
            code(code.getInfo(), code.getLiteral(), content);
        } else if (node instanceof IndentedCodeBlock code) {
            code("", code.getLiteral(), content);
        } else if (node instanceof HtmlBlock html) {
            lines(html.getLiteral(), content);
        } else if (node instanceof BlockQuote) {
            quote(node, content, place);
        } else if (node instanceof ListBlock list) {
            list(list, content);
        } else if (node instanceof ThematicBreak) {
            if (place == Place.DOCUMENT) {
                content.add(node("rule"));
            }
        } else if (node instanceof TableBlock table) {
            table(table, content, place);
        } else if (!(node instanceof LinkReferenceDefinition)) {
            blocks(node, content, place);
        }
    }

    private void heading(Heading heading, ArrayNode content, Place place) {
        if (place != Place.DOCUMENT) {
            text.write(heading, add(content, "paragraph"), TextStyle.BOLD);
            return;
        }
        ObjectNode added = node("heading");
        added.putObject("attrs").put("level", heading.getLevel());
        content.add(added);
        text.write(heading, added.putArray("content"), TextStyle.LINK);
    }

    private void code(String info, String literal, ArrayNode content) {
        ObjectNode added = node("codeBlock");
        String language = info.strip().split("[\\s,{]", 2)[0];
        if (!language.isEmpty() && language.length() <= LONGEST_LANGUAGE) {
            added.putObject("attrs").put("language", language);
        }
        content.add(added);
        String code = literal.endsWith("\n") ? literal.substring(0, literal.length() - 1) : literal;
        text.plain(code, added.putArray("content"));
    }

    /** Adds each line of {@code plain} as text of one paragraph. */
    private void lines(String plain, ArrayNode content) {
        ArrayNode paragraph = add(content, "paragraph");
        for (String line : plain.strip().split("\\R", -1)) {
            if (!paragraph.isEmpty()) {
                paragraph.add(node("hardBreak"));
            }
            text.plain(line, paragraph);
        }
    }

    /** Adds a quote; elsewhere than in the document its blocks stand without it. */
    private void quote(Node quote, ArrayNode content, Place place) {
        if (place != Place.DOCUMENT) {
            blocks(quote, content, place);
            return;
        }
        ArrayNode quoted = add(content, "blockquote");
        blocks(quote, quoted, Place.QUOTE);
        if (quoted.isEmpty()) {
            add(quoted, "paragraph");
        }
    }

    private void list(ListBlock list, ArrayNode content) {
        ObjectNode added = node(list instanceof OrderedList ? "orderedList" : "bulletList");
        if (list instanceof OrderedList ordered && ordered.getMarkerStartNumber() != null) {
            added.putObject("attrs").put("order", ordered.getMarkerStartNumber());
        }
        content.add(added);
        ArrayNode items = added.putArray("content");
        for (Node item = list.getFirstChild(); item instanceof ListItem; item = item.getNext()) {
            ArrayNode blocks = add(items, "listItem");
            if (item.getFirstChild() == null || item.getFirstChild() instanceof ListBlock) {
                add(blocks, "paragraph");
            }
            blocks(item, blocks, Place.ITEM);
            if (blocks.isEmpty()) {
                add(blocks, "paragraph");
            }
        }
    }

    /** Adds a table; elsewhere than in the document each row is a paragraph. */
    private void table(TableBlock table, ArrayNode content, Place place) {
        ArrayNode rows = place == Place.DOCUMENT ? add(content, "table") : content;
        for (Node section = table.getFirstChild(); section != null; section = section.getNext()) {
            for (Node row = section.getFirstChild(); row instanceof TableRow; row = row.getNext()) {
                if (place == Place.DOCUMENT) {
                    row(row, add(rows, "tableRow"));
                } else {
                    line(row, add(rows, "paragraph"));
                }
            }
        }
    }

    private void row(Node row, ArrayNode cells) {
        for (Node node = row.getFirstChild(); node instanceof TableCell cell; node = node.getNext()) {
            ArrayNode content = add(cells, cell.isHeader() ? "tableHeader" : "tableCell");
            text.write(cell, add(content, "paragraph"), TextStyle.LINK);
        }
    }

    private void line(Node row, ArrayNode paragraph) {
        for (Node cell = row.getFirstChild(); cell instanceof TableCell; cell = cell.getNext()) {
            if (!paragraph.isEmpty()) {
                text.plain(" | ", paragraph);
            }
            text.write(cell, paragraph, TextStyle.LINK);
        }
    }
}
