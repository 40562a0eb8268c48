package dev.postern.channel.text;

import org.jspecify.annotations.Nullable;

/**
 * A span of characters with the same style, within a line that is being written.
 *
 * @param block the block of the line
 * @param from index of the span's first character
 * @param to index behind its last character
 * @param lineFrom index of the line's first character in this part
 * @param lineTo index behind the line's last character in this part
 */
record StyledSpan(TextBlock block, int from, int to, int lineFrom, int lineTo) {

    String text() {
        return block.text();
    }

    String content() {
        return text().substring(from, to);
    }

    int marks() {
        return block.marksAt(from);
    }

    @Nullable
    Link link() {
        return block.linkAt(from);
    }

    /** Whether the span is markup or an address. */
    boolean isLiteral() {
        return (marks() & TextStyle.LITERAL) != 0;
    }

    /** The character before {@code index} in the line, or a space at its beginning. */
    char before(int index) {
        return index > lineFrom ? text().charAt(index - 1) : ' ';
    }

    /** The character at {@code index} in the line, or a space at its end. */
    char at(int index) {
        return index < lineTo ? text().charAt(index) : ' ';
    }

    /** Whether another {@code c}, or a character with {@code textStyle}, follows in the line behind {@code index}. */
    boolean recurs(int index, char c, TextStyle textStyle) {
        int other = text().indexOf(c, index + 1);
        if (other >= 0 && other < lineTo) {
            return true;
        }
        for (int i = index + 1; i < lineTo; i++) {
            if (textStyle.in(block.marksAt(i))) {
                return true;
            }
        }
        return false;
    }

    /** Length of the longest sequence of {@code c} in the span. */
    int longest(char c) {
        return longest(text(), from, to, c);
    }

    static int longest(String text, int from, int to, char c) {
        int longest = 0;
        int now = 0;
        for (int i = from; i < to; i++) {
            now = text.charAt(i) == c ? now + 1 : 0;
            longest = Math.max(longest, now);
        }
        return longest;
    }
}
