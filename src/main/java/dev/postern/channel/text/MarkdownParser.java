package dev.postern.channel.text;

import java.util.List;
import org.commonmark.ext.gfm.strikethrough.StrikethroughExtension;
import org.commonmark.ext.gfm.tables.TablesExtension;
import org.commonmark.node.Node;
import org.commonmark.parser.Parser;

/**
 * Reads Markdown: CommonMark with GitHub's tables, strikethrough and bare addresses. What is nested deeper than
 * {@value #DEEPEST} blocks or marks is read as text.
 */
final class MarkdownParser {

    /** Each block costs something at each line, and stack when the tree is walked. */
    static final int DEEPEST = 24;

    /** For each line of a paragraph the parser goes over those before it. */
    private static final int MOST_LINES = 10_000;

    /** A row that has fewer cells than the head is filled up, so a short text can ask for very many. */
    private static final int MOST_CELLS = 10_000;

    private static final Parser PARSER = builder()
            .extensions(List.of(
                    TablesExtension.builder().maxCells(MOST_CELLS).build(),
                    StrikethroughExtension.builder().requireTwoTildes(true).build()))
            .build();

    private static final Parser WITHOUT_TABLES = builder()
            .extensions(List.of(
                    StrikethroughExtension.builder().requireTwoTildes(true).build()))
            .build();

    private MarkdownParser() {}

    /** Whether {@code reply} can be parsed in little time: a paragraph or code of very many lines can't. */
    static boolean isParsable(String reply) {
        int lines = 0;
        for (int i = reply.indexOf('\n'); i >= 0 && lines < MOST_LINES; i = reply.indexOf('\n', i + 1)) {
            boolean blank = i + 1 < reply.length() && reply.charAt(i + 1) == '\n';
            lines = blank ? 0 : lines + 1;
        }
        return lines < MOST_LINES;
    }

    static Node parse(String reply) {
        try {
            return PARSER.parse(reply);
        } catch (IllegalArgumentException tooManyCells) {
            return WITHOUT_TABLES.parse(reply);
        }
    }

    private static Parser.Builder builder() {
        return Parser.builder()
                .maxOpenBlockParsers(DEEPEST)
                .maxInlineNesting(DEEPEST)
                .customInlineContentParserFactory(new BareLinkParser.Factory());
    }
}
