package dev.postern.channel.text;

import java.util.List;

/** The parts of a reply, each of which is sent as one message. */
public final class MessageParts {

    /** The shortest limit, longer than all markup around one character together. */
    private static final int SHORTEST_LIMIT = 100;

    private MessageParts() {}

    /**
     * The parts of {@code reply}, in order: at least one, and the same for the same reply. No visible text is lost, only
     * white space at a cut. The reply is cut between blocks, else at the end of a line, else between words, else between
     * characters as a reader counts them. A code fence, a style or a link that is open at a cut is closed, and opened
     * again in the next part. No part is blank, except the only one of a blank reply.
     *
     * @param reply Markdown, as models write it
     * @param limit maximum length of a part in UTF-16 units, including its markup; at least {@value #SHORTEST_LIMIT}
     * @throws IllegalArgumentException if {@code limit} is less
     */
    public static List<String> of(String reply, MarkupLanguage markup, int limit) {
        return parts(reply, markup, limit, false).stream()
                .map(MessagePart::text)
                .toList();
    }

    /**
     * The parts of {@code reply} as {@link #of} gives them, except that a fenced block of code that is longer than a part
     * becomes a file, between the text before it and the text behind it. The text before it ends with the file's name, if
     * there is space.
     *
     * @param reply Markdown, as models write it
     * @param limit as for {@link #of}; the length of a file has none
     * @throws IllegalArgumentException if {@code limit} is too short
     */
    public static List<MessagePart> withFiles(String reply, MarkupLanguage markup, int limit) {
        return parts(reply, markup, limit, true);
    }

    private static List<MessagePart> parts(String reply, MarkupLanguage markup, int limit, boolean withFiles) {
        if (limit < SHORTEST_LIMIT) {
            throw new IllegalArgumentException("a limit of [" + limit + "] is too short");
        }
        if (markup == MarkupLanguage.RAW && reply.length() <= limit) {
            return List.of(MessagePart.text(reply));
        }
        MarkupDialect dialect = MarkupDialect.of(markup);
        List<MessagePart> parts = MessagePacker.pack(blocks(reply, markup, dialect, limit), dialect, limit, withFiles);
        if (parts.isEmpty()) {
            parts = MessagePacker.pack(asText(reply, dialect), dialect, limit, withFiles);
        }
        return parts.isEmpty() ? List.of(MessagePart.text("")) : List.copyOf(parts);
    }

    private static List<TextBlock> blocks(String reply, MarkupLanguage markup, MarkupDialect dialect, int limit) {
        if (markup == MarkupLanguage.RAW) {
            return CodeFenceScanner.blocks(reply);
        }
        if (!MarkdownParser.isParsable(reply)) {
            return asText(reply, dialect);
        }
        InlineWriter inlineWriter = new InlineWriter(dialect, limit, AddressBudget.of(reply));
        return DocumentLayout.of(MarkdownParser.parse(reply), dialect, inlineWriter, limit);
    }

    /** The reply as plain text, if Markdown would show nothing of it, such as a lone definition, or would take too long. */
    private static List<TextBlock> asText(String reply, MarkupDialect dialect) {
        BlockBuilder blockBuilder = new BlockBuilder();
        for (String line : reply.strip().split("\\R", -1)) {
            blockBuilder.literal(blockBuilder.isEmpty() ? "" : dialect.lineBreak());
            blockBuilder.text(line, 0, null);
        }
        return List.of(blockBuilder.block(TextBlock.Kind.TEXT, ""));
    }
}
