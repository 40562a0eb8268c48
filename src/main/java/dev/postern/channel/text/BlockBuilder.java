package dev.postern.channel.text;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A builder of a block: its text, and the style and link of each character. */
final class BlockBuilder {

    private final StringBuilder text = new StringBuilder();
    private byte[] marks = new byte[64];
    private @Nullable Link[] links = new @Nullable Link[64];

    boolean isEmpty() {
        return text.isEmpty();
    }

    String text() {
        return text.toString();
    }

    void text(String added, int withMarks, @Nullable Link link) {
        int from = text.length();
        int to = from + added.length();
        if (to > marks.length) {
            int room = Math.max(to, 2 * marks.length);
            marks = Arrays.copyOf(marks, room);
            links = Arrays.copyOf(links, room);
        }
        for (int i = 0; i < added.length(); i++) {
            char before = i == 0 ? 0 : added.charAt(i - 1);
            char after = i + 1 == added.length() ? 0 : added.charAt(i + 1);
            text.append(CharacterClasses.validOrReplacement(before, added.charAt(i), after));
        }
        Arrays.fill(marks, from, to, (byte) (link == null ? withMarks : withMarks | TextStyle.LINK.bit()));
        Arrays.fill(links, from, to, link);
    }

    void literal(String added) {
        text(added, TextStyle.LITERAL, null);
    }

    /** Builds the block, without white space at its end. */
    TextBlock block(TextBlock.Kind kind, String language) {
        int length = text.length();
        if (kind == TextBlock.Kind.TEXT || kind == TextBlock.Kind.QUOTE) {
            while (length > 0 && Character.isWhitespace(text.charAt(length - 1))) {
                length--;
            }
            for (TextStyle textStyle : TextStyle.values()) {
                tighten(textStyle.bit(), length);
            }
        }
        return new TextBlock(
                kind, language, text.substring(0, length), Arrays.copyOf(marks, length), Arrays.copyOf(links, length));
    }

    /** Removes a style from white space at both ends of a styled span, where a channel's delimiters may not touch it. */
    private void tighten(int bit, int length) {
        boolean link = TextStyle.LINK.in(bit);
        int at = 0;
        while (at < length) {
            if ((marks[at] & bit) == 0) {
                at++;
                continue;
            }
            int end = at;
            while (end < length && (marks[end] & bit) != 0 && (!link || links[end] == links[at])) {
                end++;
            }
            int from = at;
            while (from < end && Character.isWhitespace(text.charAt(from))) {
                marks[from++] &= (byte) ~bit;
            }
            for (int last = end - 1; last > from && Character.isWhitespace(text.charAt(last)); last--) {
                marks[last] &= (byte) ~bit;
            }
            at = end;
        }
    }
}
