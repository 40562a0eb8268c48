package dev.postern.channel.text;

import org.jspecify.annotations.Nullable;

/**
 * Characters of one look within a line that is being written.
 *
 * @param block what the line stands in
 * @param from the run's first character
 * @param to behind its last
 * @param lineFrom the first character of the line, as far as it is in this part
 * @param lineTo behind its last
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

    /** Whether it is markup or an address. */
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

    /** Whether the line goes on behind {@code index} with another {@code c}, or with something marked {@code mark}. */
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

    /** How many {@code c} follow each other at most. */
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
