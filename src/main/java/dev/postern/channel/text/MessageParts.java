package dev.postern.channel.text;

import java.util.List;

/** A reply as the messages that it is sent as. */
public final class MessageParts {

    /** The shortest limit; the markup around one character, of all kinds together, takes less. */
    private static final int SHORTEST_LIMIT = 100;

    /** What of that is left for a link's markup, beside all others. */
    private static final int BESIDE_LINK = 60;

    /** How much longer than the reply all its addresses may be, when one that is defined once is used often. */
    private static final int ADDRESSES = 10_000;

    private MessageParts() {}

    /**
     * The parts of {@code reply}, in order and at least one; the same for the same reply. Nothing that can be read is
     * lost, save white space where it is cut. It is cut between blocks, else at the end of a line, else between words,
     * else between characters as a reader counts them; a code fence, a style and a link that are open there are closed,
     * and opened again in the next part. No part is blank, save the only one of a blank reply.
     *
     * @param reply Markdown, as models write it
     * @param limit how long a part may be, in UTF-16 units with its markup; at least {@value #SHORTEST_LIMIT}
     * @throws IllegalArgumentException when {@code limit} is less
     */
    public static List<String> of(String reply, MarkupLanguage markup, int limit) {
        if (limit < SHORTEST_LIMIT) {
            throw new IllegalArgumentException("a limit of [" + limit + "] is too short");
        }
        if (markup == MarkupLanguage.RAW && reply.length() <= limit) {
            return List.of(reply);
        }
        MarkupDialect dialect = MarkupDialect.of(markup);
        List<String> parts = MessagePacker.pack(blocks(reply, markup, dialect, limit), dialect, limit);
        if (parts.isEmpty()) {
            parts = MessagePacker.pack(asText(reply, dialect), dialect, limit);
        }
        return parts.isEmpty() ? List.of("") : List.copyOf(parts);
    }

    private static List<TextBlock> blocks(String reply, MarkupLanguage markup, MarkupDialect dialect, int limit) {
        if (markup == MarkupLanguage.RAW) {
            return CodeFenceScanner.blocks(reply);
        }
        if (!MarkdownParser.isParsable(reply)) {
            return asText(reply, dialect);
        }
        InlineWriter inlineWriter = new InlineWriter(dialect, limit - BESIDE_LINK, (long) reply.length() + ADDRESSES);
        return DocumentLayout.of(MarkdownParser.parse(reply), dialect, inlineWriter, limit);
    }

    /** As it is written, what Markdown would show nothing of, such as a definition alone, or would take too long for. */
    private static List<TextBlock> asText(String reply, MarkupDialect dialect) {
        BlockBuilder blockBuilder = new BlockBuilder();
        for (String line : reply.strip().split("\\R", -1)) {
            blockBuilder.literal(blockBuilder.isEmpty() ? "" : dialect.lineBreak());
            blockBuilder.text(line, 0, null);
        }
        return List.of(blockBuilder.block(TextBlock.Kind.TEXT, ""));
    }
}
