package dev.postern.mail.message;

import dev.postern.model.BlankText;

/**
 * The text of a mail as it is collected, never longer than its limit. Line ends become {@code \n}, white space at the ends
 * of lines is dropped, at most one empty line follows another line, and the only control characters kept are tabs.
 */
final class BodyText {

    /** A position in the text to which it can be reset. */
    record Checkpoint(int length, int bytes, int breaks) {}

    private static final int MAX_INDENT = 200;

    private final StringBuilder text = new StringBuilder();
    private final StringBuilder indent = new StringBuilder();
    private final int maxBytes;
    private int bytes;
    private int breaks;
    private int last;
    private boolean cut;

    /** @param maxBytes limit of the text in UTF-8 bytes */
    BodyText(int maxBytes) {
        this.maxBytes = maxBytes;
    }

    /** Appends {@code more}; an unpaired surrogate becomes U+FFFD. */
    void append(String more) {
        for (int i = 0; i < more.length() && !cut; ) {
            int c = SingleLineText.codePointAt(more, i);
            i += Character.charCount(c);
            append(c);
        }
    }

    void append(int c) {
        if (c == '\r' || (c == '\n' && last != '\r')) {
            lineBreaks(breaks + 1);
        } else if (c == '\t' || Character.isSpaceChar(c)) {
            indent(c);
        } else if (!Character.isISOControl(c)) {
            visible(c);
        }
        last = c;
    }

    /** Begins a new line after {@code lines - 1} empty ones, but at most one; pending white space is dropped. */
    void lineBreaks(int lines) {
        breaks = Math.max(breaks, Math.min(lines, 2));
        indent.setLength(0);
    }

    /** Begins a text that is separate from the one before it. */
    void begin() {
        lineBreaks(2);
        last = 0;
    }

    /** Notes that the sender's text is longer than what was added; nothing more is accepted. */
    void cut() {
        cut = true;
    }

    boolean isCut() {
        return cut;
    }

    int length() {
        return text.length();
    }

    Checkpoint checkpoint() {
        return new Checkpoint(text.length(), bytes, breaks);
    }

    /** Removes the text added since {@code mark} if all of it is blank; true if it was. */
    boolean resetIfBlank(Checkpoint checkpoint) {
        if (!BlankText.isBlank(text.substring(checkpoint.length()))) {
            return false;
        }
        resetTo(checkpoint);
        return true;
    }

    /** Removes the text added since {@code mark}. */
    void resetTo(Checkpoint checkpoint) {
        text.setLength(checkpoint.length());
        indent.setLength(0);
        bytes = checkpoint.bytes();
        breaks = checkpoint.breaks();
        cut = false;
    }

    /** Whether the next visible character is at the beginning or follows white space. */
    boolean isAtSpace() {
        return text.isEmpty() || breaks > 0 || !indent.isEmpty();
    }

    boolean isAtLineStart() {
        return text.isEmpty() || breaks > 0;
    }

    String since(int length) {
        return text.substring(length);
    }

    @Override
    public String toString() {
        return text.toString();
    }

    private void indent(int c) {
        if (indent.length() < MAX_INDENT) {
            indent.appendCodePoint(c);
        }
    }

    private void visible(int c) {
        if (text.isEmpty()) {
            breaks = 0;
            indent.setLength(0);
        }
        int more = breaks + utf8(indent) + utf8Length(c);
        if (bytes + more > maxBytes) {
            cut = true;
            return;
        }
        text.append("\n".repeat(breaks)).append(indent).appendCodePoint(c);
        bytes += more;
        breaks = 0;
        indent.setLength(0);
    }

    private static int utf8(StringBuilder text) {
        int bytes = 0;
        for (int i = 0; i < text.length(); i++) {
            bytes += utf8Length(text.charAt(i));
        }
        return bytes;
    }

    private static int utf8Length(int c) {
        if (c < 0x80) {
            return 1;
        }
        if (c < 0x800) {
            return 2;
        }
        return c < 0x10000 ? 3 : 4;
    }
}
