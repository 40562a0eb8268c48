package dev.postern.channel.text;

import java.util.List;
import org.commonmark.ext.gfm.strikethrough.StrikethroughExtension;
import org.commonmark.ext.gfm.tables.TablesExtension;
import org.commonmark.node.Node;
import org.commonmark.parser.Parser;

/**
 * A parser of Markdown: CommonMark with GitHub's tables, strikethrough and bare addresses. Anything nested deeper than
 * {@value #DEEPEST} blocks or styles is read as text.
 */
final class MarkdownParser {

    /** Limit of nesting: each open block costs time at each line, and stack when the tree is walked. */
    static final int DEEPEST = 24;

    /** Limit of lines without a blank one: for each line of a paragraph the parser reads all lines before it. */
    private static final int MOST_LINES = 10_000;

    /** Limit of the signs for styles without a blank line: for each of them the parser may go back over all before it. */
    private static final int MOST_DELIMITERS = 5_000;

    private static final String DELIMITERS = "*_~";

    /** Limit of a table's cells: the parser fills rows up to the head's width, so a short text can create very many. */
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

    /** Whether {@code reply} can be parsed in a short time, unlike a paragraph with very many lines or signs for styles. */
    static boolean isParsable(String reply) {
        int lines = 0;
        int delimiters = 0;
        for (int i = 0; i < reply.length() && lines < MOST_LINES && delimiters < MOST_DELIMITERS; i++) {
            char c = reply.charAt(i);
            if (DELIMITERS.indexOf(c) >= 0) {
                delimiters++;
            } else if (c == '\n') {
                boolean blank = i + 1 < reply.length() && reply.charAt(i + 1) == '\n';
                lines = blank ? 0 : lines + 1;
                delimiters = blank ? 0 : delimiters;
            }
        }
        return lines < MOST_LINES && delimiters < MOST_DELIMITERS;
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
