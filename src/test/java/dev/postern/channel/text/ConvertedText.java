package dev.postern.channel.text;

import java.util.List;

/** The converted text of a reply, with zero-width spaces shown as middle dots. */
final class ConvertedText {

    private ConvertedText() {}

    /** The text of a reply that fits into one part. */
    static String onlyPart(MarkupLanguage markup, String reply) {
        List<String> parts = MessageParts.of(reply, markup, 10_000);
        if (parts.size() != 1) {
            throw new AssertionError("[" + parts.size() + "] parts");
        }
        return visible(parts.get(0));
    }

    static List<String> parts(MarkupLanguage markup, int limit, String reply) {
        return MessageParts.of(reply, markup, limit).stream()
                .map(ConvertedText::visible)
                .toList();
    }

    private static String visible(String part) {
        return part.replace('\u200B', '·');
    }
}
