package dev.postern.channel.text;

import java.util.List;

/** What becomes of a reply, with the zero-width spaces made visible as a middle dot. */
final class Shown {

    private Shown() {}

    /** Of a reply that fits one part. */
    static String as(MarkupLanguage markup, String reply) {
        List<String> parts = MessageParts.of(reply, markup, 10_000);
        if (parts.size() != 1) {
            throw new AssertionError("[" + parts.size() + "] parts");
        }
        return visible(parts.get(0));
    }

    static List<String> in(MarkupLanguage markup, int limit, String reply) {
        return MessageParts.of(reply, markup, limit).stream()
                .map(Shown::visible)
                .toList();
    }

    private static String visible(String part) {
        return part.replace('\u200B', '·');
    }
}
